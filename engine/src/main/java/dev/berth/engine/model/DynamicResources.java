package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;

/// What dynamic resource allocation (DRA) has and what is asked of it. Kube-scheduler chooses the
/// devices; here they are counted.
///
/// @param claims by key
/// @param slices by name
/// @param classes by name
public record DynamicResources(
    List<DeviceClaim> claims, List<DeviceSlice> slices, List<DeviceClass> classes) {
  public static final DynamicResources NONE =
      new DynamicResources(
          Collections.emptyList(), Collections.emptyList(), Collections.emptyList());
}
