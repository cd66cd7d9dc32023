package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Plans onto room that is still being left.
class PromisedTest {
  @Test
  void laterGroupDoesNotTakeTheRoom() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .promised("heir", "default", gang(2).minutesOld(90))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void groupBeforeTakesItAndThePlanIsWithdrawn() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .promised("heir", "default", gang(2).minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .inOrder("heir", "heir", "urgent")
        .withdraws("heir", 2, "urgent")
        .reserves("urgent", 1)
        .waits("heir", NoRoom.class)
        .andNothingElse();
  }

  /// Its minimum has its room already; only what comes on top of that waits for room.
  @Test
  void groupThatWaitsForItsSurplusKeepsWhatItHas() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(1))
        .promised("heir", "default", pods(2).minutesOld(90))
        .waiting("urgent", "default", gang(1).gpus(2).priority(60).minutesOld(5))
        .plan()
        .waits("urgent", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void groupThatLosesTheRoomOfItsSurplusKeepsItsMinimum() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(1))
        .promised("heir", "default", pods(2).minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .withdraws("heir", 1)
        .reserves("urgent", 1)
        .waits("heir", NoRoom.class)
        .andNothingElse();
  }

  /// Whose Bindings wait for each other are given back together.
  @Test
  void aBlockThatIsLargerThanItsMinimumIsPlannedAnewAsAWhole() {
    cluster()
        .node("n1", gpus(3))
        .leaving("gone", "default", pods(1))
        .promised("heir", "default", gang(3).atLeast(2).inBlock("b").minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .withdraws("heir", 3)
        .reserves("urgent", "n1")
        .reserves("heir", 2)
        .andNothingElse();
  }

  @Test
  void groupThatLosesItsRoomIsPlannedAnewInTheSameRound() {
    cluster()
        .node("n1", gpus(1))
        .leaving("gone", "default", pods(1))
        .promised("heir", "default", gang(1).minutesOld(90))
        .node("n3", gpus(1))
        .running("low", "default", pods(1).priority(40).on("n3"))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .withdraws("heir", 1)
        .reserves("urgent", "n1")
        .reserves("heir", List.of("n3"), byTaking(PREEMPT, "low"))
        .andNothingElse();
  }

  /// The group before it has room beside it, and a later one takes its room.
  @Test
  void groupThatCannotHaveItsRoomAnyMoreLosesItToNoOther() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .promised("heir", "default", gang(1).selects("zone", "nowhere").minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .withdraws("heir", 1, "")
        .reserves("urgent", "n1")
        .reserves("late", "n1")
        .waits("heir", NoRoom.class)
        .andNothingElse();
  }

  /// It cannot be planned at all.
  @Test
  void groupWithTooFewMembersLosesItsRoomToNoOther() {
    cluster()
        .node("n1", gpus(1))
        .leaving("gone", "default", pods(1))
        .promised("heir", "default", gang(1).atLeast(2).minutesOld(90))
        .waiting("late", "default", gang(1).minutesOld(5))
        .plan()
        .withdraws("heir", 1, "")
        .reserves("late", "n1")
        .waits("heir", Reason.TooFewMembers.class)
        .andNothingElse();
  }

  @Test
  void groupThatGetsTheSameRoomByAVictimIsPlannedAnew() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(1))
        .running("low", "default", pods(1).priority(40))
        .promised("heir", "default", gang(1).minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .inOrder("heir", "heir", "urgent")
        .withdraws("heir", 1, "urgent")
        .reserves("urgent", "n1")
        .reserves("heir", List.of("n1"), byTaking(PREEMPT, "low"))
        .andNothingElse();
  }

  @Test
  void firmPlanKeepsItsRoomWhileVictimsStillLeave() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .promised("heir", "default", gang(2).minutesOld(90).standsFast())
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .waits("urgent", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aPlanWhoseGatesAreOpenIsNotMadeAgain() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .planned("heir", "default", gang(2).minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .waits("urgent", NoRoom.class)
        .andNothingElse();
  }

  /// Its own device needs a holder; another one has room for it, and has one.
  @Test
  void podWithoutPlaceForItsHolderIsPlannedAnew() {
    cluster()
        .node("n1", gpus(4).with(Resource.PODS, 4))
        .running("there", "default", pods(1).share(500))
        .leaving("gone", "default", pods(1).share(500))
        .promised("heir", "default", gang(1).share(500).minutesOld(90))
        .waiting("urgent", "default", gang(1).noGpu().priority(60).minutesOld(5))
        .plan()
        .withdraws("heir", 1)
        .reserves("urgent", "n1")
        .reserves("heir", "n1:0")
        .andNothingElse();
  }
}
