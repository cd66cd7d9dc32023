package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ResourceSlice: devices of one driver, most often those of one node.
///
/// @param version resourceVersion of the object; later is larger
/// @param generation of its pool: of several the largest counts
/// @param node none = devices that are not of one node; kube-scheduler knows who reaches them
public record DeviceSlice(
    String name,
    long version,
    String driver,
    String pool,
    long generation,
    NodeName node,
    List<Device> devices) {
  public DeviceSlice {
    devices = List.copyOf(devices);
  }

  public DeviceSlice in(long other) {
    return new DeviceSlice(name, other, driver, pool, generation, node, devices);
  }

  /// @param attributes strings, numbers and booleans by `domain/name`, as text
  /// @param shared several claims may be allocated it at once, as far as its capacity goes
  /// @param capacity by the name that the driver gives it
  public record Device(
      String name,
      SortedMap<String, String> attributes,
      boolean shared,
      SortedMap<String, DeviceCapacity> capacity) {
    public Device {
      attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
      capacity = Collections.unmodifiableSortedMap(new TreeMap<>(capacity));
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
