package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static dev.berth.engine.model.Decision.Cause.MAX_RUNTIME;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.PodSketch;
import dev.berth.engine.QueueSketch;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Reason.EvictionBackoff;
import dev.berth.engine.model.Reason.NeverPreempts;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.PreemptionDelayed;
import dev.berth.engine.model.Reason.VictimsProtected;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Victims that are protected for a while, preemptors that must wait, and that a plan says when
/// that ends.
class MinRuntimesTest {
  private static Cluster lender(QueueSketch speech, PodSketch borrowed) {
    return cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", speech)
        .running("borrowed", "speech", borrowed)
        .waiting("train", "vision", gang(4));
  }

  @Test
  void aYoungCoreIsSparedFromReclaimUntilItHasRunForItsMinRuntime() {
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ofMinutes(9)))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(1))
        .andNothingElse();
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ofMinutes(10)))
        .plan()
        .reserves(
            "train",
            4,
            RECLAIM,
            "borrowed-100000",
            "borrowed-100001",
            "borrowed-100002",
            "borrowed-100003")
        .looksAgainNever()
        .andNothingElse();
  }

  @Test
  void whatStartsWhileAPreemptorWaitsIsSparedUntilItHasWaitedForTheMinRuntime() {
    var young = gang(4).runningFor(ofMinutes(2));
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young)
        .waitedForMinRuntime("train", "speech", ofMinutes(9))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(1))
        .andNothingElse();
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young)
        .waitedForMinRuntime("train", "speech", ofMinutes(10))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .looksAgainNever()
        .andNothingElse();
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young)
        .waitedForMinRuntime("train", "speech", ofMinutes(1))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(8))
        .andNothingElse();
  }

  /// Else a group would wait with one pod where nothing leaves, and take pods elsewhere with
  /// another.
  @Test
  void membersThatCameLaterHaveNotWaited() {
    var young = gang(4).runningFor(ofMinutes(2));
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young)
        .waitedForMinRuntime("train", "speech", ofMinutes(60))
        .cameBack("train", 0, ofMinutes(1))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(8))
        .andNothingElse();
  }

  /// Else a tenant would wait for its own queue's min-runtime, and then take others' pods at once.
  @Test
  void groupThatWaitedForPodsOfAnotherQueueWaitsAnewForThese() {
    var young = gang(4).runningFor(ofMinutes(2));
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young)
        .waitedForMinRuntime("train", "vision", ofMinutes(60))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(8))
        .andNothingElse();
  }

  @Test
  void withinAQueueToo() {
    var cluster =
        cluster()
            .node("n1", gpus(2))
            .queue("q", quota(2).preemptMinRuntime(ofMinutes(10)))
            .running("low", "q", gang(2).priority(40).runningFor(ofMinutes(2)))
            .waiting("high", "q", gang(2).priority(60));
    assertThat(cluster.plan().reason("high")).isInstanceOf(VictimsProtected.class);
    cluster
        .waitedForMinRuntime("high", "q", ofMinutes(10))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "low", "low"))
        .andNothingElse();
  }

  @Test
  void aPlanTellsWhichGroupsWaitForAMinRuntime() {
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ofMinutes(9)))
        .waiting("other", "speech", gang(1))
        .plan()
        .delaysByMinRuntime("train")
        .waits("train", VictimsProtected.class)
        .waits("other", NoRoom.class)
        .andNothingElse();
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ofMinutes(10)))
        .plan()
        .delaysByMinRuntime()
        .reserves("train", 4, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .andNothingElse();
  }

  /// What a min-runtime protects could not make the room, were it not protected: the wait is for
  /// others. Else it would take the protection from what starts there later.
  @Test
  void aGroupThatCouldNotMakeTheRoomStartsNoWait() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(1))
        .queue("q", quota(9).preemptMinRuntime(ofMinutes(10)))
        .running("whole", "q", gang(1).gpus(8).nonPreemptible().on("n1"))
        .running("small", "q", gang(1).priority(40).on("n2").runningFor(ofMinutes(2)))
        .waiting("high", "q", gang(1).gpus(8).priority(60))
        .plan()
        .delaysByMinRuntime()
        .waits("high", NoRoom.class)
        .andNothingElse();
  }

  /// Own pods of less priority, and those of a borrower: either would do.
  @Test
  void aWaitForTwoQueuesIsToldOfBoth() {
    var plan =
        cluster()
            .node("n1", gpus(2))
            .node("n2", gpus(2))
            .queue("q", quota(4).preemptMinRuntime(ofMinutes(10)))
            .queue("b", quota(0).reclaimMinRuntime(ofMinutes(10)))
            .running("low", "q", gang(1).gpus(2).priority(40).on("n1").runningFor(ofMinutes(2)))
            .running("borrowed", "b", gang(1).gpus(2).on("n2").runningFor(ofMinutes(2)))
            .waiting("high", "q", gang(1).gpus(2).priority(60))
            .plan();
    plan.delaysByMinRuntime("high", "high").waits("high", VictimsProtected.class).andNothingElse();
  }

  /// Two of its members were made anew, one after the other.
  @Test
  void membersThatAreMadeAnewDoNotRenewTheMinRuntimeOfTheirGroup() {
    var young = gang(4).runningFor(ofMinutes(2));
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), young.runsSince(ofMinutes(10)))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .andNothingElse();
    cluster()
        .node("n1", gpus(2))
        .queue("q", quota(2).preemptMinRuntime(ofMinutes(10)))
        .running("low", "q", gang(2).priority(40).runningFor(ofMinutes(2)).runsSince(ofMinutes(10)))
        .waiting("high", "q", gang(2).priority(60))
        .plan()
        .reserves("high", 2, byTaking(PREEMPT, "low", "low"))
        .andNothingElse();
  }

  @Test
  void whenTheFirstIsProtectedNoLongerIsTold() {
    var wait =
        lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ofMinutes(9)))
            .plan()
            .reason("train");
    assertThat(((VictimsProtected) wait).until()).isEqualTo(Cluster.NOW.plus(ofMinutes(1)));
  }

  @Test
  void groupWithUnknownBeginBeginsNow() {
    lender(quota(0).reclaimMinRuntime(ofMinutes(10)), gang(4).runningFor(ZERO))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(10))
        .andNothingElse();
  }

  @Test
  void theSurplusOfAYoungGroupMayGoAndItsCoreMayNot() {
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .running("borrowed", "speech", pods(4).runningFor(ofMinutes(1)))
        .waiting("train", "vision", gang(3))
        .waiting("more", "vision", gang(1).minutesOld(1))
        .plan()
        .reserves("train", 3, RECLAIM, "borrowed-100001", "borrowed-100002", "borrowed-100003")
        .waits("more", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(9))
        .andNothingElse();
  }

  @Test
  void aGangRunsSinceItsMinimumWasComplete() {
    // the surplus member that came later does not make the core younger
    cluster()
        .node("n1", gpus(3))
        .queue("vision", quota(3))
        .queue("speech", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .running("borrowed", "speech", gang(3).atLeast(2).runningFor(ofMinutes(20)))
        .startedLater("borrowed", 2, ofMinutes(1))
        .waiting("train", "vision", gang(3))
        .plan()
        .reserves("train", 3, RECLAIM, "borrowed-100000", "borrowed-100001", "borrowed-100002")
        .andNothingElse();
    cluster()
        .node("n1", gpus(3))
        .queue("vision", quota(3))
        .queue("speech", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .running("borrowed", "speech", gang(3).runningFor(ofMinutes(20)))
        .startedLater("borrowed", 2, ofMinutes(1))
        .waiting("train", "vision", gang(3))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(9))
        .andNothingElse();
  }

  @Test
  void reclaimAsksTheSideOfTheVictimAndThenUpwardsNeverItsLeaf() {
    cluster()
        .node("n1", gpus(4))
        .queue("ml", quota(4))
        .queue("vision", quota(4).below("ml"))
        .queue("audio", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .queue("speech", quota(0).below("audio").reclaimMinRuntime(ofMinutes(90)))
        .running("borrowed", "speech", gang(4).runningFor(ofMinutes(60)))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves(
            "train",
            4,
            RECLAIM,
            "borrowed-100000",
            "borrowed-100001",
            "borrowed-100002",
            "borrowed-100003")
        .andNothingElse();
    cluster()
        .node("n1", gpus(4))
        .queue("ml", quota(4).reclaimMinRuntime(ofMinutes(90)))
        .queue("vision", quota(4).below("ml"))
        .queue("audio", quota(0).below("ml"))
        .running("borrowed", "audio", gang(4).runningFor(ofMinutes(60)))
        .waiting("train", "vision", gang(4))
        .plan()
        .waits("train", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(30))
        .andNothingElse();
  }

  @Test
  void preemptAsksTheLeafAndThenUpwards() {
    cluster()
        .node("n1", gpus(2))
        .queue("ml", anything().preemptMinRuntime(ofMinutes(90)))
        .queue("vision", anything().below("ml").preemptMinRuntime(ofMinutes(30)))
        .running("low", "vision", gang(2).runningFor(ofMinutes(60)))
        .waiting("high", "vision", gang(2).priority(60))
        .plan()
        .reserves("high", 2, PREEMPT, "low-100000", "low-100001")
        .andNothingElse();
    cluster()
        .node("n1", gpus(2))
        .queue("ml", anything().preemptMinRuntime(ofMinutes(90)))
        .queue("vision", anything().below("ml"))
        .running("low", "vision", gang(2).runningFor(ofMinutes(60)))
        .waiting("high", "vision", gang(2).priority(60))
        .plan()
        .waits("high", VictimsProtected.class)
        .looksAgainAfter(ofMinutes(30))
        .andNothingElse();
  }

  @Test
  void aPreemptorYoungerThanItsDelayTakesNoVictims() {
    var delayed = gang(2).priority(60).minutesOld(4).takesVictimsAfter(ofMinutes(5));
    preempting(delayed)
        .plan()
        .waits("high", PreemptionDelayed.class)
        .looksAgainAfter(ofMinutes(1))
        .andNothingElse();
    var over = gang(2).priority(60).minutesOld(5).takesVictimsAfter(ofMinutes(5));
    preempting(over)
        .plan()
        .reserves("high", 2, PREEMPT, "low-100000", "low-100001")
        .andNothingElse();
  }

  @Test
  void whosePlansWithVictimsCameToNothingTakesNoneForAWhile() {
    var until = Cluster.NOW.plusSeconds(30);
    var backoff = new Backoff("", 2, "1 node(s) had volume node affinity conflict", until);
    preempting(gang(2).priority(60))
        .backsOff(Map.of("high", backoff))
        .plan()
        .waits("high", EvictionBackoff.class)
        .looksAgainAfter(ofSeconds(30))
        .andNothingElse();
    var over = new Backoff("", 2, "", Cluster.NOW);
    preempting(gang(2).priority(60))
        .backsOff(Map.of("high", over))
        .plan()
        .reserves("high", 2, PREEMPT, "low-100000", "low-100001")
        .andNothingElse();
  }

  @Test
  void aBackOffIsForVictimsAlone() {
    var backoff = new Backoff("", 2, "", Cluster.NOW.plusSeconds(30));
    preempting(gang(2).priority(60))
        .node("free", gpus(2))
        .backsOff(Map.of("high", backoff))
        .plan()
        .reserves("high", 2)
        .andNothingElse();
  }

  @Test
  void theDelayBeginsAnewWithTheYoungestOfThePodsThatCameBack() {
    preempting(gang(2).priority(60).minutesOld(50).takesVictimsAfter(ofMinutes(5)))
        .cameBack("high", 1, ofMinutes(3))
        .plan()
        .waits("high", PreemptionDelayed.class)
        .looksAgainAfter(ofMinutes(2))
        .andNothingElse();
  }

  @Test
  void preemptionPolicyNeverTakesNoVictims() {
    preempting(gang(2).priority(60).takesNoVictims())
        .plan()
        .waits("high", NeverPreempts.class)
        .looksAgainNever()
        .andNothingElse();
    scattered(gang(1).gpus(2).takesNoVictims())
        .plan()
        .waits("wide", NeverPreempts.class)
        .andNothingElse();
    scattered(gang(1).gpus(2)).plan().reserves("wide", 1, CONSOLIDATE, "b-100000").andNothingElse();
  }

  private static Cluster preempting(PodSketch high) {
    return cluster()
        .node("n1", gpus(2))
        .queue("vision", anything())
        .running("low", "vision", gang(2))
        .waiting("high", "vision", high);
  }

  /// One device free on each of two nodes.
  private static Cluster scattered(PodSketch wide) {
    return cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("a", "default", pods(1).on("n1"))
        .running("b", "default", pods(1).on("n2").minutesOld(1))
        .waiting("wide", "default", wide);
  }

  @Test
  void aGroupLeavesWholeWhenItHasRunForItsMaxRuntime() {
    cluster()
        .node("n1", gpus(4))
        .running(
            "over",
            "default",
            gang(2).runningFor(ofMinutes(60)).mustRunAtMost(ofMinutes(60)).warnedFor(ofMinutes(30)))
        .running(
            "not",
            "default",
            gang(2).runningFor(ofMinutes(59)).mustRunAtMost(ofMinutes(60)).warnedFor(ofMinutes(29)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  /// Its member was deleted with a long grace, and uses it.
  @Test
  void aGroupThatIsBeyondItsMaxRuntimeAndEndsAlreadyIsNotEvictedAgain() {
    cluster()
        .node("n1", gpus(4))
        .running(
            "over",
            "default",
            gang(2)
                .runningFor(ofMinutes(60))
                .mustRunAtMost(ofMinutes(60))
                .warnedFor(ofMinutes(30))
                .runsOn())
        .plan()
        .andNothingElse();
  }

  @Test
  void aPlanSaysWhenTheNextGroupMustEnd() {
    cluster()
        .node("n1", gpus(4))
        .running(
            "a",
            "default",
            gang(2).runningFor(ofMinutes(50)).mustRunAtMost(ofMinutes(60)).warnedFor(ofMinutes(20)))
        .running(
            "b",
            "default",
            gang(2).runningFor(ofMinutes(55)).mustRunAtMost(ofMinutes(60)).warnedFor(ofMinutes(25)))
        .plan()
        .looksAgainAfter(ofMinutes(5))
        .andNothingElse();
  }
}
