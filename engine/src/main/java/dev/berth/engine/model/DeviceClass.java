package dev.berth.engine.model;

import java.util.List;
import java.util.Locale;

/// A DeviceClass: which devices a claim means by a name.
///
/// @param version resourceVersion of the object; later is larger
/// @param matches all of them must accept a device
public record DeviceClass(String name, long version, List<DeviceMatch> matches) {
  public DeviceClass {
    matches = List.copyOf(matches);
  }

  public DeviceClass in(long other) {
    return new DeviceClass(name, other, matches);
  }

  /// Whether devices of a class count as `gpu` in queues: those whose class says so by its name,
  /// like `gpu.nvidia.com`, `nvidia.com/gpu` and `gpu.intel.com`.
  public static boolean isGpu(String name) {
    return name.toLowerCase(Locale.ROOT).contains("gpu");
  }
}
