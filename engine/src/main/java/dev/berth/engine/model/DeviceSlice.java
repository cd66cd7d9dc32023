package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ResourceSlice: devices of one driver, most often those of one node.
///
/// @param version resourceVersion of the object; later is larger
/// @param generation of its pool: of several the largest counts
/// @param node none = devices that are not of one node; kube-scheduler knows which nodes reach them
/// @param counters what devices of the pool consume together, such as the slices of a GPU that can
///   be partitioned: amounts by counter, by counter set
public record DeviceSlice(
    String name,
    long version,
    String driver,
    String pool,
    long generation,
    NodeName node,
    List<Device> devices,
    SortedMap<String, SortedMap<String, Long>> counters) {
  public DeviceSlice {
    devices = List.copyOf(devices);
    counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
  }

  /// Without shared counters.
  public DeviceSlice(
      String name,
      long version,
      String driver,
      String pool,
      long generation,
      NodeName node,
      List<Device> devices) {
    this(name, version, driver, pool, generation, node, devices, new TreeMap<>());
  }

  public DeviceSlice in(long other) {
    return new DeviceSlice(name, other, driver, pool, generation, node, devices, counters);
  }

  /// @param attributes strings, numbers and booleans by `domain/name`, as text
  /// @param shared several claims may be allocated it at once, as far as its capacity goes
  /// @param capacity by the name that the driver gives it
  /// @param consumes of the pool's counters, while it is allocated: amounts by counter, by counter
  ///   set
  public record Device(
      String name,
      SortedMap<String, String> attributes,
      boolean shared,
      SortedMap<String, DeviceCapacity> capacity,
      SortedMap<String, SortedMap<String, Long>> consumes) {
    public Device {
      attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
      capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
      consumes = Collections.unmodifiableSortedMap(new TreeMap<>(consumes));
    }

    /// Consumes no counters.
    public Device(
        String name,
        SortedMap<String, String> attributes,
        boolean shared,
        SortedMap<String, DeviceCapacity> capacity) {
      this(name, attributes, shared, capacity, new TreeMap<>());
    }

    /// Of one claim at a time, without capacity.
    public Device(String name, SortedMap<String, String> attributes) {
      this(name, attributes, false, new TreeMap<>());
    }

    /// Bytes of its memory; 0 = it tells none.
    public long memoryBytes() {
      for (var each : capacity.entrySet()) {
        if (DeviceCapacity.isMemory(each.getKey())) {
          return each.getValue().value();
        }
      }
      return 0;
    }
  }
}
