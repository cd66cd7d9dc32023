package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static dev.berth.engine.model.VolumeLack.MISSING;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a queue takes back, and what it leaves.
class ReclaimTest {
  /// Its grace is made shorter.
  @Test
  void deletedPodThatRunsOnGivesBackWhatItOwes() {
    cluster()
        .node("n1", gpus(2))
        .queue("vision", quota(2))
        .queue("speech", quota(0))
        .running("ends", "speech", gang(2).runsOn())
        .waiting("train", "vision", gang(2))
        .plan()
        .reserves("train", 2, byTaking(RECLAIM, "ends", "ends"))
        .andNothingElse();
  }

  /// Two of its pods would find room elsewhere and the third where it is, but they would not be
  /// created again: one of a gang of three would be left.
  @Test
  void aGangOfPodsWithoutOwnersLeavesAsAWhole() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .queue("vision", quota(3))
        .queue("speech", quota(0))
        .running("ring", "speech", gang(3).bare().on("n1"))
        .waiting("wide", "vision", gang(1).gpus(3))
        .plan()
        .reserves("wide", 1, byTaking(RECLAIM, "ring", "ring", "ring"))
        .andNothingElse();
  }

  /// No pod leaves a node from which the preemptor's volume cannot be reached, nor for a preemptor
  /// that cannot start at all.
  @Test
  void victimMakesRoomWhereTheVolumeIsReached() {
    var twoZones =
        cluster()
            .node("n1", gpus(2).label("zone", "a"))
            .node("n2", gpus(2).label("zone", "b"))
            .queue("vision", quota(4))
            .queue("speech", quota(0))
            .running("there", "speech", gang(1).gpus(2).minutesOld(1).on("n1"))
            .running("here", "speech", gang(1).gpus(2).minutesOld(9).on("n2"));
    twoZones
        .waiting("far", "vision", gang(1).gpus(2).volumeIn("zone", "c").minutesOld(9))
        .waiting("none", "vision", gang(1).gpus(2).volumeLacks("data", MISSING).minutesOld(8))
        .waiting("train", "vision", gang(1).gpus(2).volumeIn("zone", "b").minutesOld(7))
        .plan()
        .reserves("train", List.of("n2"), byTaking(RECLAIM, "here"))
        .waitsFor("far", Obstacle.VOLUME)
        .waits("none", Reason.VolumeNotReady.class)
        .andNothingElse();
  }

  private static Cluster eight() {
    return cluster().node("n1", gpus(8));
  }

  @Test
  void takesBackOnlyWhatWasBorrowed() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("owned", "speech", gang(4).minutesOld(90))
        .running("borrowed", "speech", gang(4).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .andNothingElse();
  }

  /// A Job of several waves: completed pods are no part of its minimum, so five of six are its
  /// core.
  @Test
  void membersThatCompletedMakeNoSurplusOfACore() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyOver("waves", "speech", 6, true, gang(12).atLeast(5).completing(20, 0).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, names("waves", 6)))
        .andNothingElse();
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyOver("counts", "speech", 6, true, gang(12).atLeast(5).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "counts", "counts"))
        .andNothingElse();
  }

  /// Else one member that is never bound would keep all that its group borrowed.
  @Test
  void membersOnTheirWaySpareThemselvesAlone() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyPlanned("borrowed", "speech", 6, gang(8).atLeast(1).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .andNothingElse();
  }

  /// No surplus member runs on without its core, and none that never runs keeps one.
  @Test
  void aCoreTakesWithItTheLeavingPodBesideIt() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyPlanned("borrowed", "speech", 7, gang(8).atLeast(7).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .withdraws("borrowed", 1)
        .reserves("train", 4, byTaking(RECLAIM, names("borrowed", 7)))
        .waitsForRoom("borrowed")
        .andNothingElse();
  }

  @Test
  void aCoreIsNotSparedForAMemberOfItThatIsOnItsWay() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyPlanned("borrowed", "speech", 7, gang(8).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .withdraws("borrowed", 1)
        .reserves("train", 4, byTaking(RECLAIM, names("borrowed", 7)))
        .waitsForRoom("borrowed")
        .andNothingElse();
  }

  /// Its plans give the room that is needed, so no running pod leaves.
  @Test
  void plansBesideACoreAreEnough() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyPlanned("borrowed", "speech", 4, gang(8).atLeast(4).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .withdraws("borrowed", 4)
        .reserves("train", 4, byTaking(RECLAIM))
        .waitsForRoom("borrowed")
        .andNothingElse();
  }

  /// They have passed the barrier with the bound members, so they are bound soon, too.
  @Test
  void aBlockThatIsBeingBoundStays() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .partlyPlanned("borrowed", "speech", 7, gang(8).inBlock("b").minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  private static String[] names(String group, int pods) {
    return Collections.nCopies(pods, group).toArray(String[]::new);
  }

  @Test
  void whatIsWithinItsShareStays() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("mine", "vision", gang(4))
        .running("owned", "speech", gang(4))
        .waiting("train", "vision", gang(1))
        .plan()
        .waits("train", Reason.FairShareReached.class)
        .andNothingElse();
  }

  @Test
  void theLastPieceMayBeLargerThanWhatWasBorrowed() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("wide", "speech", gang(1).gpus(8))
        .waiting("train", "vision", gang(1).gpus(2))
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "wide"))
        .andNothingElse();
  }

  /// Queue "low" is asked first, and would keep nothing of the two that it is owed.
  private static Cluster wideAndNarrow() {
    return cluster()
        .node("n1", gpus(6))
        .queue("vision", quota(2).weight(0))
        .queue("low", quota(2).weight(0))
        .queue("high", quota(2).weight(0).priority(200))
        .running("wide", "low", gang(1).gpus(3));
  }

  @Test
  void podThatKeepsItsShareLeavesBeforeOneThatDoesNot() {
    wideAndNarrow()
        .running("narrow", "high", pods(3).atLeast(1))
        .waiting("train", "vision", gang(1))
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "narrow"))
        .andNothingElse();
  }

  @Test
  void whereNoPodKeepsItsShareTheFirstInOrderLeaves() {
    wideAndNarrow()
        .running("as-wide", "high", gang(1).gpus(3))
        .waiting("train", "vision", gang(1))
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "wide"))
        .andNothingElse();
  }

  /// "wide" alone would make room for all of them, but is not asked first.
  @Test
  void victimOfTheFirstMembersLeavesForTheOthersToo() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .queue("vision", quota(4))
        .queue("speech", quota(2))
        .running("wide", "speech", gang(1).gpus(4).minutesOld(90))
        .running("young", "speech", gang(1).gpus(2).minutesOld(10))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "wide", "young"))
        .andNothingElse();
  }

  /// The first victim on each node is enough for one member.
  @Test
  void eachMemberFindsItsRoomOnANodeOfItsOwn() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .queue("vision", quota(2))
        .queue("speech", quota(2))
        .running("a", "speech", gang(1).minutesOld(90).on("n1"))
        .running("b", "speech", gang(1).minutesOld(80).on("n2"))
        .running("c", "speech", gang(1).minutesOld(10).on("n1"))
        .running("d", "speech", gang(1).minutesOld(20).on("n2"))
        .waiting("train", "vision", gang(2))
        .plan()
        .reserves("train", 2, byTaking(RECLAIM, "c", "d"))
        .andNothingElse();
  }

  @Test
  void theLastPieceCountsWholeThoughLessWasBorrowed() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("wide", "speech", gang(1).gpus(4).minutesOld(90))
        .running("young", "speech", gang(1).gpus(2).minutesOld(10))
        .waiting("train", "vision", gang(1).gpus(4))
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "wide"))
        .andNothingElse();
  }

  @Test
  void queueThatWouldPassItsFairShareTakesNothing() {
    eight()
        .queue("vision", quota(2).weight(0))
        .queue("speech", quota(2))
        .running("borrowed", "speech", gang(1).gpus(8))
        .waiting("train", "vision", gang(3))
        .plan()
        .waits("train", Reason.FairShareReached.class)
        .andNothingElse();
  }

  @Test
  void beyondQuotaASideGetsItsPartOfWhatIsLeft() {
    eight()
        .queue("vision", quota(0))
        .queue("speech", quota(0))
        .running("s1", "speech", gang(2).minutesOld(91))
        .running("s2", "speech", gang(2).minutesOld(92))
        .running("s3", "speech", gang(2).minutesOld(93))
        .running("s4", "speech", gang(2).minutesOld(94))
        .waiting("train", "vision", gang(4))
        .waiting("more", "vision", gang(1).minutesOld(5))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "s1", "s1", "s2", "s2"))
        .waits("more", Reason.FairShareReached.class)
        .andNothingElse();
  }

  @Test
  void ownWorkIsNotReclaimed() {
    eight()
        .queue("vision", quota(8))
        .queue("speech", quota(8))
        .running("mine", "vision", gang(8).priority(10))
        .waiting("train", "vision", gang(4).priority(10).minutesOld(90))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void workThatIsNotPreemptibleStays() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("fixed", "speech", gang(8).nonPreemptible())
        .waiting("train", "vision", gang(4))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aPreemptorThatIsNotPreemptibleStaysWithinQuotaOnEveryLevel() {
    eight()
        .queue("ml", quota(2))
        .queue("vision", quota(4).below("ml"))
        .queue("speech", quota(0))
        .running("borrowed", "speech", gang(6))
        .running("more", "speech", gang(2).minutesOld(5))
        .waiting("too-much", "vision", gang(3).nonPreemptible())
        .waiting("fixed", "vision", gang(2).minutesOld(5).nonPreemptible())
        .plan()
        .waits(
            "too-much",
            new NonPreemptibleOverQuota(new QueueName("ml"), Resource.GPU, 0, 3000, 2000))
        .reserves("fixed", 2, byTaking(RECLAIM, "more", "more"))
        .andNothingElse();
  }

  @Test
  void sidesAreTheChildrenOfTheLowestCommonAncestor() {
    eight()
        .queue("ml", quota(4))
        .queue("ops", quota(4))
        .queue("vision", quota(2).below("ml"))
        .queue("speech", quota(2).below("ml"))
        .running("sister", "speech", gang(2).minutesOld(90))
        .running("young-sister", "speech", gang(2).minutesOld(80))
        .running("cousin", "ops", gang(4).minutesOld(1))
        .waiting("train", "vision", gang(2))
        .plan()
        .reserves("train", 2, byTaking(RECLAIM, "young-sister", "young-sister"))
        .andNothingElse();
  }

  @Test
  void surplusLeavesFirstAlsoOfOlderGroups() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("elastic", "speech", pods(6).atLeast(2).minutesOld(90))
        .running("young", "speech", gang(2).minutesOld(5))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "elastic", "elastic", "elastic", "elastic"))
        .andNothingElse();
  }

  @Test
  void theCoreOfASemiPreemptibleGroupStays() {
    eight()
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("semi", "speech", pods(8).atLeast(6).semiPreemptible())
        .waiting("too-much", "vision", gang(3).minutesOld(90))
        .waiting("train", "vision", gang(2))
        .plan()
        .waits("too-much", NoRoom.class)
        .reserves("train", 2, byTaking(RECLAIM, "semi", "semi"))
        .andNothingElse();
  }

  /// Each loses where more would remain: five and three come down to two and two.
  @Test
  void theMostSaturatedQueueLosesFirst() {
    var world = eight().queue("vision", quota(4)).queue("b", quota(0)).queue("c", quota(0));
    for (int i = 0; i < 5; i++) {
      world.running("b" + i, "b", gang(1).minutesOld(90));
    }
    for (int i = 0; i < 3; i++) {
      world.running("c" + i, "c", gang(1).minutesOld(5));
    }
    world
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "b4", "b3", "b2", "c2"))
        .andNothingElse();
  }

  /// Neither of the two keeps a share, so any of their pods may leave.
  @Test
  void eachVictimIsChosenAsIfThoseBeforeItHadLeft() {
    var world = eight().queue("vision", quota(8)).queue("b", quota(0)).queue("c", quota(0));
    for (int i = 0; i < 5; i++) {
      world.running("b" + i, "b", gang(1).minutesOld(90));
    }
    for (int i = 0; i < 3; i++) {
      world.running("c" + i, "c", gang(1).minutesOld(5));
    }
    world
        .waiting("train", "vision", gang(4).minutesOld(9))
        .waiting("other", "vision", gang(4).vetoed("n1", "no"))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "b4", "b3", "b2", "c2"))
        .waitsForRoom("other")
        .andNothingElse();
  }

  /// Both leave their node, one finds the other node: only the second is lost, and it was borrowed.
  @Test
  void victimThatFindsAnotherPlaceIsMovedAndNotLost() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(1))
        .queue("vision", quota(2))
        .queue("speech", quota(1))
        .running("old", "speech", gang(1).minutesOld(90).on("n1"))
        .running("young", "speech", gang(1).minutesOld(5).on("n1"))
        .waiting("train", "vision", gang(1).gpus(2))
        .plan()
        .reserves("train", List.of("n1"), byTaking(RECLAIM, "old", "young"))
        .andNothingElse();
  }

  /// "large" comes first when all of them are placed again, and would start where they were to.
  @Test
  void groupThatGotRoomInThisRoundStartsBeforeOneThatTakesItFromOthers() {
    cluster()
        .node("n1", gpus(4))
        .queue("x", quota(1))
        .queue("y", quota(3))
        .queue("ya", quota(2).below("y"))
        .queue("yb", quota(0).below("y"))
        .running("borrowed", "yb", gang(2))
        .waiting("small-1", "x", gang(1).minutesOld(90))
        .waiting("small-2", "x", gang(1).minutesOld(80))
        .waiting("large", "ya", gang(1).gpus(2))
        .plan()
        .inOrder("small-1", "small-2", "large")
        .reserves("small-1", 1)
        .reserves("small-2", 1)
        .reserves("large", 1, byTaking(RECLAIM, "borrowed", "borrowed"))
        .andNothingElse();
  }

  // ---- saturation

  /// Both departments are owed 6 of 12; `x` has 4 of them, `y` has 8.
  private static Cluster departments() {
    return cluster()
        .node("n1", gpus(12))
        .queue("x", quota(4))
        .queue("y", quota(4))
        .queue("xa", quota(4).below("x"))
        .queue("xb", quota(4).below("x"))
        .queue("ya", quota(4).below("y"))
        .running("sister", "xb", gang(4))
        .running("old", "ya", gang(5).minutesOld(90))
        .running("young", "ya", gang(3).minutesOld(5));
  }

  @Test
  void aDepartmentWithinItsShareIsNotStopped() {
    departments()
        .waiting("train", "xa", gang(2))
        .plan()
        .reserves("train", 2, byTaking(RECLAIM, "young", "young", "young"))
        .andNothingElse();
  }

  /// The team would be within its share, its department would not, and `y` would have less.
  @Test
  void noLevelBecomesMoreSaturatedThanTheLosingQueue() {
    departments()
        .waiting("train", "xa", gang(3))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }
}
