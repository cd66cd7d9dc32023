package dev.berth.simulator.world;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the API server lets happen to a pod.
final class PodRules {
  static final String FINALIZER = "sim.berth.dev/stays";

  private PodRules() {}

  static boolean isOver(Map<String, ?> pod) {
    String phase = ObjectTree.text(pod, "status", "phase");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  static boolean isLeaving(Map<String, ?> pod) {
    return ObjectTree.has(pod, "metadata", "deletionTimestamp");
  }

  static String node(Map<String, ?> pod) {
    return ObjectTree.text(pod, "spec", "nodeName");
  }

  /// Bound and not over: its kubelet has a word in its end.
  static boolean isActiveOnNode(Map<String, ?> pod) {
    return !node(pod).isEmpty() && !isOver(pod);
  }

  /// Whether a finalizer keeps its object once it is deleted.
  static boolean isFinal(Map<String, ?> object) {
    return ObjectTree.list(object, "metadata", "finalizers").contains(FINALIZER);
  }

  static boolean isGated(Map<String, ?> pod) {
    return !ObjectTree.list(pod, "spec", "schedulingGates").isEmpty();
  }

  static void checkUpdate(Map<String, ?> before, Map<String, ?> after) {
    List<Object> gates = ObjectTree.list(before, "spec", "schedulingGates");
    for (Object gate : ObjectTree.list(after, "spec", "schedulingGates")) {
      if (!gates.contains(gate)) {
        throw ApiRefusal.invalid(
            "spec.schedulingGates: only deletion is allowed, but found " + gate);
      }
    }
    boolean wasGated = isGated(before);
    if (!fixedPart(before, wasGated).equals(fixedPart(after, wasGated))) {
      throw ApiRefusal.invalid("spec: pod updates may not change these fields");
    }
  }

  private static Map<String, Object> fixedPart(Map<String, ?> pod, boolean wasGated) {
    var fixed = new TreeMap<>(ObjectTree.map(pod, "spec"));
    fixed.remove("schedulingGates");
    fixed.remove("tolerations");
    if (wasGated) {
      fixed.remove("nodeSelector"); // may be tightened while gated
    }
    return fixed;
  }

  static void checkBinding(Map<String, ?> pod, String node) {
    String name = ObjectTree.name(pod);
    if (isLeaving(pod)) {
      throw ApiRefusal.conflict("pod " + name + " is being deleted, cannot be assigned to a host");
    }
    if (!node(pod).isEmpty()) {
      throw ApiRefusal.conflict(
          "pod " + name + " is already assigned to node \"" + node(pod) + "\", not " + node);
    }
    if (isGated(pod)) {
      throw ApiRefusal.conflict("pod " + name + " has non-empty .spec.schedulingGates");
    }
  }
}
