package dev.berth.engine.model;

/// Where a pod stands in its way from gate to node.
public sealed interface Standing {
  /// No place yet.
  record Waiting() implements Standing {}

  /// A place is kept for it, in memory and, from the patch on, on the pod.
  ///
  /// @param released the gate is lifted, so kube-scheduler may come for it
  record Planned(WrittenPlan plan, boolean released) implements Standing {}

  /// The Binding is written.
  record Bound(Placement placement) implements Standing {}

  /// Bound, and has a deletion timestamp: its room comes free when it is gone.
  record Leaving(Placement placement) implements Standing {}

  /// Succeeded or failed.
  record Over(boolean succeeded) implements Standing {}
}
