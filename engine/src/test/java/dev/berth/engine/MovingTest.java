package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;

import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Reason.TooFewMembers;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Victims that were placed again in the plan for which they leave, as long as they are on their
/// way.
class MovingTest {
  /// One leaves n1, to start again on n2, for a preemptor that comes before it.
  private static Cluster oneMoves() {
    return cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1))
        .moving("moved", "default", "n2", gang(1).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"));
  }

  @Test
  void nothingIsDecidedForThem() {
    oneMoves().plan().andNothingElse();
  }

  @Test
  void laterGroupDoesNotTakeTheirRoom() {
    oneMoves()
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void groupBeforeThemTakesIt() {
    oneMoves()
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .reserves("urgent", "n2")
        .andNothingElse();
  }

  @Test
  void groupThatLosesItsRoomTakesThatOfLaterOnes() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1).label("name", "n2"))
        .node("n3", gpus(1))
        .moving("moved", "default", "n2", gang(1).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"))
        .waiting("urgent", "default", gang(1).priority(60).selects("name", "n2").minutesOld(5))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .reserves("urgent", "n2")
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void lostPodKeepsNoRoom() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1))
        .leaving("lost", "default", gang(1).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .reserves("late", "n2")
        .andNothingElse();
  }

  /// Otherwise a moved pod that comes back would find its queue full.
  @Test
  void theirQueueIsChargedForThem() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(2))
        .queue("a", quota(0).limit(1))
        .queue("b", quota(3))
        .moving("moved", "a", "n2", gang(1).minutesOld(60).on("n1"))
        .promised("claimant", "b", gang(1).minutesOld(90).on("n1"))
        .waiting("late", "a", gang(1).minutesOld(5))
        .plan()
        .waits("late", OverLimit.class)
        .andNothingElse();
  }

  @Test
  void aMemberOfTheirOwnGroupMayHaveTheirRoom() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1))
        .moving("group", "default", 1, "n2", pods(2).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"))
        .plan()
        .reserves("group", "n2")
        .andNothingElse();
  }

  @Test
  void aGangStartsWhenTheLastOfItIsBack() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(3))
        .moving("gang", "default", 1, "n2", gang(3).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .waits("gang", new TooFewMembers("", 2, 3))
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  /// There is none on n2: it was taken since. Victims leave for moved pods that are back, not for
  /// those that are on their way.
  @Test
  void noPodLeavesForThem() {
    cluster()
        .node("n1", gpus(1))
        .node("n2", gpus(1))
        .running("low", "default", gang(1).priority(40).on("n2"))
        .moving("moved", "default", "n2", gang(1).minutesOld(60).on("n1"))
        .promised("claimant", "default", gang(1).minutesOld(90).on("n1"))
        .plan()
        .andNothingElse();
  }

  /// What was planned before is not undone.
  @Test
  void theyAreNotAskedToLeaveAgain() {
    oneMoves()
        .node("n3", gpus(2))
        .running("there", "default", gang(1).minutesOld(60).on("n3"))
        .waiting("wide", "default", gang(1).gpus(2).minutesOld(70))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aPlanTellsWhereItsVictimsArePlacedAgain() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("old", "default", gang(1).minutesOld(90).on("n1"))
        .running("young", "default", gang(1).minutesOld(5).on("n2"))
        .waiting("wide", "default", gang(1).gpus(2))
        .plan()
        .moves("young", "n1", "wide")
        .reserves("wide", List.of("n2"), byTaking(CONSOLIDATE, "young"))
        .andNothingElse();
  }
}
