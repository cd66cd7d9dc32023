package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// kube-scheduler's own filters, in its order and its words. Written independently of
/// `engine.placement`, so that a mistake in either shows.
final class NodeFilters {
  /// @param reasons as the pod's condition will count them; empty = the node passes
  /// @param resolvable whether it might pass after pods have left
  record Verdict(List<String> reasons, boolean resolvable) {
    static final Verdict PASS = new Verdict(List.of(), true);

    boolean passes() {
      return reasons.isEmpty();
    }

    private static Verdict never(String reason) {
      return new Verdict(List.of(reason), false);
    }
  }

  private NodeFilters() {}

  /// @param reserved what nominated pods of equal or higher priority will need there
  static Verdict judge(
      Map<String, ?> pod,
      RequestedAmounts demand,
      NodeState node,
      List<RequestedAmounts> reserved) {
    if (ObjectTree.isTrue(node.object(), "spec", "unschedulable") && !toleratesUnschedulable(pod)) {
      return Verdict.never("node(s) were unschedulable");
    }
    for (var taint : ObjectTree.maps(node.object(), "spec", "taints")) {
      if (!ObjectTree.text(taint, "effect").equals("PreferNoSchedule") && !tolerates(pod, taint)) {
        return Verdict.never(
            "node(s) had untolerated taint {"
                + ObjectTree.text(taint, "key")
                + ": "
                + ObjectTree.text(taint, "value")
                + "}");
      }
    }
    if (!selects(pod, node.object())) {
      return Verdict.never("node(s) didn't match Pod's node affinity/selector");
    }
    if (!Collections.disjoint(demand.hostPorts(), node.hostPorts())) {
      return new Verdict(
          List.of("node(s) didn't have free ports for the requested pod ports"), true);
    }
    return resources(demand, node, reserved);
  }

  private static Verdict resources(
      RequestedAmounts demand, NodeState node, List<RequestedAmounts> reserved) {
    var reasons = new ArrayList<String>();
    boolean resolvable = true;
    for (var asked : demand.amounts().entrySet()) {
      String resource = asked.getKey();
      long free = node.free(resource);
      for (var other : reserved) {
        free -= other.of(resource);
      }
      if (asked.getValue() > free) {
        reasons.add(
            resource.equals(RequestedAmounts.PODS) ? "Too many pods" : "Insufficient " + resource);
        resolvable &= asked.getValue() <= node.capacity(resource);
      }
    }
    return new Verdict(List.copyOf(reasons), resolvable);
  }

  static boolean bearsTaints(Map<String, ?> pod, Map<String, ?> node) {
    boolean cordoned = ObjectTree.isTrue(node, "spec", "unschedulable");
    return (!cordoned || toleratesUnschedulable(pod))
        && ObjectTree.maps(node, "spec", "taints").stream()
            .allMatch(taint ->
                ObjectTree.text(taint, "effect").equals("PreferNoSchedule")
                    || tolerates(pod, taint));
  }

  private static boolean toleratesUnschedulable(Map<String, ?> pod) {
    return tolerates(
        pod, ObjectTree.of("key", "node.kubernetes.io/unschedulable", "effect", "NoSchedule"));
  }

  private static boolean tolerates(Map<String, ?> pod, Map<String, ?> taint) {
    for (var toleration : ObjectTree.maps(pod, "spec", "tolerations")) {
      String effect = ObjectTree.text(toleration, "effect");
      String key = ObjectTree.text(toleration, "key");
      boolean exists = ObjectTree.text(toleration, "operator").equals("Exists");
      if ((effect.isEmpty() || effect.equals(ObjectTree.text(taint, "effect")))
          && (key.isEmpty() ? exists : key.equals(ObjectTree.text(taint, "key")))
          && (exists
              || ObjectTree.text(toleration, "value").equals(ObjectTree.text(taint, "value")))) {
        return true;
      }
    }
    return false;
  }

  static boolean selects(Map<String, ?> pod, Map<String, ?> node) {
    var labels = ObjectTree.map(node, "metadata", "labels");
    for (var selected : ObjectTree.map(pod, "spec", "nodeSelector").entrySet()) {
      if (!selected.getValue().equals(labels.get(selected.getKey()))) {
        return false;
      }
    }
    String[] path = {
      "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"
    };
    if (!ObjectTree.has(pod, path)) {
      return true;
    }
    for (var term : ObjectTree.maps(ObjectTree.map(pod, path), "nodeSelectorTerms")) {
      if (matches(term, node, labels)) {
        return true;
      }
    }
    return false;
  }

  static boolean matches(Map<String, ?> term, Map<String, ?> node) {
    return matches(term, node, ObjectTree.map(node, "metadata", "labels"));
  }

  private static boolean matches(
      Map<String, ?> term, Map<String, ?> node, Map<String, Object> labels) {
    var expressions = ObjectTree.maps(term, "matchExpressions");
    var fields = ObjectTree.maps(term, "matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return false;
    }
    return expressions.stream().allMatch(expression -> holds(expression, labels))
        && fields.stream()
            .allMatch(field -> holds(field, ObjectTree.of("metadata.name", ObjectTree.name(node))));
  }

  static boolean holds(Map<String, ?> expression, Map<String, ?> labels) {
    String key = ObjectTree.text(expression, "key");
    boolean has = ObjectTree.has(labels, key);
    String value = ObjectTree.text(labels, key);
    List<Object> values = ObjectTree.list(expression, "values");
    return switch (ObjectTree.text(expression, "operator")) {
      case "In" -> has && values.contains(value);
      case "NotIn" -> !has || !values.contains(value);
      case "Exists" -> has;
      case "DoesNotExist" -> !has;
      case "Gt" -> has && Long.parseLong(value) > Long.parseLong((String) values.getFirst());
      case "Lt" -> has && Long.parseLong(value) < Long.parseLong((String) values.getFirst());
      case String other -> throw new IllegalArgumentException("node selector operator " + other);
    };
  }
}
