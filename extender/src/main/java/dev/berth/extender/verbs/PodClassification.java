package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;

/// What a pod is to the extender.
sealed interface PodClassification {
  /// A place is kept for it.
  record Planned(WrittenPlan plan) implements PodClassification {}

  /// It has its node.
  record Bound(NodeName node) implements PodClassification {}

  /// It has succeeded or failed.
  record Over() implements PodClassification {}

  /// The planner decides, not the verb: it has been behind Berth's gate, or belongs to a gang.
  record Queued() implements PodClassification {}

  /// It came without a gate and belongs to no group: placed here and now.
  record Ungated(Pod pod) implements PodClassification {}

  /// It is that of another scheduler for which Berth answers ([ServedSchedulers]).
  record Foreign(Pod pod) implements PodClassification {}

  /// It is a scheduler's for which Berth does not answer.
  record Unserved(String sentence) implements PodClassification {}

  default VerbOutcome outcome() {
    return switch (this) {
      case Planned _ -> VerbOutcome.PLANNED;
      case Bound _ -> VerbOutcome.BOUND;
      case Over _ -> VerbOutcome.OVER;
      case Queued _ -> VerbOutcome.QUEUED;
      case Ungated _ -> VerbOutcome.ALONE;
      case Foreign _ -> VerbOutcome.FOREIGN;
      case Unserved _ -> VerbOutcome.NOT_OURS;
    };
  }
}
