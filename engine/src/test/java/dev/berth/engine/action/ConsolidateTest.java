package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;

import dev.berth.engine.Cluster;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Scattered work moves together, and no group loses anything.
class ConsolidateTest {
  private static Cluster scattered() {
    return cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .queue("a", quota(4))
        .running("old", "a", gang(1).minutesOld(90).on("n1"))
        .running("young", "a", gang(1).minutesOld(5).on("n2"));
  }

  @Test
  void theLastInLineMovesToTheOthers() {
    scattered()
        .waiting("wide", "a", gang(1).gpus(2))
        .plan()
        .reserves("wide", List.of("n2"), byTaking(CONSOLIDATE, "young"))
        .andNothingElse();
  }

  @Test
  void moreImportantWorkMovesToo() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("there", "default", gang(1).priority(80).minutesOld(90).on("n1"))
        .running("urgent", "default", gang(1).priority(80).on("n2"))
        .waiting("wide", "default", gang(1).gpus(2).priority(20))
        .plan()
        .reserves("wide", List.of("n2"), byTaking(CONSOLIDATE, "urgent"))
        .andNothingElse();
  }

  /// In a trial it is placed before the preemptor, best where it was.
  @Test
  void moreImportantWorkThatReturnsToItsPlaceDoesNotMove() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .running("fixed", "default", gang(1).nonPreemptible().on("n1"))
        .running("urgent", "default", gang(1).priority(80).on("n2"))
        .waiting("wide", "default", gang(1).gpus(2).priority(20).vetoed("n1", "no"))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  /// Queue a is judged by the first group that waits there, and comes after b with it.
  @Test
  void aGroupAheadOfThePreemptorDecidesHowTheirQueueRanks() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .queue("a", quota(2).priority(200))
        .queue("b", quota(4))
        .running("fixed", "b", gang(1).nonPreemptible().on("n1"))
        .running("theirs", "b", gang(1).on("n2"))
        .waiting("huge", "a", gang(1).gpus(3).minutesOld(90).vetoed("n1", "no"))
        .waiting("wide", "a", gang(1).gpus(2).vetoed("n1", "no"))
        .plan()
        .waitsForRoom("huge")
        .waitsForRoom("wide")
        .andNothingElse();
  }

  @Test
  void noPodMovesWhereAnotherWouldLose() {
    scattered()
        .running("third", "a", gang(1).minutesOld(90).on("n1"))
        .waiting("wide", "a", gang(1).gpus(2))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aPreemptorThatIsNotPreemptibleMovesNoPod() {
    scattered()
        .waiting("wide", "a", gang(1).gpus(2).nonPreemptible())
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void workThatIsNotPreemptibleDoesNotMove() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .queue("a", quota(4))
        .running("old", "a", gang(1).minutesOld(90).nonPreemptible().on("n1"))
        .running("young", "a", gang(1).minutesOld(5).nonPreemptible().on("n2"))
        .waiting("wide", "a", gang(1).gpus(2))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void whereWorkIsSpreadNothingIsMovedTogether() {
    for (var strategy : SPREADING) {
      scattered()
          .settings(PlannerSettings.DEFAULT.with(strategy))
          .waiting("wide", "a", gang(1).gpus(2))
          .plan()
          .waits("wide", NoRoom.class)
          .andNothingElse();
    }
  }

  private static final List<Strategy> SPREADING =
      List.of(
          new Strategy(Spread.SPREAD, Spread.BINPACK), new Strategy(Spread.BINPACK, Spread.SPREAD));
}
