package dev.berth.engine.victims;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Searching;
import org.junit.jupiter.api.Test;

/// What searches of many candidates give back, and which pods they move.
class WideSearchTest {
  private static final PlannerSettings WIDE =
      PlannerSettings.DEFAULT.with(
          ActionSettings.DEFAULT.with(new Searching(1_000_000, Long.MAX_VALUE / 1024, 0)));

  @Test
  void victimOfTheFirstMemberStaysWhereTheSecondVictimLeavesRoomForBoth() {
    cluster()
        .settings(WIDE)
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("higher", "default", gang(1).priority(80).on("n1"))
        .running("young", "default", gang(1).priority(40).on("n1").minutesOld(1))
        .running("old", "default", gang(1).gpus(2).priority(40).on("n2").minutesOld(9))
        .waiting("high", "default", gang(2).priority(60))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "old"))
        .andNothingElse();
  }

  @Test
  void oneThatMovesMayLeaveRoomForAllMembers() {
    cluster()
        .settings(WIDE)
        .node("n1", gpus(2).model("H100"))
        .node("n2", gpus(2).model("H100"))
        .node("n3", gpus(2).model("A100"))
        .running("fixed", "default", gang(1).nonPreemptible().on("n1"))
        .running("small", "default", gang(1).on("n1"))
        .running("large", "default", gang(1).gpus(2).priority(40).on("n2"))
        .waiting("w", "default", gang(2).model("H100").priority(60))
        .plan()
        .moves("large", "n3", "w")
        .reserves("w", 2, byTaking(CONSOLIDATE, "large"))
        .andNothingElse();
  }

  /// "low" is asked first, and would keep nothing of the two that it is owed.
  @Test
  void podThatKeepsItsShareLeavesBeforeOneThatDoesNot() {
    cluster()
        .settings(WIDE)
        .node("n1", gpus(6))
        .queue("vision", quota(2).weight(0))
        .queue("low", quota(2).weight(0))
        .queue("high", quota(2).weight(0).priority(200))
        .running("wide", "low", gang(1).gpus(3))
        .running("narrow", "high", pods(3).atLeast(1))
        .waiting("train", "vision", gang(1))
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "narrow"))
        .andNothingElse();
  }
}
