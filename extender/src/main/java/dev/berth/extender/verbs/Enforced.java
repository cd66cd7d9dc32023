package dev.berth.extender.verbs;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.PodRequest;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a Binding writes so that a share is enforced, by its mode.
///
/// In the mode `nvidia` these are the annotations that NVIDIA's own agent reads. In the modes `mps`
/// and `hami` they are the values of the environment variables that MPS and HAMi-core read; the
/// policy `berth-born` makes the container read them. What is granted is rounded up to MiB, what is
/// a ceiling is rounded down.
final class Enforced {
  private static final String NVIDIA = "nvidia.com/container.";
  private static final String MPS_MEMORY = "berth.dev/mps-pinned-device-mem-limit";
  private static final String MPS_THREADS = "berth.dev/mps-active-thread-percentage";
  private static final String HAMI_MEMORY = "berth.dev/hami-device-memory-limit";
  private static final String HAMI_CORES = "berth.dev/hami-device-sm-limit";

  private Enforced() {}

  /// @param granted of each device, in MiB
  /// @param ceiling of each device, in MiB: what it may burst to
  /// @param percent of the device's cores at the ceiling, 1 at least
  private record Bounds(long granted, long ceiling, int percent) {}

  static SortedMap<String, String> annotations(
      PodRequest request, List<String> devices, long memoryMib) {
    var bounds = bounds(request.devices(), memoryMib);
    var annotations = new TreeMap<String, String>();
    switch (request.isolation()) {
      case NONE -> {}
      case NVIDIA -> {
        String container = NVIDIA + request.deviceContainer();
        annotations.put(container + ".gpu-memory.request", bounds.granted() + "Mi");
        annotations.put(container + ".gpu-memory.limit", bounds.ceiling() + "Mi");
        annotations.put(container + ".gpus.devices", String.join(",", devices));
      }
      case MPS -> {
        annotations.put(MPS_MEMORY, forEach(devices, bounds.ceiling()));
        annotations.put(MPS_THREADS, Integer.toString(bounds.percent()));
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

  /// `0=8192M,1=8192M`: MPS numbers the devices that a container sees.
  private static String forEach(List<String> devices, long mib) {
    var text = new StringBuilder();
    for (int i = 0; i < devices.size(); i++) {
      text.append(i == 0 ? "" : ",").append(i).append('=').append(mib).append('M');
    }
    return text.toString();
  }
}
