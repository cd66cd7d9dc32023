package dev.berth.simulator.world;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// A node in kube-scheduler's cache: its object, and the pods bound or assumed there.
final class NodeState {
  private final TreeMap<String, RequestedAmounts> pods = new TreeMap<>();
  private final TreeMap<String, Map<String, ?>> trees = new TreeMap<>();
  private final TreeMap<String, Long> used = new TreeMap<>();
  private Map<String, ?> object = Map.of();
  private SortedMap<String, Long> allocatable = new TreeMap<>();

  /// A node that is known only by pods that are bound to it takes no pod.
  boolean isKnown() {
    return !object.isEmpty();
  }

  Map<String, ?> object() {
    return object;
  }

  /// Whether another version of the node is the same for all filters and scores.
  boolean isSameForScheduling(Map<String, ?> node) {
    for (var path :
        List.of(
            new String[] {"status", "allocatable"},
            new String[] {"metadata", "labels"},
            new String[] {"metadata", "annotations"},
            new String[] {"spec"})) {
      if (!ObjectTree.map(object, path).equals(ObjectTree.map(node, path))) {
        return false;
      }
    }
    return true;
  }

  void update(Map<String, ?> node) {
    object = node;
    allocatable = RequestedAmounts.amounts(ObjectTree.map(node, "status", "allocatable"));
  }

  void forgetObject() {
    object = Map.of();
  }

  void put(Map<String, ?> pod, RequestedAmounts demand) {
    remove(ObjectTree.uid(pod));
    pods.put(ObjectTree.uid(pod), demand);
    trees.put(ObjectTree.uid(pod), pod);
    RequestedAmounts.add(used, demand.amounts());
  }

  boolean remove(String uid) {
    var was = pods.remove(uid);
    trees.remove(uid);
    if (was != null) {
      was.amounts().forEach((name, amount) -> used.merge(name, -amount, Long::sum));
    }
    return was != null;
  }

  /// The pods bound or assumed here.
  Collection<Map<String, ?>> trees() {
    return Collections.unmodifiableCollection(trees.values());
  }

  long free(String resource) {
    return allocatable.getOrDefault(resource, 0L) - used.getOrDefault(resource, 0L);
  }

  long capacity(String resource) {
    return allocatable.getOrDefault(resource, 0L);
  }

  TreeSet<String> hostPorts() {
    var ports = new TreeSet<String>();
    pods.values().forEach(demand -> ports.addAll(demand.hostPorts()));
    return ports;
  }
}
