package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.model.Decision.Cause.MAX_RUNTIME;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import org.junit.jupiter.api.Test;

class EvictOverdueTest {
  @Test
  void aQueueEndsItsWorkloadsAfterItsMaxRuntime() {
    cluster()
        .node("n1", gpus(8))
        .queue("bounded", anything().maxRuntime(ofHours(1)))
        .queue("free", anything())
        .running("over", "bounded", gang(2).warnedFor(ofMinutes(30)).runningFor(ofMinutes(60)))
        .running("alone", "bounded", pods(1).warnedFor(ofMinutes(30)).runningFor(ofMinutes(61)))
        .running("not", "bounded", gang(2).warnedFor(ofMinutes(30)).runningFor(ofMinutes(59)))
        .running("other", "free", gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(100)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .evicts("alone", MAX_RUNTIME, 1)
        .andNothingElse();
  }

  @Test
  void theSmallestOfTheTreeAndOfTheWorkloadCounts() {
    cluster()
        .node("n1", gpus(8))
        .queue("root", anything().maxRuntime(ofHours(4)))
        .queue("middle", anything().below("root"))
        .queue("long", anything().below("middle").maxRuntime(ofHours(8)))
        .queue("short", anything().below("middle").maxRuntime(ofHours(2)))
        .running("by-root", "long", gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(4)))
        .running("by-leaf", "short", gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(2)))
        .running(
            "by-itself",
            "short",
            gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(1)).mustRunAtMost(ofHours(1)))
        .running(
            "not",
            "long",
            gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(3)).mustRunAtMost(ofHours(9)))
        .plan()
        .evicts("by-root", MAX_RUNTIME, 2)
        .evicts("by-leaf", MAX_RUNTIME, 2)
        .evicts("by-itself", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  @Test
  void workThatIsNotPreemptibleEndsToo() {
    cluster()
        .node("n1", gpus(4))
        .queue("bounded", anything().maxRuntime(ofHours(1)))
        .running(
            "fixed",
            "bounded",
            gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(1)).nonPreemptible())
        .plan()
        .evicts("fixed", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  @Test
  void aGroupHasTheWholeTimeOfItsWarningThoughItsTimeIsOver() {
    cluster()
        .node("n1", gpus(8))
        .queue("bounded", anything().maxRuntime(ofHours(1)))
        .running("untold", "bounded", gang(2).runningFor(ofHours(9)))
        .running("told", "bounded", gang(2).runningFor(ofHours(9)).warnedFor(ofMinutes(29)))
        .running("over", "bounded", gang(2).runningFor(ofHours(9)).warnedFor(ofMinutes(30)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  @Test
  void theNearestQueueSaysHowLongItWarns() {
    cluster()
        .node("n1", gpus(8))
        .queue("root", anything().maxRuntime(ofHours(4)).maxRuntimeWarning(ofHours(1)))
        .queue("silent", anything().below("root"))
        .queue("short", anything().below("root").maxRuntimeWarning(ofMinutes(10)))
        .running("over", "short", gang(2).runningFor(ofHours(5)).warnedFor(ofMinutes(10)))
        .running("not", "silent", gang(2).runningFor(ofHours(5)).warnedFor(ofMinutes(59)))
        .running("later", "short", gang(2).runningFor(ofMinutes(225)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  @Test
  void aWarningTakesHalfOfTheTimeAtMost() {
    cluster()
        .node("n1", gpus(8))
        .running(
            "over",
            "default",
            gang(2).runningFor(ofMinutes(10)).mustRunAtMost(ofMinutes(10)).warnedFor(ofMinutes(5)))
        .running("begins", "default", gang(2).runningFor(ofMinutes(2)).mustRunAtMost(ofMinutes(10)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .andNothingElse();
  }

  @Test
  void aPlanIsDueWhenAGroupIsToBeWarned() {
    cluster()
        .node("n1", gpus(8))
        .queue("bounded", anything().maxRuntime(ofHours(4)).maxRuntimeWarning(ofHours(1)))
        .running("later", "bounded", gang(2).runningFor(ofMinutes(170)))
        .plan()
        .looksAgainAfter(ofMinutes(10))
        .andNothingElse();
  }

  /// It is warned by what comes of this plan.
  @Test
  void noPlanIsDueForAGroupThatIsStillToBeWarned() {
    cluster()
        .node("n1", gpus(8))
        .queue("bounded", anything().maxRuntime(ofHours(4)))
        .running("untold", "bounded", gang(2).runningFor(ofHours(5)))
        .running("later", "bounded", gang(2).runningFor(ofHours(1)))
        .plan()
        .looksAgainAfter(ofMinutes(150))
        .andNothingElse();
  }

  @Test
  void aRuleHoldsInAQueueThatHangsInTheAir() {
    cluster()
        .node("n1", gpus(4))
        .queue("orphan", anything().below("gone").maxRuntime(ofHours(1)))
        .running("over", "orphan", gang(2).warnedFor(ofMinutes(30)).runningFor(ofHours(1)))
        .plan()
        .evicts("over", MAX_RUNTIME, 2)
        .andNothingElse();
  }
}
