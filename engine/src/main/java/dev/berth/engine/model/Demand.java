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
/// @param freeMillis thousandths of GPUs by model that were free when this was counted
public record Demand(long pods, List<PodClass> classes, SortedMap<String, Long> freeMillis) {
  /// Too few pods arrived.
  public static final Demand NONE = new Demand(0, List.of(), new TreeMap<>());

  public Demand {
    classes = List.copyOf(classes);
    freeMillis = Collections.unmodifiableSortedMap(new TreeMap<>(freeMillis));
  }

  public boolean isNone() {
    return classes.isEmpty();
  }

  /// Pods that ask for the same CPU and GPUs.
  ///
  /// @param count a weight: old arrivals count less
  public record PodClass(long cpuMillis, DeviceRequest devices, ModelChoice models, long count) {}
}
