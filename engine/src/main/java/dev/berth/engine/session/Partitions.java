package dev.berth.engine.session;

import dev.berth.engine.model.DeviceSlice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/// Devices that are partitions of one GPU, and that GPU itself (MIG by claims): while one is
/// allocated it consumes counters of the GPU, and those that would need more than is left cannot be
/// allocated. By number of the device, as [DeviceInventory] counts them.
final class Partitions {
  private static final int NONE = -1;

  private final HashMap<String, Long> totals = new HashMap<>(); // looked up only
  private final HashMap<String, Integer> counters = new HashMap<>(); // numbers; looked up only
  private final List<Long> total = new ArrayList<>(); // by counter
  private final TreeMap<String, Integer> wholes = new TreeMap<>();
  private final List<Long> wholeBytes = new ArrayList<>();
  private final List<Integer> whole = new ArrayList<>(); // by device
  private final List<Long> bytes = new ArrayList<>(); // by device
  private final List<List<Need>> needs = new ArrayList<>(); // by device

  /// What a device consumes of a counter, by its number, while it is allocated.
  record Need(int counter, long amount) {}

  Partitions(List<DeviceSlice> slices) {
    for (DeviceSlice slice : slices) {
      slice
          .counters()
          .forEach((set, counters) ->
              counters.forEach((name, value) -> totals.put(set(slice, set) + "/" + name, value)));
    }
  }

  private static String set(DeviceSlice slice, String name) {
    return slice.driver() + "/" + slice.pool() + "/" + name;
  }

  /// Of the next number.
  void add(DeviceSlice slice, DeviceSlice.Device device) {
    var need = new ArrayList<Need>(0);
    device
        .consumes()
        .forEach((set, amounts) ->
            amounts.forEach(
                (name, value) -> need.add(new Need(counter(set(slice, set) + "/" + name), value))));
    needs.add(need);
    bytes.add(device.memoryBytes());
    if (device.consumes().isEmpty()) {
      whole.add(NONE);
      return;
    }
    String of = set(slice, device.consumes().firstKey());
    int number = wholes.computeIfAbsent(of, _ -> wholes.size());
    whole.add(number);
    if (number == wholeBytes.size()) {
      wholeBytes.add(0L);
    }
    wholeBytes.set(number, Math.max(wholeBytes.get(number), device.memoryBytes()));
  }

  private int counter(String name) {
    int number = counters.computeIfAbsent(name, _ -> counters.size());
    if (number == total.size()) {
      total.add(totals.getOrDefault(name, 0L));
    }
    return number;
  }

  boolean isEmpty() {
    return wholes.isEmpty();
  }

  /// The GPU whose counters a device consumes; negative = it consumes none.
  int whole(int device) {
    return whole.get(device);
  }

  /// Memory of a device that is a part of its GPU; 0 = it is all of it, or tells no memory.
  long bytes(int device) {
    int of = whole.get(device);
    return of >= 0 && bytes.get(device) < wholeBytes.get(of) ? bytes.get(device) : 0;
  }

  /// Thousandths of its GPU, by memory.
  int millis(int device) {
    return bytes(device) > 0
        ? ClaimedGpus.millis(bytes(device), wholeBytes.get(whole.get(device)))
        : 1000;
  }

  /// What a device consumes while it is allocated.
  List<Need> needs(int device) {
    return needs.get(device);
  }

  /// How many counters there are.
  int counters() {
    return total.size();
  }

  /// What there is of a counter.
  long total(int counter) {
    return total.get(counter);
  }
}
