package dev.berth.extender.verbs;

import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a Binding writes on its pod.
final class DeviceAnnotations {
  static final String GPU_DEVICES = "berth.dev/gpu-devices";

  /// Annotation of a pod that Berth writes: what the container of the share reads as
  /// `NVIDIA_VISIBLE_DEVICES`.
  static final String GPU_INJECT = "berth.dev/gpu-inject";

  static final String GPU_SHARE = "berth.dev/gpu-share";

  private DeviceAnnotations() {}

  /// Devices and share where it has slots, what its container reads to get them, what enforces the
  /// share where that was asked for, and the plan where the pod does not bear it yet.
  ///
  /// @param memoryMib memory of one device of the node; 0 = not told
  /// @param injection how containers of the node get their devices
  static SortedMap<String, String> annotations(
      Pod pod, WrittenPlan plan, List<String> devices, long memoryMib, InjectionMode injection) {
    var annotations = new TreeMap<String, String>();
    if (!plan.placement().slots().isEmpty()) {
      annotations.put(GPU_DEVICES, String.join(",", devices));
      annotations.put(GPU_INJECT, injection.variable(devices));
      String nri = injection.annotation(devices);
      if (!nri.isEmpty()) {
        annotations.put(InjectionMode.annotationName(pod.asks().request().deviceContainer()), nri);
      }
      annotations.put(GPU_SHARE, share(plan.placement().millis()));
      annotations.putAll(
          IsolationAnnotations.annotations(pod.asks().request(), devices, memoryMib));
    }
    if (!pod.written().plan().equals(plan)) {
      annotations.put(WellKnownNames.PLAN, plan.text());
    }
    return annotations;
  }

  /// 500 → `0.5`, 1000 → `1`.
  private static String share(int millis) {
    String digits = Integer.toString(1000 + millis % 1000).substring(1);
    int end = digits.length();
    while (end > 0 && digits.charAt(end - 1) == '0') {
      end--;
    }
    return millis / 1000 + (end == 0 ? "" : "." + digits.substring(0, end));
  }
}
