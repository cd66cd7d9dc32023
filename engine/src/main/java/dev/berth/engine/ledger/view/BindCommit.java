package dev.berth.engine.ledger.view;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;

/// What the ledger says when kube-scheduler wants to bind a pod to a node.
public sealed interface BindCommit {
  /// Write the Binding: the plan is held until [Ledger#confirm] or [Ledger#release].
  ///
  /// @param devices UUIDs of the plan's slots, in their order; empty without a share
  record Ready(WrittenPlan plan, List<String> devices) implements BindCommit {
    public Ready {
      devices = List.copyOf(devices);
    }
  }

  /// The plan stands, but holders of these slots have not reported their device yet.
  record AwaitsHolders(WrittenPlan plan, List<Integer> slots) implements BindCommit {
    public AwaitsHolders {
      slots = List.copyOf(slots);
    }
  }

  /// The plan stands, but a victim of it, or one below the same limit, is still to be evicted.
  record AwaitsVictims(WrittenPlan plan) implements BindCommit {}

  /// The plan stands, but the minimum of its group is to start first.
  record AwaitsBlock(WrittenPlan plan) implements BindCommit {}

  /// The plan stands, but what kube-scheduler allocated to its claims of devices is not known yet,
  /// or its queues have not been asked for that.
  record AwaitsClaims(WrittenPlan plan) implements BindCommit {}

  /// It is bound there already: success.
  record AlreadyBound() implements BindCommit {}

  /// Not this pod, not this node, or not any more.
  record Refused(Why why, NodeName planned) implements BindCommit {}

  enum Why {
    UNKNOWN_POD,
    NO_PLAN,
    OTHER_NODE,
    BOUND_ELSEWHERE,
    OVER,
    /// The room is not there any more: the plan no longer fits its node.
    NO_ROOM
  }
}
