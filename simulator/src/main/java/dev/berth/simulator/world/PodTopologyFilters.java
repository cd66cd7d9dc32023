package dev.berth.simulator.world;

import dev.berth.simulator.world.NodeFilters.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// kube-scheduler's filters that look at other pods: topology spread and inter-pod affinity, in its
/// words. Written independently of `engine.placement`, and in the plainest way: counted anew for
/// each question.
final class PodTopologyFilters {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String HOSTILE = "podAntiAffinity";

  private final SortedMap<String, NodeState> nodes;

  /// Pods on nodes that must be apart from others: as long as there is none, nothing is compared.
  private final TreeSet<String> hostile = new TreeSet<>();

  /// @param nodes by name, with the pods that are bound or assumed there
  PodTopologyFilters(SortedMap<String, NodeState> nodes) {
    this.nodes = nodes;
  }

  void came(Map<String, ?> pod) {
    if (!terms(pod, HOSTILE).isEmpty()) {
      hostile.add(ObjectTree.uid(pod));
    }
  }

  void went(String uid) {
    hostile.remove(uid);
  }

  Verdict judge(Map<String, ?> pod, NodeState node) {
    for (var constraint : ObjectTree.maps(pod, "spec", "topologySpreadConstraints")) {
      if (!ObjectTree.text(constraint, "whenUnsatisfiable").equals("ScheduleAnyway")) {
        var verdict = spread(pod, constraint, node);
        if (!verdict.passes()) {
          return verdict;
        }
      }
    }
    if (!isNear(pod, node)) {
      return refused("node(s) didn't match pod affinity rules", false);
    }
    for (var term : terms(pod, HOSTILE)) {
      if (anyPod(pod, term, node)) {
        return refused("node(s) didn't match pod anti-affinity rules", true);
      }
    }
    return !hostile.isEmpty() && isBannedByOthers(pod, node)
        ? refused("node(s) didn't satisfy existing pods anti-affinity rules", true)
        : Verdict.PASS;
  }

  private static Verdict refused(String reason, boolean resolvable) {
    return new Verdict(List.of(reason), resolvable);
  }

  static List<Map<String, Object>> terms(Map<String, ?> pod, String kind) {
    return ObjectTree.maps(pod, "spec", "affinity", kind, REQUIRED);
  }

  private static Map<String, Object> labels(Map<String, ?> object) {
    return ObjectTree.map(object, "metadata", "labels");
  }

  private static String domain(NodeState node, Map<String, ?> term) {
    return ObjectTree.text(labels(node.object()), ObjectTree.text(term, "topologyKey"));
  }

  private static boolean hasDomain(NodeState node, Map<String, ?> term) {
    return ObjectTree.has(labels(node.object()), ObjectTree.text(term, "topologyKey"));
  }

  private static boolean together(NodeState one, NodeState other, Map<String, ?> term) {
    return hasDomain(one, term)
        && hasDomain(other, term)
        && domain(one, term).equals(domain(other, term));
  }

  /// @param owner the pod whose term it is: by default it means pods of its namespace
  private static boolean means(Map<String, ?> owner, Map<String, ?> term, Map<String, ?> other) {
    String namespace = ObjectTree.text(other, "metadata", "namespace");
    List<Object> named = ObjectTree.list(term, "namespaces");
    boolean selects = ObjectTree.has(term, "namespaceSelector");
    boolean in =
        selects && ObjectTree.map(term, "namespaceSelector").isEmpty()
            || named.contains(namespace)
            || named.isEmpty()
                && !selects
                && namespace.equals(ObjectTree.text(owner, "metadata", "namespace"));
    return in && ObjectTree.has(term, "labelSelector") && matches(owner, term, labels(other));
  }

  private static boolean matches(
      Map<String, ?> owner, Map<String, ?> term, Map<String, Object> labels) {
    for (var wanted : ObjectTree.map(term, "labelSelector", "matchLabels").entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (Object key : ObjectTree.list(term, "matchLabelKeys")) {
      var own = labels(owner).get(key);
      if (own != null && !own.equals(labels.get(key))) {
        return false;
      }
    }
    for (Object key : ObjectTree.list(term, "mismatchLabelKeys")) {
      var own = labels(owner).get(key);
      if (own != null && own.equals(labels.get(key))) {
        return false;
      }
    }
    return ObjectTree.maps(term, "labelSelector", "matchExpressions").stream()
        .allMatch(expression -> NodeFilters.holds(expression, labels));
  }

  private boolean anyPod(Map<String, ?> pod, Map<String, ?> term, NodeState node) {
    for (NodeState other : nodes.values()) {
      if (together(node, other, term)
          && other.trees().stream().anyMatch(there -> means(pod, term, there))) {
        return true;
      }
    }
    return false;
  }

  private boolean isBannedByOthers(Map<String, ?> pod, NodeState node) {
    for (NodeState other : nodes.values()) {
      for (var there : other.trees()) {
        for (var term : terms(there, HOSTILE)) {
          if (together(node, other, term) && means(there, term, pod)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /// One pod must be what all terms mean; the first of them may go anywhere that has the labels.
  private boolean isNear(Map<String, ?> pod, NodeState node) {
    var terms = terms(pod, "podAffinity");
    boolean noMatch = true;
    boolean all = true;
    boolean labelled = true;
    for (var term : terms) {
      boolean found = false;
      for (NodeState other : nodes.values()) {
        if (hasDomain(other, term)) {
          for (var there : other.trees()) {
            boolean meant = terms.stream().allMatch(each -> means(pod, each, there));
            noMatch &= !meant;
            found |= meant && together(node, other, term);
          }
        }
      }
      all &= found;
      labelled &= hasDomain(node, term);
    }
    boolean itself = terms.stream().allMatch(term -> means(pod, term, pod));
    return labelled && (all || noMatch && itself);
  }

  private Verdict spread(Map<String, ?> pod, Map<String, ?> constraint, NodeState node) {
    String sorry = "node(s) didn't match pod topology spread constraints";
    if (!hasDomain(node, constraint)) {
      return refused(sorry + " (missing required label)", false);
    }
    var counts = new TreeMap<String, Long>();
    for (NodeState other : nodes.values()) {
      if (other.isKnown() && counts(pod, constraint, other)) {
        long here =
            other.trees().stream()
                .filter(there -> !PodRules.isLeaving(there) && means(pod, constraint, there))
                .count();
        counts.merge(domain(other, constraint), here, Long::sum);
      }
    }
    long least = counts.values().stream().min(Long::compare).orElse(0L);
    if (counts.size() < ObjectTree.number(constraint, 1, "minDomains")) {
      least = 0;
    }
    long self = means(pod, constraint, pod) ? 1 : 0;
    long skew = counts.getOrDefault(domain(node, constraint), 0L) + self - least;
    return skew > ObjectTree.number(constraint, 1, "maxSkew") ? refused(sorry, true) : Verdict.PASS;
  }

  private static boolean counts(Map<String, ?> pod, Map<String, ?> constraint, NodeState node) {
    var keys = new ArrayList<String>();
    for (var each : ObjectTree.maps(pod, "spec", "topologySpreadConstraints")) {
      if (!ObjectTree.text(each, "whenUnsatisfiable").equals("ScheduleAnyway")) {
        keys.add(ObjectTree.text(each, "topologyKey"));
      }
    }
    boolean labelled = keys.stream().allMatch(key -> ObjectTree.has(labels(node.object()), key));
    boolean chosen =
        ObjectTree.text(constraint, "nodeAffinityPolicy").equals("Ignore")
            || NodeFilters.selects(pod, node.object());
    boolean borne =
        !ObjectTree.text(constraint, "nodeTaintsPolicy").equals("Honor")
            || NodeFilters.bearsTaints(pod, node.object());
    return labelled && chosen && borne;
  }
}
