package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;

import dev.berth.engine.PodSketch;
import dev.berth.engine.model.Reason.NoRoom;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Gangs that run below their minimum.
class EvictStaleTest {
  @Test
  void aGangBelowItsMinimumLeavesWholeWhenTheGraceIsOver() {
    cluster()
        .node("n1", gpus(3))
        .partly("train", "default", 3, gang(4))
        .staleSince("train", Duration.ofSeconds(60))
        .plan()
        .evicts("train", 3)
        .andNothingElse();
  }

  @Test
  void askedVictimThatRunsOnIsNotAskedAgain() {
    cluster()
        .node("n1", gpus(3))
        .partly("train", "default", 3, gang(4).runsOn())
        .staleSince("train", Duration.ofHours(1))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  /// One of them succeeded and was deleted: it is not created again.
  @Test
  void whereOthersSucceededRunningPodsStay() {
    cluster()
        .node("n1", gpus(3))
        .running("train", "default", gang(3).atLeast(4).completed(1))
        .staleSince("train", Duration.ofHours(1))
        .plan()
        .andNothingElse();
  }

  /// A Job may pause for minutes before it makes a pod anew that Berth moved.
  @Test
  void whoseOwnerHasNotMadeTheMovedOnesAnewStays() {
    cluster()
        .node("n1", gpus(3))
        .running("train", "default", gang(3).atLeast(4).awaited(1))
        .staleSince("train", Duration.ofHours(1))
        .plan()
        .andNothingElse();
  }

  @Test
  void withinTheGraceItStays() {
    cluster()
        .node("n1", gpus(3))
        .partly("train", "default", 3, gang(4))
        .staleSince("train", Duration.ofSeconds(59))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void itsOwnGraceCountsAndANegativeOneIsForEver() {
    cluster()
        .node("n1", gpus(8))
        .running("patient", "default", gang(3).atLeast(4).staleAfter(Duration.ofSeconds(-1)))
        .running("hasty", "default", gang(3).atLeast(4).staleAfter(Duration.ofSeconds(5)))
        .staleSince("patient", Duration.ofDays(1))
        .staleSince("hasty", Duration.ofSeconds(6))
        .plan()
        .evicts("hasty", 3)
        .andNothingElse();
  }

  @Test
  void gangThatGetsTheMissingMemberIsNotStale() {
    cluster()
        .node("n1", gpus(4))
        .partly("train", "default", 3, gang(4))
        .staleSince("train", Duration.ofHours(1))
        .plan()
        .reserves("train", 1)
        .andNothingElse();
  }

  @Test
  void aGroupWithACompletedMemberIsNeverStale() {
    cluster()
        .node("n1", gpus(8))
        .partlyOver("done", "default", 1, true, gang(4))
        .partlyOver("broken", "default", 1, false, gang(4))
        .staleSince("done", Duration.ofHours(1))
        .staleSince("broken", Duration.ofHours(1))
        .plan()
        .evicts("broken", 3)
        .andNothingElse();
  }

  /// Others come in the stead of those that completed: they are no part of the minimum.
  @Test
  void whereOthersComeForThoseThatCompletedItIsStaleAsIfTheseWereNot() {
    cluster()
        .node("n1", gpus(8))
        .partlyOver("waves", "default", 1, true, gang(4).completed(1).completing(8, 0))
        .partlyOver("last", "default", 1, true, gang(4).atLeast(3).completed(1).completing(3, 0))
        .staleSince("waves", Duration.ofHours(1))
        .staleSince("last", Duration.ofHours(1))
        .plan()
        .evicts("waves", 3)
        .andNothingElse();
  }

  /// Its status is late, and so are those that come.
  @Test
  void untilItsWorkloadTellsThatOneCompletedItIsNotStale() {
    cluster()
        .node("n1", gpus(8))
        .partlyOver("waves", "default", 1, true, gang(4).completed(1).completing(8, 1))
        .partlyOver("fewer", "default", 2, true, gang(4).completed(2).completing(8, 1))
        .staleSince("waves", Duration.ofHours(1))
        .staleSince("fewer", Duration.ofHours(1))
        .plan()
        .evicts("fewer", 2)
        .andNothingElse();
  }

  @Test
  void aTreeIsStaleByItsMinimumAndNotByTheLeavesOfAChildThatIsNotNeeded() {
    cluster()
        .node("n1", gpus(3))
        .partly("enough", "default", 2, halves().atLeastSubGroups(1))
        .partly("half", "default", 1, halves().atLeastSubGroups(1))
        .staleSince("enough", Duration.ofHours(1))
        .staleSince("half", Duration.ofHours(1))
        .plan()
        .waits("enough", NoRoom.class)
        .evicts("half", 1)
        .andNothingElse();
    cluster()
        .node("n1", gpus(2))
        .partly("all", "default", 2, halves())
        .staleSince("all", Duration.ofHours(1))
        .plan()
        .evicts("all", 2)
        .andNothingElse();
  }

  private static PodSketch halves() {
    return gang(4)
        .inner("one", "", 0)
        .inner("two", "", 0)
        .role("one-a", "one", 1, 1)
        .role("one-b", "one", 1, 1)
        .role("two-a", "two", 1, 1)
        .role("two-b", "two", 1, 1);
  }

  @Test
  void podThatABudgetKeepsStaysAndTheOthersWithIt() {
    for (int allowed = 0; allowed <= 2; allowed++) {
      cluster()
          .node("n1", gpus(3))
          .partly("train", "default", 3, gang(4).label("app", "web"))
          .staleSince("train", Duration.ofHours(1))
          .budget("web", allowed)
          .plan()
          .waits("train", NoRoom.class)
          .andNothingElse();
    }
    cluster()
        .node("n1", gpus(3))
        .partly("train", "default", 3, gang(4).label("app", "web"))
        .staleSince("train", Duration.ofHours(1))
        .budget("web", 3)
        .plan()
        .evicts("train", 3)
        .andNothingElse();
  }
}
