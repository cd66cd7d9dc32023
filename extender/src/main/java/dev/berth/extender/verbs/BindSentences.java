package dev.berth.extender.verbs;

import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.placement.NodeRules;
import dev.berth.extender.barrier.BarrierResult;

/// Why a pod is not bound, in words that stay the same: they end up in an event of the pod.
final class BindSentences {
  private BindSentences() {}

  /// What of the node itself forbids the pod.
  static String of(NodeRules.Objection objection) {
    return switch (objection.obstacle()) {
      case UNSCHEDULABLE ->
          "the node is cordoned (spec.unschedulable), and the pod does not tolerate that";
      case TAINT -> "the pod does not tolerate the taint " + objection.detail() + " of the node";
      case NODE_SELECTOR ->
          "the node does not have the label "
              + objection.detail()
              + " as spec.nodeSelector of the pod says";
      default -> "the node does not meet the required node affinity of the pod";
    };
  }

  static String of(BindCommit.Why why) {
    return switch (why) {
      case UNKNOWN_POD -> "the pod is not known";
      case NO_PLAN -> "the pod has no plan";
      case OTHER_NODE -> "planned on another node";
      case BOUND_ELSEWHERE -> "bound to another node";
      case OVER -> "has finished";
      case NO_ROOM -> "the room is not there any more";
    };
  }

  static String of(BarrierResult.Why why) {
    return switch (why) {
      case TIMED_OUT -> "the rest of its gang did not come in time";
      case CANCELLED -> "the plan of its gang was given up";
      case LEFT -> "replaced by a later bind of the same pod";
    };
  }
}
