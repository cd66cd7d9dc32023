package dev.berth.engine.model;

/// Where a pod stands in its way from gate to node.
public sealed interface Standing {
  /// Whether it succeeded.
  default boolean endedWell() {
    return this instanceof Over(var succeeded) && succeeded;
  }

  /// Where it takes room; [Placement#NONE] = nowhere.
  default Placement placement() {
    return Placement.NONE;
  }

  /// No place yet.
  record Waiting() implements Standing {}

  /// A place is kept for it, in memory and, from the patch on, on the pod.
  ///
  /// @param released the gate is lifted, so kube-scheduler may come for it
  record Planned(WrittenPlan plan, boolean released) implements Standing {
    @Override
    public Placement placement() {
      return plan.placement();
    }
  }

  /// The Binding is written.
  record Bound(Placement placement) implements Standing {}

  /// Bound, and has a deletion timestamp or was asked to leave: its room comes free when it is
  /// gone.
  ///
  /// @param again where it was placed again by the plan for which it leaves, until its successor is
  ///   there; none = it is lost
  /// @param comesBack whether it leaves for another plan, and its successor, with the same request,
  ///   has not been seen yet
  record Leaving(Placement placement, Placement again, boolean comesBack) implements Standing {
    /// It leaves by itself, and for good.
    public Leaving(Placement placement) {
      this(placement, Placement.NONE, false);
    }
  }

  /// Left to start again elsewhere and runs no more, or is gone; its successor has not been seen
  /// yet.
  record Awaited(Placement again) implements Standing {}

  /// Succeeded or failed.
  record Over(boolean succeeded) implements Standing {}
}
