package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the pods that arrived so far ask for, as a distribution. The same object as before as long
/// as it says the same.
///
/// @param pods how many pods were counted
/// @param classes the most frequent first; rare ones are left out
/// @param supplyMillis thousandths of GPUs by model: free when this was counted, and as much as was
///   given back since it was counted last
public record Demand(long pods, List<ArrivalClass> classes, SortedMap<String, Long> supplyMillis) {
  /// Too few pods arrived.
  public static final Demand NONE = new Demand(0, List.of(), new TreeMap<>());

  public Demand {
    classes = List.copyOf(classes);
    supplyMillis = Collections.unmodifiableSortedMap(new TreeMap<>(supplyMillis));
  }

  public boolean isNone() {
    return classes.isEmpty();
  }

  /// Pods that ask for the same CPU and GPUs.
  ///
  /// @param count a weight: old arrivals count less
  /// @param places for how many of them there was room when this was counted; [#PLENTY] at most
  public record ArrivalClass(
      long cpuMillis, DeviceRequest devices, ModelChoice models, long count, long places) {
    /// More places are not counted.
    public static final long PLENTY = 1000;

    /// The same pods, for so many of which there was room.
    public ArrivalClass with(long places) {
      return new ArrivalClass(cpuMillis, devices, models, count, places);
    }

    /// Thousandths of each of its GPUs; 0 where they can never be had.
    ///
    /// @param memoryMib of one GPU
    public int millisOn(long memoryMib) {
      int millis = devices.millisOn(memoryMib);
      return millis > 1000 ? 0 : millis;
    }

    /// For how many of these pods a node of an accepted model has room.
    ///
    /// @param cpuMillis that are free there
    /// @param whole GPUs that are wholly free
    /// @param parts thousandths that are free of its shared GPUs
    /// @param shared how many of `parts` count
    /// @param memoryMib of one of its GPUs
    public long places(long cpuMillis, long whole, int[] parts, int shared, long memoryMib) {
      long byCpu = this.cpuMillis <= 0 ? PLENTY : Math.max(0, cpuMillis) / this.cpuMillis;
      int gpus = devices.count();
      if (byCpu == 0 || gpus == 0) {
        return Math.min(PLENTY, byCpu);
      }
      int millis = millisOn(memoryMib);
      if (millis <= 0) {
        return 0;
      }
      long fits = Math.max(0, whole) * (1000 / millis);
      if (!(devices instanceof DeviceRequest.Whole)) {
        for (int i = 0; i < shared; i++) {
          fits += Math.max(0, parts[i]) / millis;
        }
      }
      return Math.min(Math.min(PLENTY, byCpu), fits / gpus);
    }
  }
}
