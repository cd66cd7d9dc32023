package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// A node in kube-scheduler's cache: its object, and the pods bound or assumed there.
final class NodeState {
  /// @param pod the object as last seen, or as it was when it was assumed
  record Placed(Map<String, ?> pod, Demand demand) {
    long priority() {
      return Tree.number(pod, 0, "spec", "priority");
    }

    String uid() {
      return Tree.uid(pod);
    }
  }

  private final TreeMap<String, Placed> pods = new TreeMap<>();
  private final TreeMap<String, Long> used = new TreeMap<>();
  private Map<String, ?> object = Map.of();
  private SortedMap<String, Long> allocatable = new TreeMap<>();

  /// A node that is known only by pods that are bound to it takes nobody.
  boolean isKnown() {
    return !object.isEmpty();
  }

  Map<String, ?> object() {
    return object;
  }

  void update(Map<String, ?> node) {
    object = node;
    allocatable = Demand.amounts(Tree.map(node, "status", "allocatable"));
  }

  void forgetObject() {
    object = Map.of();
  }

  void put(Map<String, ?> pod, Demand demand) {
    remove(Tree.uid(pod));
    pods.put(Tree.uid(pod), new Placed(pod, demand));
    Demand.add(used, demand.amounts());
  }

  boolean remove(String uid) {
    var was = pods.remove(uid);
    if (was != null) {
      was.demand().amounts().forEach((name, amount) -> used.merge(name, -amount, Long::sum));
    }
    return was != null;
  }

  List<Placed> pods() {
    return new ArrayList<>(pods.values());
  }

  long free(String resource) {
    return allocatable.getOrDefault(resource, 0L) - used.getOrDefault(resource, 0L);
  }

  long capacity(String resource) {
    return allocatable.getOrDefault(resource, 0L);
  }

  TreeSet<String> hostPorts() {
    var ports = new TreeSet<String>();
    pods.values().forEach(pod -> ports.addAll(pod.demand().hostPorts()));
    return ports;
  }
}
