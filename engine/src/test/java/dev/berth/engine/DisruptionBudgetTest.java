package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;

import dev.berth.engine.model.Reason.NoRoom;
import org.junit.jupiter.api.Test;

/// A victim that may not leave is not chosen.
class DisruptionBudgetTest {
  private static Cluster lender(int wanted) {
    return cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", quota(0))
        .running("young", "speech", gang(2).minutesOld(10).label("app", "web"))
        .running("old", "speech", gang(2).minutesOld(90))
        .waiting("train", "vision", gang(wanted));
  }

  @Test
  void whoseBudgetIsSpentStaysAndTheNextOneInVictimOrderLeaves() {
    lender(2).plan().reserves("train", 2, RECLAIM, "young-100000", "young-100001").andNothingElse();
    lender(2)
        .budget("web", 1)
        .plan()
        .reserves("train", 2, RECLAIM, "old-100000", "old-100001")
        .andNothingElse();
    lender(2)
        .budget("web", 2)
        .plan()
        .reserves("train", 2, RECLAIM, "young-100000", "young-100001")
        .andNothingElse();
  }

  @Test
  void whereNobodyElseMayLeaveNobodyDoes() {
    lender(4).budget("web", 1).plan().waits("train", NoRoom.class).andNothingElse();
  }

  @Test
  void victimsChosenBeforeUseTheBudgetUp() {
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", quota(0))
        .running("borrowed", "speech", pods(4).label("app", "web"))
        .waiting("first", "vision", gang(1).minutesOld(30))
        .waiting("second", "vision", gang(1).minutesOld(20))
        .waiting("third", "vision", gang(1).minutesOld(10))
        .budget("web", 2)
        .plan()
        .reserves("first", 1, RECLAIM, "borrowed-100003")
        .reserves("second", 1, RECLAIM, "borrowed-100002")
        .waits("third", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void whoIsAskedAlreadyAndHasNotBegunToLeaveCounts() {
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", quota(0))
        .running("borrowed", "speech", pods(3).label("app", "web"))
        .asked("going", "speech", pods(1).label("app", "web"))
        .planned("heir", "vision", gang(1))
        .waiting("train", "vision", gang(1))
        .budget("web", 1)
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void whoIsMovedLeavesToo() {
    scattered().plan().reserves("wide", 1, CONSOLIDATE, "b-100000").andNothingElse();
    scattered()
        .budget("web", 0)
        .plan()
        .reserves("wide", 1, CONSOLIDATE, "a-100000")
        .andNothingElse();
  }

  /// One device free on each of two nodes.
  private static Cluster scattered() {
    return cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("a", "default", pods(1).on("n1"))
        .running("b", "default", pods(1).on("n2").minutesOld(1).label("app", "web"))
        .waiting("wide", "default", gang(1).gpus(2));
  }
}
