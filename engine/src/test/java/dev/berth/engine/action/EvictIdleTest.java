package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.model.Decision.Cause.IDLE;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;

import dev.berth.engine.PodSketch;
import dev.berth.engine.QueueSketch;
import org.junit.jupiter.api.Test;

class EvictIdleTest {
  private static QueueSketch strict() {
    return anything().evictsIdle(ofHours(1), ofMinutes(15));
  }

  private static PodSketch asleep(PodSketch sketch) {
    return sketch.runningFor(ofHours(9)).idleBy("strict", strict());
  }

  @Test
  void aGroupLeavesWholeOnceItWasToldForTheWholeTime() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", strict())
        .running("told", "strict", asleep(gang(2)).toldIdleFor(ofMinutes(15)))
        .running("alone", "strict", asleep(pods(1)).toldIdleFor(ofMinutes(16)))
        .running("not-yet", "strict", asleep(gang(2)).toldIdleFor(ofMinutes(14)))
        .running("busy", "strict", gang(2).runningFor(ofHours(9)).toldIdleFor(ofHours(8)))
        .plan()
        .evicts("told", IDLE, 2)
        .evicts("alone", IDLE, 1)
        .looksAgainAfter(ofMinutes(1))
        .andNothingElse();
  }

  @Test
  void workThatIsNotPreemptibleLeavesToo() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", strict())
        .running("fixed", "strict", asleep(gang(2)).toldIdleFor(ofMinutes(15)).nonPreemptible())
        .plan()
        .evicts("fixed", IDLE, 2)
        .andNothingElse();
  }

  @Test
  void whatWasNotToldOrOnlyReportedStays() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", strict())
        .queue("mild", anything().reportsIdle(ofHours(1)))
        .running("untold", "strict", asleep(gang(2)))
        .running("reported", "strict", asleep(gang(2)).reportedIdleFor(ofHours(3)))
        .running(
            "mild",
            "mild",
            gang(2)
                .runningFor(ofHours(9))
                .idleBy("mild", anything().reportsIdle(ofHours(1)))
                .toldIdleFor(ofHours(3)))
        .plan()
        .andNothingElse();
  }

  /// It was measured by a rule that is another now, or is gone.
  @Test
  void aRuleThatDoesNotHoldAnyMoreEvictsNothing() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", anything().evictsIdle(ofHours(2), ofMinutes(15)))
        .queue("free", anything())
        .running("changed", "strict", asleep(gang(2)).toldIdleFor(ofHours(1)))
        .running("gone", "free", asleep(gang(2)).toldIdleFor(ofHours(1)))
        .plan()
        .andNothingElse();
  }

  @Test
  void aRuleHoldsInTheQueuesBelowBesideTheirOwn() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", strict())
        .queue("middle", anything().below("strict"))
        .queue("mild", anything().below("middle").reportsIdle(ofHours(2)))
        .running("below", "mild", asleep(gang(2)).toldIdleFor(ofMinutes(15)))
        .plan()
        .evicts("below", IDLE, 2)
        .andNothingElse();
  }

  /// It came after the measurement, and has the key of what was measured.
  @Test
  void aPodThatIsYoungerThanTheRuleKeepsItsGroup() {
    cluster()
        .node("n1", gpus(8))
        .queue("strict", strict())
        .running(
            "young",
            "strict",
            gang(2).runningFor(ofMinutes(59)).idleBy("strict", strict()).toldIdleFor(ofMinutes(15)))
        .plan()
        .andNothingElse();
  }

  @Test
  void aGroupThatEndsAlreadyIsNotEvictedAgain() {
    cluster()
        .node("n1", gpus(4))
        .queue("strict", strict())
        .running("ends", "strict", asleep(gang(2)).toldIdleFor(ofMinutes(15)).runsOn())
        .plan()
        .andNothingElse();
  }
}
