package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// kube-scheduler's own filters, in its order and its words. Written independently of
/// `engine.placement`, so that a mistake in either shows.
final class InTree {
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

  private InTree() {}

  /// @param reserved what nominated pods of equal or higher priority will need there
  static Verdict judge(Map<String, ?> pod, Demand demand, NodeState node, List<Demand> reserved) {
    if (Tree.isTrue(node.object(), "spec", "unschedulable") && !toleratesUnschedulable(pod)) {
      return Verdict.never("node(s) were unschedulable");
    }
    for (var taint : Tree.maps(node.object(), "spec", "taints")) {
      if (!Tree.text(taint, "effect").equals("PreferNoSchedule") && !tolerates(pod, taint)) {
        return Verdict.never(
            "node(s) had untolerated taint {"
                + Tree.text(taint, "key")
                + ": "
                + Tree.text(taint, "value")
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

  private static Verdict resources(Demand demand, NodeState node, List<Demand> reserved) {
    var reasons = new ArrayList<String>();
    boolean resolvable = true;
    for (var asked : demand.amounts().entrySet()) {
      String resource = asked.getKey();
      long free = node.free(resource);
      for (var other : reserved) {
        free -= other.of(resource);
      }
      if (asked.getValue() > free) {
        reasons.add(resource.equals(Demand.PODS) ? "Too many pods" : "Insufficient " + resource);
        resolvable &= asked.getValue() <= node.capacity(resource);
      }
    }
    return new Verdict(List.copyOf(reasons), resolvable);
  }

  static boolean bearsTaints(Map<String, ?> pod, Map<String, ?> node) {
    boolean cordoned = Tree.isTrue(node, "spec", "unschedulable");
    return (!cordoned || toleratesUnschedulable(pod))
        && Tree.maps(node, "spec", "taints").stream()
            .allMatch(taint ->
                Tree.text(taint, "effect").equals("PreferNoSchedule") || tolerates(pod, taint));
  }

  private static boolean toleratesUnschedulable(Map<String, ?> pod) {
    return tolerates(
        pod, Tree.of("key", "node.kubernetes.io/unschedulable", "effect", "NoSchedule"));
  }

  private static boolean tolerates(Map<String, ?> pod, Map<String, ?> taint) {
    for (var toleration : Tree.maps(pod, "spec", "tolerations")) {
      String effect = Tree.text(toleration, "effect");
      String key = Tree.text(toleration, "key");
      boolean exists = Tree.text(toleration, "operator").equals("Exists");
      if ((effect.isEmpty() || effect.equals(Tree.text(taint, "effect")))
          && (key.isEmpty() ? exists : key.equals(Tree.text(taint, "key")))
          && (exists || Tree.text(toleration, "value").equals(Tree.text(taint, "value")))) {
        return true;
      }
    }
    return false;
  }

  static boolean selects(Map<String, ?> pod, Map<String, ?> node) {
    var labels = Tree.map(node, "metadata", "labels");
    for (var selected : Tree.map(pod, "spec", "nodeSelector").entrySet()) {
      if (!selected.getValue().equals(labels.get(selected.getKey()))) {
        return false;
      }
    }
    String[] path = {
      "spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"
    };
    if (!Tree.has(pod, path)) {
      return true;
    }
    for (var term : Tree.maps(Tree.map(pod, path), "nodeSelectorTerms")) {
      if (matches(term, node, labels)) {
        return true;
      }
    }
    return false;
  }

  static boolean matches(Map<String, ?> term, Map<String, ?> node) {
    return matches(term, node, Tree.map(node, "metadata", "labels"));
  }

  private static boolean matches(
      Map<String, ?> term, Map<String, ?> node, Map<String, Object> labels) {
    var expressions = Tree.maps(term, "matchExpressions");
    var fields = Tree.maps(term, "matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return false;
    }
    return expressions.stream().allMatch(expression -> holds(expression, labels))
        && fields.stream()
            .allMatch(field -> holds(field, Tree.of("metadata.name", Tree.name(node))));
  }

  static boolean holds(Map<String, ?> expression, Map<String, ?> labels) {
    String key = Tree.text(expression, "key");
    boolean has = Tree.has(labels, key);
    String value = Tree.text(labels, key);
    List<Object> values = Tree.list(expression, "values");
    return switch (Tree.text(expression, "operator")) {
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
