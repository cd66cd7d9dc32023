package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// kube-scheduler's memory of nodes, and of the pods that are bound or assumed there.
final class SchedulerCache {
  private final TreeMap<String, NodeState> nodes = new TreeMap<>();
  private final PodTopologyFilters peers = new PodTopologyFilters(nodes);
  private final TreeMap<String, String> nodeOfPod = new TreeMap<>();

  PodTopologyFilters peers() {
    return peers;
  }

  NodeState node(String name) {
    return nodes.computeIfAbsent(name, _ -> new NodeState());
  }

  /// The names of the nodes whose object is known.
  List<String> known() {
    var known = new ArrayList<String>();
    nodes.forEach((name, node) -> {
      if (node.isKnown()) {
        known.add(name);
      }
    });
    return known;
  }

  /// A pod is on a node from now on.
  void place(Map<String, ?> pod, String node, RequestedAmounts demand) {
    node(node).put(pod, demand);
    peers.came(pod);
    nodeOfPod.put(ObjectTree.uid(pod), node);
  }

  /// @return whether the pod was on a node
  boolean forget(String uid) {
    String node = nodeOfPod.remove(uid);
    peers.went(uid);
    return node != null && node(node).remove(uid);
  }

  boolean isPlaced(String uid) {
    return nodeOfPod.containsKey(uid);
  }

  void clear() {
    nodes.clear();
    nodeOfPod.clear();
  }
}
