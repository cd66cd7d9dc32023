package dev.berth.simulator.world;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Why no node passed a scheduling cycle, counted by message.
final class Diagnosis {
  private final SortedMap<String, Integer> nodesByReason = new TreeMap<>();

  /// Of the extender, empty = none.
  String error = "";

  void refused(List<String> reasons) {
    reasons.forEach(reason -> nodesByReason.merge(reason, 1, Integer::sum));
  }

  /// `0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods. preemption: …`
  String sentence(int nodes) {
    var counted = new TreeSet<String>();
    nodesByReason.forEach((reason, count) -> counted.add(count + " " + reason));
    String start = "0/" + nodes + " nodes are available";
    return nodes == 0
        ? "no nodes available to schedule pods"
        : start
            + ": "
            + String.join(", ", counted)
            + ". preemption: "
            + start
            + ": "
            + nodes
            + " Preemption is not helpful for scheduling.";
  }
}
