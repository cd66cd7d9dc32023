package dev.berth.engine.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a selector says of a device, as far as it is plain: its driver and attributes that must be
/// equal. What else a selector says is kube-scheduler's to judge.
///
/// @param driver empty = any
/// @param attributes by `domain/name`, as text
public record DeviceMatch(String driver, SortedMap<String, String> attributes) {
  public DeviceMatch {
    attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
  }

  public boolean accepts(DeviceSlice slice, DeviceSlice.Device device) {
    if (!driver.isEmpty() && !driver.equals(slice.driver())) {
      return false;
    }
    for (var wanted : attributes.entrySet()) {
      if (!wanted.getValue().equals(device.attributes().get(wanted.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
