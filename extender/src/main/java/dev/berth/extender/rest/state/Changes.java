package dev.berth.extender.rest.state;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import java.util.List;

/// What differs between a revision and the one before.
///
/// @param nodes changed or new
/// @param workloads changed or new, even only the reason why they wait
/// @param queues whether any queue, or how one stands, is another
public record Changes(
    List<NodeEntry> nodes,
    List<NodeName> nodesGone,
    List<WorkloadEntry> workloads,
    List<GroupKey> workloadsGone,
    boolean queues) {
  public Changes {
    nodes = List.copyOf(nodes);
    nodesGone = List.copyOf(nodesGone);
    workloads = List.copyOf(workloads);
    workloadsGone = List.copyOf(workloadsGone);
  }

  public boolean areNone() {
    return size() == 0 && !queues;
  }

  /// How many objects changed.
  public int size() {
    return nodes.size() + nodesGone.size() + workloads.size() + workloadsGone.size();
  }
}
