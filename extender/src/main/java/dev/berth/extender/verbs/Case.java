package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;

/// What a pod is to the extender.
sealed interface Case {
  /// A place is kept for it.
  record Planned(WrittenPlan plan) implements Case {}

  /// It has its node.
  record Bound(NodeName node) implements Case {}

  /// It has succeeded or failed.
  record Over() implements Case {}

  /// The planner decides, not we: it has been behind our gate, or belongs to a gang.
  record Queued() implements Case {}

  /// It came without a gate and belongs to nobody: placed here and now.
  record Alone(Pod pod) implements Case {}

  /// It is that of another scheduler for which we answer ([Answered]).
  record Foreign(Pod pod) implements Case {}

  /// It is a scheduler's for which we do not answer.
  record NotOurs(String sentence) implements Case {}

  default Outcome outcome() {
    return switch (this) {
      case Planned _ -> Outcome.PLANNED;
      case Bound _ -> Outcome.BOUND;
      case Over _ -> Outcome.OVER;
      case Queued _ -> Outcome.QUEUED;
      case Alone _ -> Outcome.ALONE;
      case Foreign _ -> Outcome.FOREIGN;
      case NotOurs _ -> Outcome.NOT_OURS;
    };
  }
}
