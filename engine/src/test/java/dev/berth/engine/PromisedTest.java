package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;

import dev.berth.engine.model.Reason.NoRoom;
import org.junit.jupiter.api.Test;

/// Plans onto room that is still being left.
class PromisedTest {
  @Test
  void whoComesLaterDoesNotTakeTheRoom() {
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
  void whoComesBeforeTakesItAndThePlanIsWithdrawn() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(2))
        .promised("heir", "default", gang(2).minutesOld(90))
        .waiting("urgent", "default", gang(1).priority(60).minutesOld(5))
        .plan()
        .inOrder("heir", "urgent")
        .withdraws("heir", 2)
        .reserves("urgent", 1)
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
}
