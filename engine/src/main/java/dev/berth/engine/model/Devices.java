package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;

/// What dynamic resource allocation (DRA) has and what is asked of it. Kube-scheduler chooses the
/// devices; here they are counted.
///
/// @param claims by key
/// @param slices by name
/// @param classes by name
public record Devices(
    List<DeviceClaim> claims, List<DeviceSlice> slices, List<DeviceClass> classes) {
  public static final Devices NONE =
      new Devices(Collections.emptyList(), Collections.emptyList(), Collections.emptyList());
}
