package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;

import dev.berth.engine.PodSketch;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The more important work of a queue before its less important work.
class PreemptTest {
  @Test
  void lessImportantWorkOfTheSameQueueLeaves() {
    cluster()
        .node("n1", gpus(2))
        .running("low", "default", gang(2).priority(40))
        .waiting("high", "default", gang(2).priority(60))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "low", "low"))
        .andNothingElse();
  }

  /// Another eviction changes nothing: a preemptor would wait for it for ever.
  @Test
  void deletedPodThatRunsOnIsNotAskedAgain() {
    cluster()
        .node("n1", gpus(2))
        .running("ends", "default", pods(1).priority(40).minutesOld(1).runsOn())
        .running("low", "default", pods(1).priority(40).minutesOld(9))
        .waiting("high", "default", gang(1).priority(60))
        .plan()
        .reserves("high", 1, byTaking(PREEMPT, "low"))
        .andNothingElse();
  }

  @Test
  void theCoreOfAGangOfWhichOneRunsOnIsNotAsked() {
    cluster()
        .node("n1", gpus(2))
        .running("low", "default", gang(2).priority(40).runsOn())
        .waiting("high", "default", gang(2).priority(60))
        .plan()
        .waits("high", NoRoom.class)
        .andNothingElse();
  }

  /// The last member is too small; of the others the largest is enough, and its minimum is left.
  @Test
  void ofAnElasticGangOfUnlikeMembersThoseStayForWhichThereIsRoom() {
    cluster()
        .node("n1", gpus(8))
        .queue("q", quota(5).limit(5))
        .running("low", "q", gangOf(2, 1, 1, 1).atLeast(3).priority(40))
        .waiting("high", "q", gang(1).gpus(2).priority(60))
        .plan()
        .reserves("high", 1, PREEMPT, "low-100000")
        .andNothingElse();
  }

  /// There is room for all of it on the node, but its queue has none: no pod stays above a limit.
  @Test
  void ofUnlikeMembersNoneStaysWhereTheirQueueHasNoRoom() {
    cluster()
        .node("n1", gpus(8))
        .queue("q", quota(5).limit(5))
        .running("low", "q", gangOf(2, 1, 1).atLeast(3).priority(40))
        .waiting("high", "q", gang(1).gpus(2).priority(60))
        .plan()
        .reserves("high", 1, PREEMPT, "low-100000", "low-100001", "low-100002")
        .andNothingElse();
  }

  @Test
  void equallyImportantWorkStays() {
    cluster()
        .node("n1", gpus(2))
        .running("there", "default", gang(2).priority(60))
        .waiting("late", "default", gang(2).priority(60).minutesOld(90))
        .plan()
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void workOfOtherQueuesStays() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(0))
        .queue("b", quota(2))
        .running("low", "b", gang(2).priority(40))
        .waiting("high", "a", gang(2).priority(60))
        .plan()
        .waitsForRoom("high")
        .andNothingElse();
  }

  /// "small" reclaims its GPU first: with "large" beside "low" the queue would pass its fair share.
  @Test
  void victimsOfAGroupThatLosesItsNewPlaceLeaveForTheGroupThatTakesIt() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(2))
        .queue("b", quota(0))
        .running("borrowed", "b", gang(1))
        .running("low", "a", gang(1).priority(20))
        .waiting("large", "a", gang(1).gpus(2).priority(80))
        .waiting("small", "a", gang(1).priority(40))
        .plan()
        .reservesByTaking("large", "low", "borrowed")
        .waitsForRoom("small")
        .andNothingElse();
  }

  @Test
  void workThatIsNotPreemptibleStays() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(2))
        .running("fixed", "a", gang(2).priority(40).nonPreemptible())
        .waiting("high", "a", gang(2).priority(60))
        .plan()
        .waits("high", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aPreemptorThatIsNotPreemptibleStaysWithinQuota() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(1))
        .running("one", "a", gang(1).priority(40))
        .running("two", "a", gang(1).priority(40).minutesOld(5))
        .waiting("too-much", "a", gang(2).priority(70).nonPreemptible())
        .waiting("fixed", "a", gang(1).priority(60).nonPreemptible())
        .plan()
        .waits(
            "too-much",
            new NonPreemptibleOverQuota(new QueueName("a"), Resource.GPU, 0, 2000, 1000))
        .reserves("fixed", 1, byTaking(PREEMPT, "two"))
        .andNothingElse();
  }

  @Test
  void theLeastImportantThenTheYoungestLeaveFirst() {
    cluster()
        .node("n1", gpus(4))
        .running("least", "default", gang(1).priority(30).minutesOld(90))
        .running("young", "default", gang(1).priority(40).minutesOld(5))
        .running("old", "default", gang(1).priority(40).minutesOld(80))
        .running("more", "default", gang(1).priority(50).minutesOld(1))
        .waiting("high", "default", gang(2).priority(60))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "least", "young"))
        .andNothingElse();
  }

  @Test
  void surplusLeavesBeforeAnyCoreOfTheSamePriority() {
    cluster()
        .node("n1", gpus(6))
        .running("elastic", "default", pods(4).atLeast(2).priority(40).minutesOld(90))
        .running("young", "default", gang(2).priority(40).minutesOld(5))
        .waiting("high", "default", gang(2).priority(60))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "elastic", "elastic"))
        .andNothingElse();
  }

  @Test
  void aSemiPreemptibleGroupGivesItsSurplusAlone() {
    cluster()
        .node("n1", gpus(4))
        .running("semi", "default", pods(4).atLeast(3).priority(40).semiPreemptible())
        .waiting("too-much", "default", gang(2).priority(70))
        .waiting("high", "default", gang(1).priority(60))
        .plan()
        .waits("too-much", NoRoom.class)
        .reserves("high", 1, byTaking(PREEMPT, "semi"))
        .andNothingElse();
  }

  @Test
  void podThatReturnsToItsPlaceNeverLeft() {
    cluster()
        .node("n1", gpus(4))
        .running("small", "default", gang(1).priority(40).minutesOld(5))
        .running("big", "default", gang(1).gpus(3).priority(40).minutesOld(90))
        .waiting("high", "default", gang(1).gpus(3).priority(60))
        .plan()
        .reserves("high", 1, byTaking(PREEMPT, "big"))
        .andNothingElse();
  }

  /// `c` is asked first, and would be placed anew on the fuller node, but its room is not needed.
  @Test
  void victimThatIsNotNeededIsGivenBack() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .node("n3", gpus(2))
        .node("n4", gpus(2))
        .running("a", "default", gang(1).gpus(2).priority(40).minutesOld(90).on("n1"))
        .running("b", "default", gang(1).gpus(2).priority(40).minutesOld(80).on("n2"))
        .running("fixed", "default", gang(1).nonPreemptible().on("n3"))
        .running("c", "default", gang(1).priority(40).minutesOld(5).on("n4"))
        .waiting(
            "high", "default", gang(2).gpus(2).priority(60).vetoed("n3", "no").vetoed("n4", "no"))
        .plan()
        .reserves("high", List.of("n1", "n2"), byTaking(PREEMPT, "a", "b"))
        .andNothingElse();
  }

  // ---- trees, step by step

  private static PodSketch twoOfThreeReplicas() {
    return gang(7)
        .atLeastSubGroups(2)
        .role("r0", "", 2, 2)
        .role("r1", "", 3, 2)
        .role("r2", "", 2, 2)
        .priority(40);
  }

  @Test
  void firstASurplusMemberOfAnyChild() {
    cluster()
        .node("n1", gpus(7))
        .running("replicas", "default", twoOfThreeReplicas())
        .waiting("high", "default", gang(1).priority(60))
        .plan()
        .reserves("high", 1, byTaking(PREEMPT, "replicas"))
        .andNothingElse();
  }

  @Test
  void thenAWholeChildThatIsMoreThanEnough() {
    cluster()
        .node("n1", gpus(7))
        .running("replicas", "default", twoOfThreeReplicas())
        .waiting("high", "default", gang(3).priority(60))
        .plan()
        .reserves("high", 3, byTaking(PREEMPT, "replicas", "replicas", "replicas"))
        .andNothingElse();
  }

  @Test
  void thenAllTheRest() {
    cluster()
        .node("n1", gpus(7))
        .running("replicas", "default", twoOfThreeReplicas())
        .waiting("high", "default", gang(4).priority(60))
        .plan()
        .reserves(
            "high",
            4,
            byTaking(
                PREEMPT,
                "replicas",
                "replicas",
                "replicas",
                "replicas",
                "replicas",
                "replicas",
                "replicas"))
        .andNothingElse();
  }

  // ---- patience

  @Test
  void aPreemptorYoungerThanItsDelayTakesNoVictims() {
    cluster()
        .node("n1", gpus(2))
        .running("low", "default", gang(1).priority(40).minutesOld(90))
        .running("lower", "default", gang(1).priority(30).minutesOld(90))
        .waiting(
            "hasty",
            "default",
            gang(1).priority(70).minutesOld(5).takesVictimsAfter(Duration.ofMinutes(6)))
        .waiting(
            "patient",
            "default",
            gang(1).priority(60).minutesOld(6).takesVictimsAfter(Duration.ofMinutes(6)))
        .plan()
        .waits("hasty", Reason.PreemptionDelayed.class)
        .reserves("patient", 1, byTaking(PREEMPT, "lower"))
        .andNothingElse();
  }

  // ---- the plan as a whole

  @Test
  void eachPreemptorHasItsOwnVictimsAndDecisionsComeInTheirOrder() {
    cluster()
        .node("n1", gpus(2))
        .running("young", "default", gang(1).priority(40).minutesOld(5))
        .running("old", "default", gang(1).priority(40).minutesOld(90))
        .waiting("b-first", "default", gang(1).priority(60).minutesOld(80))
        .waiting("a-second", "default", gang(1).priority(60).minutesOld(70))
        .waiting("c-waits", "default", gang(1).priority(30))
        .waiting("z-now", "default", gang(1).priority(10).noGpu())
        .plan()
        .inOrder("z-now", "b-first", "a-second", "c-waits")
        .reserves("z-now", 1)
        .reserves("b-first", 1, byTaking(PREEMPT, "young"))
        .reserves("a-second", 1, byTaking(PREEMPT, "old"))
        .waits("c-waits", NoRoom.class)
        .andNothingElse();
  }

  /// One gang leaves; the second preemptor is placed on what the first one does not need.
  @Test
  void whatAPlanLeavesServesTheNextOneWithoutVictims() {
    cluster()
        .node("n1", gpus(4))
        .running("low", "default", gang(4).priority(40))
        .waiting("first", "default", gang(1).priority(70))
        .waiting("second", "default", gang(2).priority(60))
        .plan()
        .inOrder("first", "second")
        .reserves("first", 1, byTaking(PREEMPT, "low", "low", "low", "low"))
        .reserves("second", 2)
        .andNothingElse();
  }
}
