package dev.berth.engine.ledger.view;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.List;

/// A planned pod that waits for others to leave.
///
/// @param group that it belongs to
/// @param node where its place is
/// @param leaving victims that are terminating, or must be evicted before a limit admits it; empty
///   = pods leave its node by themselves
/// @param gone victims that have left already
public record PendingEvictions(
    GroupKey group, PodUid pod, NodeName node, List<Pod> leaving, List<PodUid> gone) {
  public PendingEvictions {
    leaving = List.copyOf(leaving);
    gone = List.copyOf(gone);
  }
}
