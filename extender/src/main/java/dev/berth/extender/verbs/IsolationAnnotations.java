package dev.berth.extender.verbs;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.PodRequest;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a Binding writes so that a share is enforced, by its mode.
///
/// In the mode `nvidia` these are the annotations that NVIDIA's own agent reads. In the mode `hami`
/// they are the values of the environment variables that HAMi-core reads; the policy `berth-born`
/// makes the container read them. Nothing is written for the mode `mps`, which no node serves. What
/// is granted is rounded up to MiB, what is a ceiling is rounded down.
final class IsolationAnnotations {
  private static final String NVIDIA = "nvidia.com/container.";

  /// Annotation of a pod that Berth writes: of a share in the mode `hami`, its memory limit, like
  /// `8192m`.
  private static final String HAMI_MEMORY = "berth.dev/hami-device-memory-limit";

  /// Annotation of a pod that Berth writes: of a share in the mode `hami`, its limit of cores, in
  /// percent.
  private static final String HAMI_CORES = "berth.dev/hami-device-sm-limit";

  private IsolationAnnotations() {}

  /// @param granted of each device, in MiB
  /// @param ceiling of each device, in MiB: what it may burst to
  /// @param percent of the device's cores at the ceiling, 1 at least
  private record Bounds(long granted, long ceiling, int percent) {}

  static SortedMap<String, String> annotations(
      PodRequest request, List<String> devices, long memoryMib) {
    var bounds = bounds(request.devices(), memoryMib);
    var annotations = new TreeMap<String, String>();
    switch (request.isolation()) {
      case NONE, MPS -> {}
      case NVIDIA -> {
        String container = NVIDIA + request.deviceContainer();
        annotations.put(container + ".gpu-memory.request", bounds.granted() + "Mi");
        annotations.put(container + ".gpu-memory.limit", bounds.ceiling() + "Mi");
        annotations.put(container + ".gpus.devices", String.join(",", devices));
      }
      case HAMI -> {
        annotations.put(HAMI_MEMORY, bounds.ceiling() + "m");
        annotations.put(HAMI_CORES, Integer.toString(bounds.percent()));
      }
    }
    return annotations;
  }

  private static Bounds bounds(DeviceRequest request, long memoryMib) {
    return switch (request) {
      case DeviceRequest.Fraction(int millis, int limit, _) ->
          new Bounds(
              (memoryMib * millis + 999) / 1000,
              Math.max(1, memoryMib * limit / 1000),
              Math.max(1, limit / 10));
      case DeviceRequest.Memory(long mib, long limit, _) ->
          new Bounds(
              mib,
              memoryMib > 0 ? Math.min(limit, memoryMib) : limit,
              memoryMib > 0 ? Math.clamp(limit * 100 / memoryMib, 1, 100) : 100);
      case DeviceRequest.None _, DeviceRequest.Whole _ -> new Bounds(0, 0, 100);
    };
  }
}
