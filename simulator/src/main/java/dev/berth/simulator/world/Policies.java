package dev.berth.simulator.world;

import dev.berth.engine.request.WellKnownNames;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// What the admission policies of `manifests/policies` deny to all but Berth, as far as it touches
/// planning: `berth-stays` for changes of a pod, `berth-requests` for new ones.
final class Policies {
  private static final List<String> MADE_BY_BERTH =
      List.of(WellKnownNames.HOLDER, "berth.dev/probe", WellKnownNames.PLACEHOLDER);

  private static final List<String> ASKED =
      List.of(
          WellKnownNames.GPU_FRACTION,
          WellKnownNames.GPU_MEMORY,
          WellKnownNames.GPU_COUNT,
          WellKnownNames.GPU_CONTAINER,
          WellKnownNames.GPU_FRACTION_LIMIT,
          WellKnownNames.GPU_MEMORY_LIMIT,
          WellKnownNames.GPU_ISOLATION,
          WellKnownNames.MPS,
          WellKnownNames.GPU_MODEL);

  private static final List<String> WRITTEN =
      List.of(
          WellKnownNames.PLAN,
          WellKnownNames.PREEMPTOR,
          WellKnownNames.WAITING,
          WellKnownNames.GPU_DEVICES,
          "berth.dev/gpu-inject",
          WellKnownNames.GPU_SHARE,
          "berth.dev/hami-device-memory-limit",
          "berth.dev/hami-device-sm-limit");

  /// Labels by which queue, group, priority and preemptibility are found.
  private static final List<String> CHARGED =
      List.of(
          WellKnownNames.QUEUE,
          WellKnownNames.QUEUE_ALIAS,
          WellKnownNames.PREEMPTIBILITY,
          WellKnownNames.PREEMPTIBILITY_ALIAS,
          WellKnownNames.PRIORITY_CLASS,
          WellKnownNames.POD_GROUP,
          WellKnownNames.POD_GROUP_LABEL,
          WellKnownNames.SUBGROUP,
          WellKnownNames.SUBGROUP_ALIAS,
          WellKnownNames.TASK_PRIORITY,
          WellKnownNames.TASK_PRIORITY_ALIAS);

  private static final List<String> CHARGED_BY_NOTES =
      List.of(
          WellKnownNames.POD_GROUP,
          WellKnownNames.POD_GROUP_ALIAS,
          WellKnownNames.MIN_MEMBER,
          WellKnownNames.MIN_MEMBER_ALIAS);

  private Policies() {}

  /// A pod that is not created by Berth or its kubelet.
  static void checkNew(Map<String, ?> pod) {
    for (String label : MADE_BY_BERTH) {
      refuseIf(ObjectTree.has(pod, "metadata", "labels", label), "Berth alone sets label " + label);
    }
    if (isOurs(pod)) {
      for (String label : ObjectTree.map(pod, "metadata", "labels").keySet()) {
        refuseIf(isOfKai(label), label + " is for pods that KAI gave a share");
      }
      for (String note : ObjectTree.map(pod, "metadata", "annotations").keySet()) {
        refuseIf(isWritten(note, pod), "Berth alone writes " + note);
      }
      refuseIf(!PodRules.node(pod).isEmpty(), "Berth alone gives its pods a place");
    }
  }

  /// A change of a pod by another client than Berth.
  static void checkChange(Map<String, ?> before, Map<String, ?> after) {
    for (String label : MADE_BY_BERTH) {
      refuseIf(changes("labels", label, before, after), "Berth alone changes label " + label);
    }
    if (!isOurs(before)) {
      return;
    }
    refuseIf(hasOurGate(before) && !hasOurGate(after), "the gate is lifted by Berth alone");
    for (String note : ASKED) {
      refuseIf(changes("annotations", note, before, after), note + " stays as it was created");
    }
    var notes = new TreeSet<>(ObjectTree.map(before, "metadata", "annotations").keySet());
    notes.addAll(ObjectTree.map(after, "metadata", "annotations").keySet());
    for (String note : notes) {
      refuseIf(
          isWritten(note, before) && changes("annotations", note, before, after),
          "Berth alone writes " + note);
    }
    for (String label : ObjectTree.map(after, "metadata", "labels").keySet()) {
      refuseIf(
          isOfKai(label) && changes("labels", label, before, after),
          label + " is for pods that KAI gave a share");
    }
    if (isPlaced(before)) {
      for (String label : CHARGED) {
        refuseIf(changes("labels", label, before, after), label + " stays: the pod has its place");
      }
      for (String note : CHARGED_BY_NOTES) {
        refuseIf(
            changes("annotations", note, before, after), note + " stays: the pod has its place");
      }
    }
  }

  private static boolean isOfKai(String label) {
    return label.startsWith(WellKnownNames.KAI_GPU_GROUP);
  }

  private static boolean isOurs(Map<String, ?> pod) {
    return ObjectTree.text(pod, "spec", "schedulerName").equals(WellKnownNames.SCHEDULER);
  }

  private static boolean isWritten(String note, Map<String, ?> pod) {
    boolean ofShare =
        note.startsWith("nvidia.com/container.")
            && ObjectTree.has(pod, "metadata", "annotations")
            && (ObjectTree.has(pod, "metadata", "annotations", WellKnownNames.GPU_FRACTION)
                || ObjectTree.has(pod, "metadata", "annotations", WellKnownNames.GPU_MEMORY));
    return WRITTEN.contains(note)
        || ofShare
        || note.startsWith("berth.dev/probe-")
        || note.startsWith("nvidia.cdi.k8s.io/");
  }

  /// It has a plan and no gate, or a node.
  private static boolean isPlaced(Map<String, ?> pod) {
    return !PodRules.node(pod).isEmpty()
        || ObjectTree.has(pod, "metadata", "annotations", WellKnownNames.PLAN) && !hasOurGate(pod);
  }

  private static boolean hasOurGate(Map<String, ?> pod) {
    return ObjectTree.maps(pod, "spec", "schedulingGates").stream()
        .anyMatch(gate -> ObjectTree.text(gate, "name").equals(Admission.GATE));
  }

  private static boolean changes(
      String field, String key, Map<String, ?> before, Map<String, ?> after) {
    return ObjectTree.has(before, "metadata", field, key)
            != ObjectTree.has(after, "metadata", field, key)
        || !ObjectTree.text(before, "metadata", field, key)
            .equals(ObjectTree.text(after, "metadata", field, key));
  }

  private static void refuseIf(boolean refused, String why) {
    if (refused) {
      throw ApiRefusal.forbidden(why);
    }
  }
}
