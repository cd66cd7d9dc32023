package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings.Consolidation;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.PreemptibilitySource;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.MovesSpent;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.model.Reason.Sought;
import dev.berth.engine.model.Reason.Stays;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How far actions may go, what a search says that was cut short, and what a semi-preemptible
/// minimum may take.
class ActionSettingsTest {
  private static final ActionSettings ALL = ActionSettings.DEFAULT;

  private static PlannerSettings with(ActionSettings actions) {
    return PlannerSettings.DEFAULT.with(actions);
  }

  /// Two pods must move to one node before two devices are free together twice.
  private static Cluster scattered() {
    return cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .node("n3", gpus(2))
        .node("n4", gpus(2))
        .running("a", "default", pods(1).on("n1"))
        .running("b", "default", pods(1).on("n2"))
        .running("c", "default", pods(1).on("n3"))
        .running("d", "default", pods(1).on("n4"))
        .waiting("wide", "default", gang(2).gpus(2));
  }

  @Test
  void consolidationMovesNoMoreThanItMay() {
    scattered()
        .settings(with(ALL.with(new Consolidation(2))))
        .plan()
        .reserves("wide", 2, CONSOLIDATE, "c-100000", "d-100000")
        .andNothingElse();
    scattered()
        .settings(with(ALL.with(new Consolidation(1))))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
    scattered()
        .settings(with(ALL.with(new Consolidation(0))))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void podMovedNotLongAgoStaysAndOthersMove() {
    var until = Cluster.NOW.plusSeconds(600);
    scattered()
        .moved(100, until, "d")
        .plan()
        .reserves("wide", 2, CONSOLIDATE, "b-100000", "c-100000")
        .andNothingElse();
    var plan = scattered().moved(100, until, "b", "c", "d");
    plan.plan().waits("wide", NoRoom.class).andNothingElse();
    assertThat(new Planner(PlannerSettings.DEFAULT).plan(plan.snapshot()).nextLook())
        .isEqualTo(until);
  }

  @Test
  void noMorePodsAreMovedThanTheHourHasLeft() {
    var until = Cluster.NOW.plusSeconds(600);
    scattered()
        .moved(2, until)
        .plan()
        .reserves("wide", 2, CONSOLIDATE, "c-100000", "d-100000")
        .andNothingElse();
    scattered().moved(1, until).plan().waits("wide", NoRoom.class).andNothingElse();
  }

  @Test
  void onceTheHourIsSpentThatIsWhyNoPodIsMoved() {
    var until = Cluster.NOW.plusSeconds(600);
    var plan = new Planner(PlannerSettings.DEFAULT).plan(scattered().moved(0, until).snapshot());
    assertThat(plan.decisions())
        .singleElement()
        .satisfies(only ->
            assertThat(((Decision.Wait) only).reason())
                .isInstanceOfSatisfying(
                    MovesSpent.class, spent -> assertThat(spent.until()).isEqualTo(until)));
    scattered()
        .moved(0, until)
        .settings(with(ALL.with(new Consolidation(0))))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  /// Two of four must move, and the pods of two would be gone for good.
  @Test
  void noPodIsMovedThatNoOwnerMakesAnew() {
    Cluster cluster =
        cluster()
            .node("n1", gpus(2))
            .node("n2", gpus(2))
            .node("n3", gpus(2))
            .node("n4", gpus(2))
            .running("a", "default", pods(1).on("n1"))
            .running("b", "default", pods(1).on("n2"))
            .running("c", "default", pods(1).bare().on("n3"))
            .running("d", "default", pods(1).bare().on("n4"));
    cluster
        .waiting("wide", "default", gang(2).gpus(2))
        .plan()
        .reserves("wide", 2, CONSOLIDATE, "a-100000", "b-100000")
        .andNothingElse();
  }

  @Test
  void noPodIsMovedBeforeItsMinRuntimeIsOver() {
    var ran = Duration.ofMinutes(9);
    Cluster cluster =
        cluster()
            .node("n1", gpus(2))
            .node("n2", gpus(2))
            .queue("q", anything().preemptMinRuntime(Duration.ofMinutes(10)))
            .queue("r", anything())
            .running("a", "q", gang(1).runningFor(ran).on("n1"))
            .running("b", "r", gang(1).runningFor(ran).on("n2"))
            .waiting("wide", "q", gang(1).gpus(2));
    cluster.plan().reserves("wide", 1, CONSOLIDATE, "b-100000").andNothingElse();
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .queue("q", anything().reclaimMinRuntime(Duration.ofMinutes(10)))
        .queue("r", anything())
        .running("a", "q", gang(1).runningFor(ran).on("n1"))
        .running("b", "q", gang(1).runningFor(ran).on("n2"))
        .waiting("wide", "r", gang(1).gpus(2))
        .plan()
        .waitsForRoom("wide")
        .looksAgainAfter(Duration.ofMinutes(1))
        .andNothingElse();
  }

  private static Cluster borrowed() {
    return cluster()
        .node("n1", gpus(2))
        .queue("vision", quota(2))
        .queue("speech", quota(0))
        .running("borrowed", "speech", gang(2))
        .waiting("train", "vision", gang(2));
  }

  @Test
  void reclaimCanBeSwitchedOff() {
    borrowed()
        .plan()
        .reserves("train", 2, RECLAIM, "borrowed-100000", "borrowed-100001")
        .andNothingElse();
    borrowed()
        .settings(with(ALL.with(new Reclaiming(false, 1))))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  private static Cluster unequal() {
    return cluster()
        .node("n1", gpus(2))
        .queue("vision", anything())
        .running("low", "vision", gang(2))
        .waiting("high", "vision", gang(2).priority(60));
  }

  @Test
  void preemptCanBeSwitchedOff() {
    unequal().plan().reserves("high", 2, PREEMPT, "low-100000", "low-100001").andNothingElse();
    unequal()
        .settings(with(ALL.withoutPreempt()))
        .plan()
        .waits("high", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aSearchThatWasCutShortSaysNotProvenAndHowFarItCame() {
    var matches =
        cluster()
            .node("n1", gpus(4).label("kubernetes.io/hostname", "n1"))
            .queue("vision", quota(3))
            .queue("speech", quota(0));
    for (String name : new String[] {"a", "b", "c"}) {
      matches.running(name, "speech", gang(1).label("app", "loud"));
    }
    matches
        .waiting("train", "vision", gang(1).gpus(2).apart("kubernetes.io/hostname", "app", "loud"))
        .settings(with(ALL.with(new Consolidation(0)).withTrials(1)))
        .plan()
        .waits("train", new NotProven(Sought.VICTIMS, 1, 3))
        .andNothingElse();
  }

  @Test
  void aSpentBudgetIsNoProofForLaterGroups() {
    cluster()
        .node("n1", gpus(2))
        .queue("vision", quota(1))
        .queue("audio", quota(1))
        .queue("speech", quota(0))
        .running("x", "speech", gang(1))
        .running("y", "speech", gang(1))
        .waiting("first", "audio", gang(1))
        .waiting("second", "vision", gang(1))
        .settings(with(ALL.with(new Consolidation(0)).withTrials(1)))
        .plan()
        .reserves("first", 1, RECLAIM, "y-100000")
        .waits("second", new NotProven(Sought.VICTIMS, 0, 1))
        .andNothingElse();
  }

  @Test
  void aSpentBudgetDoesNotHideThatAPodIsTooLarge() {
    var full =
        cluster()
            .node("n1", gpus(2))
            .node("n2", gpus(2))
            .queue("vision", quota(4))
            .queue("audio", quota(1))
            .queue("speech", quota(0));
    for (String name : new String[] {"a", "b", "c", "d"}) {
      full.running(name, "speech", gang(1));
    }
    full.waiting("first", "audio", gang(1))
        .waiting("second", "vision", gang(1).gpus(3))
        .settings(with(ALL.with(new Consolidation(0)).with(new Searching(1, 1000, 0))))
        .plan()
        .reserves("first", 1, RECLAIM, "d-100000")
        .waits("second", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void theMinimumOfSemiPreemptibleWorkLivesWithinQuotaAndItsSurplusNeedNot() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(2))
        .waiting("served", "vision", pods(4).atLeast(2).semiPreemptible())
        .waiting("other", "vision", gang(1).minutesOld(1).semiPreemptible())
        .plan()
        .reserves("served", 2, 2)
        .waits(
            "other",
            new NonPreemptibleOverQuota(
                new QueueName("vision"),
                Resource.GPU,
                2000,
                1000,
                2000,
                List.of(),
                new Stays(PreemptibilitySource.UNTOLD, 0, true)))
        .andNothingElse();
  }

  @Test
  void onlyTheSurplusOfSemiPreemptibleWorkIsTakenBack() {
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(2))
        .queue("speech", quota(2))
        .running("served", "speech", pods(4).atLeast(2).semiPreemptible())
        .waiting("train", "vision", gang(2))
        .plan()
        .reserves("train", 2, RECLAIM, "served-100002", "served-100003")
        .andNothingElse();
  }
}
