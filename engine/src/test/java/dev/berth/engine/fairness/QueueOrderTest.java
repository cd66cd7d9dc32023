package dev.berth.engine.fairness;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.QueueSketch;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import org.junit.jupiter.api.Test;

/// Whose turn it is where there is room for one: each rule decides against all that come after it.
class QueueOrderTest {
  private static QueueSketch nothing() {
    return anything().weight(0).weight(Resource.CPU, 0).weight(Resource.MEMORY, 0);
  }

  @Test
  void rule1NotOverItsFairShare() {
    cluster()
        .node("n1", gpus(2))
        .queue("over", nothing().priority(200))
        .queue("under", nothing())
        .running("there", "over", gang(1))
        .waiting("a", "over", gang(1).minutesOld(90))
        .waiting("b", "under", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule2WithinQuotaWithThisWorkload() {
    cluster()
        .node("n1", gpus(1))
        .queue("beyond", quota(0).priority(200).daysOld(2))
        .queue("within", quota(1))
        .waiting("a", "beyond", gang(1).minutesOld(90))
        .waiting("b", "within", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule3HigherPriorityOfTheQueue() {
    cluster()
        .node("n1", gpus(1))
        .queue("low", quota(4).daysOld(2))
        .queue("high", quota(1).priority(200))
        .waiting("a", "low", gang(1).minutesOld(90))
        .waiting("b", "high", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule4NothingOfWhichItsShareIsZero() {
    cluster()
        .node("n1", gpus(1))
        .queue("nothing", quota(0).weight(0).daysOld(2))
        .queue(
            "little",
            anything()
                .quota(Resource.GPU, 1000)
                .quota(Resource.CPU, 1)
                .quota(Resource.MEMORY, Queue.UNLIMITED)
                .weight(Resource.CPU, 0))
        .waiting("a", "nothing", gang(1).minutesOld(90))
        .waiting("b", "little", gang(1).asks(Resource.CPU, 2000))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule5SmallerDominantShareWithTheWorkload() {
    cluster()
        .node("n1", gpus(2))
        .queue("full", quota(1).daysOld(2))
        .queue("half", quota(4))
        .running("there", "half", gang(1))
        .waiting("a", "full", gang(1).minutesOld(90))
        .waiting("b", "half", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule6SmallerDominantShareWithoutIt() {
    cluster()
        .node("n1", gpus(3))
        .queue("has", quota(4).daysOld(2))
        .queue("has-none", quota(4))
        .running("there", "has", gang(1))
        .waiting("a", "has", gang(1).minutesOld(90))
        .waiting("b", "has-none", gang(2))
        .plan()
        .reserves("b", 2)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule7SmallerAllocatableShare() {
    cluster()
        .node("n1", gpus(2))
        .queue("large", quota(4).daysOld(2))
        .queue("small", quota(2))
        .waiting("a", "large", gang(2).minutesOld(90))
        .waiting("b", "small", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  @Test
  void rule8OlderQueueThenName() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(1))
        .queue("b", quota(1))
        .queue("c", quota(1).daysOld(2))
        .waiting("of-a", "a", gang(1))
        .waiting("of-b", "b", gang(1).minutesOld(90))
        .waiting("of-c", "c", gang(1))
        .plan()
        .reserves("of-c", 1)
        .reserves("of-a", 1)
        .waitsForRoom("of-b")
        .andNothingElse();
  }

  @Test
  void queueThatWasServedIsJudgedAnewBeforeTheNextChoice() {
    cluster()
        .node("n1", gpus(2))
        .queue("a", quota(4))
        .queue("b", quota(4))
        .waiting("a1", "a", gang(1).minutesOld(90))
        .waiting("a2", "a", gang(1).minutesOld(80))
        .waiting("b1", "b", gang(1))
        .plan()
        .reserves("a1", 1)
        .reserves("b1", 1)
        .waitsForRoom("a2")
        .andNothingElse();
  }

  @Test
  void departmentsAreComparedBeforeTheirTeams() {
    cluster()
        .node("n1", gpus(1))
        .queue("low", quota(1))
        .queue("high", quota(1).priority(200))
        .queue("low-team", quota(1).priority(900).below("low"))
        .queue("high-team", quota(1).below("high"))
        .waiting("a", "low-team", gang(1).minutesOld(90))
        .waiting("b", "high-team", gang(1))
        .plan()
        .reserves("b", 1)
        .waitsForRoom("a")
        .andNothingElse();
  }

  /// `team` comes next in its department, with three devices more; among departments it stands with
  /// the one device that the team asks for that had its turn last.
  @Test
  void aDepartmentIsJudgedByTheTeamThatHadItsTurnLast() {
    cluster()
        .node("n1", gpus(6))
        .queue("department", quota(0))
        .queue("other", quota(0))
        .queue("last-team", quota(1).below("department"))
        .queue("team", quota(0).priority(200).below("department"))
        .waiting("first", "last-team", gang(1).minutesOld(90))
        .waiting("next", "last-team", gang(1).minutesOld(80))
        .waiting("large", "team", gang(3).takesNoVictims())
        .waiting("late", "other", gang(3).takesNoVictims())
        .plan()
        .reserves("first", 1)
        .reserves("large", 3)
        .reserves("next", 1)
        .waitsForRoom("late")
        .andNothingElse();
  }

  @Test
  void groupThatWaitsNoMoreInTheLastTeamDoesNotStandForTheDepartment() {
    cluster()
        .node("n1", gpus(6))
        .queue("department", quota(0))
        .queue("other", quota(0))
        .queue("last-team", quota(1).below("department"))
        .queue("team", quota(0).priority(200).below("department"))
        .waiting("first", "last-team", gang(1).minutesOld(90))
        .waiting("large", "team", gang(3).takesNoVictims())
        .waiting("late", "other", gang(3).takesNoVictims())
        .plan()
        .reserves("first", 1)
        .reserves("late", 3)
        .waitsForRoom("large")
        .andNothingElse();
  }
}
