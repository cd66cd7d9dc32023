package dev.berth.engine.model;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.PodSketch;
import dev.berth.engine.action.ActionSettings.Debts;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Reason.BudgetsForbid;
import dev.berth.engine.model.Reason.BudgetsKeep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// A victim that may not leave is not chosen, but for what its queue owes.
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

  /// The Eviction API refuses such pods, whatever the budgets allow.
  @Test
  void podCoveredBySeveralBudgetsStays() {
    lender(2)
        .budget("web", 2)
        .budget("again", "web", 2)
        .plan()
        .reserves("train", 2, RECLAIM, "old-100000", "old-100001")
        .andNothingElse();
  }

  @Test
  void whatIsOwedIsTakenAgainstSeveralBudgetsToo() {
    kept(4, PATIENCE)
        .budget("again", "web", 4)
        .plan()
        .reserves("train", 2, RECLAIM, "borrowed-100002", "borrowed-100003")
        .andNothingElse();
  }

  @Test
  void whereNoOtherPodMayLeaveNoneDoes() {
    lender(4)
        .honouringBudgets()
        .budget("web", 1)
        .plan()
        .waits("train", BudgetsForbid.class)
        .andNothingElse();
  }

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private static PlannerSettings overruling() {
    var actions = PlannerSettings.DEFAULT.actions();
    var debts = new Debts(PATIENCE, Duration.ofMinutes(10));
    return PlannerSettings.DEFAULT.with(actions.with(new Reclaiming(true, 1, debts)));
  }

  private static PodSketch preemptor(int wanted, Duration waited) {
    return gang(wanted).minutesOld((int) waited.toMinutes());
  }

  /// speech owes all it has, and its budget would keep that for ever.
  private static Cluster kept(int allowed, Duration waited) {
    return cluster()
        .settings(overruling())
        .node("n1", gpus(4))
        .queue("vision", quota(2))
        .queue("speech", quota(0))
        .running("borrowed", "speech", pods(4).label("app", "web"))
        .waiting("train", "vision", preemptor(2, waited))
        .budget("web", allowed);
  }

  @Test
  void whatIsOwedIsTakenAgainstABudgetOnceThePreemptorHasWaited() {
    kept(0, PATIENCE)
        .plan()
        .reserves("train", 2, RECLAIM, "borrowed-100002", "borrowed-100003")
        .andNothingElse();
    kept(0, PATIENCE.minusMinutes(1))
        .plan()
        .waitsForRoom("train")
        .looksAgainAfter(Duration.ofMinutes(1))
        .andNothingElse();
  }

  @Test
  void onlyThatLeavesAgainstABudgetWhichSaysSo() {
    var plan = new Planner(overruling()).plan(kept(0, PATIENCE).snapshot());
    assertThat(victims(plan)).hasSize(2).allMatch(Decision.Victim::againstBudgets);
    var allowed = kept(2, PATIENCE).snapshot();
    assertThat(victims(new Planner(overruling()).plan(allowed)))
        .hasSize(2)
        .noneMatch(Decision.Victim::againstBudgets);
  }

  @Test
  void victimAgainstABudgetLeavesWithItOnceItAllowsThat() {
    var incremental = new Planner(overruling()).incremental();
    var before = kept(0, PATIENCE).snapshot();
    assertThat(victims(incremental.plan(before, new TreeMap<>())))
        .hasSize(2)
        .allMatch(Decision.Victim::againstBudgets);
    var later = before.with(kept(2, PATIENCE).snapshot().budgets());
    assertThat(victims(incremental.plan(later, new TreeMap<>())))
        .hasSize(2)
        .noneMatch(Decision.Victim::againstBudgets);
  }

  /// More labels than are read: pods that match the first of them may be covered.
  private static DisruptionBudget tooLong(int allowed) {
    var labels = new ArrayList<LabelSelector.Requirement>();
    labels.add(new LabelSelector.Requirement("app", LabelSelector.Operator.IN, List.of("web")));
    for (int i = 0; i < DisruptionBudget.MOST_REQUIREMENTS; i++) {
      labels.add(
          new LabelSelector.Requirement(
              "no" + i, LabelSelector.Operator.DOES_NOT_EXIST, List.of()));
    }
    var key = new DisruptionBudget.Key("default", "long");
    return new DisruptionBudget(key, 1, new LabelSelector(labels), false, allowed);
  }

  @Test
  void podThatATooLongSelectorMaySelectStays() {
    lender(2)
        .budget(tooLong(2))
        .plan()
        .reserves("train", 2, RECLAIM, "old-100000", "old-100001")
        .andNothingElse();
    lender(4)
        .honouringBudgets()
        .budget(tooLong(4))
        .plan()
        .waits("train", BudgetsForbid.class)
        .andNothingElse();
  }

  @Test
  void podThatATooLongSelectorKeepsIsToldWithIt() {
    var waits =
        waiting(
            cluster()
                .settings(overruling())
                .node("n1", gpus(4))
                .queue("vision", quota(2))
                .queue("speech", quota(0))
                .running("borrowed", "speech", pods(4).label("app", "web"))
                .waiting("train", "vision", preemptor(2, PATIENCE.minusMinutes(1)))
                .budget(tooLong(4))
                .snapshot());
    assertThat(waits.reason())
        .isInstanceOfSatisfying(
            BudgetsForbid.class,
            reason -> {
              assertThat(reason.budgets()).isEmpty();
              assertThat(reason.notRead())
                  .containsExactly(new DisruptionBudget.Key("default", "long"));
            });
  }

  /// A tenant gains nothing by a selector that is not read.
  @Test
  void whatIsOwedIsTakenAgainstASelectorThatIsTooLong() {
    cluster()
        .settings(overruling())
        .node("n1", gpus(4))
        .queue("vision", quota(2))
        .queue("speech", quota(0))
        .running("borrowed", "speech", pods(4).label("app", "web"))
        .waiting("train", "vision", preemptor(2, PATIENCE))
        .budget(tooLong(4))
        .plan()
        .reserves("train", 2, RECLAIM, "borrowed-100002", "borrowed-100003")
        .andNothingElse();
  }

  private static List<Decision.Victim> victims(Plan plan) {
    var victims = new ArrayList<Decision.Victim>();
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        victims.addAll(reserve.victims());
      }
    }
    return victims;
  }

  @Test
  void withoutTheSettingABudgetKeepsWhatIsOwed() {
    kept(0, PATIENCE).honouringBudgets().plan().waitsForRoom("train").andNothingElse();
  }

  /// The gang is 4, of which its queue owes 2.
  private static Cluster gangThatOwesTwo(int quota) {
    return cluster()
        .settings(overruling())
        .node("n1", gpus(4))
        .queue("vision", quota(2))
        .queue("speech", quota(quota))
        .running("borrowed", "speech", gang(4).label("app", "web"))
        .budget("web", 0);
  }

  /// Time does not help.
  @Test
  void withinItsQuotaABudgetKeepsEverything() {
    var waits =
        waiting(gangThatOwesTwo(2).waiting("train", "vision", preemptor(2, PATIENCE)).snapshot());
    assertThat(waits.reason())
        .isInstanceOfSatisfying(
            BudgetsForbid.class,
            reason ->
                assertThat(reason.keeps())
                    .isEqualTo(BudgetsKeep.quota(new QueueName("speech"), 0, 2000)));
  }

  @Test
  void asLongAsThePreemptorHasNotWaitedTimeMayHelp() {
    var young = preemptor(2, PATIENCE.minusMinutes(1));
    var snapshot = gangThatOwesTwo(2).waiting("train", "vision", young).snapshot();
    var until = snapshot.now().plusSeconds(60);
    assertThat(waiting(snapshot).reason())
        .isInstanceOfSatisfying(
            BudgetsForbid.class,
            reason -> {
              assertThat(reason.keeps()).isEqualTo(BudgetsKeep.until(until));
              assertThat(Sentences.of(reason))
                  .contains(
                      "Helps: time (from " + until + " on, what a queue has beyond its quota");
            });
  }

  private static Decision.Wait waiting(Snapshot snapshot) {
    var decisions = new Planner(overruling()).plan(snapshot).decisions();
    assertThat(decisions).hasSize(1);
    return (Decision.Wait) decisions.getFirst();
  }

  /// The share of the queue is 2, and its last piece may be larger than what it owes.
  @Test
  void whatIsAboveItsQuotaIsTakenThoughItsShareIsMore() {
    gangThatOwesTwo(0)
        .waiting("train", "vision", preemptor(2, PATIENCE))
        .plan()
        .reserves("train", 2, byTaking(RECLAIM, "borrowed", "borrowed", "borrowed", "borrowed"))
        .andNothingElse();
  }

  /// As without budgets.
  @Test
  void againstBudgetsTooThePodThatKeepsItsShareLeavesFirst() {
    cluster()
        .settings(overruling())
        .node("n1", gpus(6))
        .queue("vision", quota(2).weight(0))
        .queue("low", quota(0))
        .queue("high", quota(0).priority(200))
        .running("wide", "low", gang(1).gpus(3).label("app", "web"))
        .running("narrow", "high", pods(3).label("app", "web"))
        .waiting("train", "vision", preemptor(1, PATIENCE))
        .budget("web", 0)
        .plan()
        .reserves("train", 1, byTaking(RECLAIM, "narrow"))
        .andNothingElse();
  }

  @Test
  void whereOthersCanMakeRoomNoBudgetIsBroken() {
    cluster()
        .settings(overruling())
        .node("n1", gpus(4))
        .queue("vision", quota(2))
        .queue("speech", quota(0))
        .running("kept", "speech", gang(2).minutesOld(10).label("app", "web"))
        .running("free", "speech", gang(2).minutesOld(90))
        .waiting("train", "vision", preemptor(2, PATIENCE))
        .budget("web", 0)
        .plan()
        .reserves("train", 2, RECLAIM, "free-100000", "free-100001")
        .andNothingElse();
  }

  @Test
  void preemptionBreaksNoBudget() {
    cluster()
        .settings(overruling())
        .node("n1", gpus(2))
        .queue("q", quota(2))
        .running("low", "q", gang(2).priority(40).label("app", "web"))
        .waiting("high", "q", preemptor(2, PATIENCE).priority(60))
        .budget("web", 0)
        .plan()
        .waitsForRoom("high")
        .andNothingElse();
  }

  @Test
  void aGraceOfAYearIsCutForReclaimAlone() {
    var year = Duration.ofDays(365);
    var reclaimed =
        cluster()
            .node("n1", gpus(2))
            .queue("vision", quota(2))
            .queue("speech", quota(0))
            .running("borrowed", "speech", gang(2).grace(year))
            .waiting("train", "vision", gang(2))
            .snapshot();
    assertThat(victims(new Planner(overruling()).plan(reclaimed)))
        .extracting(Decision.Victim::grace)
        .containsExactly(Duration.ofMinutes(10), Duration.ofMinutes(10));
    var preempted =
        cluster()
            .node("n1", gpus(2))
            .queue("q", quota(2))
            .running("low", "q", gang(2).priority(40).grace(year))
            .waiting("high", "q", gang(2).priority(60))
            .snapshot();
    assertThat(victims(new Planner(overruling()).plan(preempted)))
        .extracting(Decision.Victim::grace)
        .containsExactly(year, year);
  }

  @Test
  void victimsChosenBeforeUseTheBudgetUp() {
    cluster()
        .honouringBudgets()
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
        .waits("third", BudgetsForbid.class)
        .andNothingElse();
  }

  @Test
  void victimThatIsAskedAndHasNotBegunToLeaveCounts() {
    cluster()
        .honouringBudgets()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .queue("speech", quota(0))
        .running("borrowed", "speech", pods(3).label("app", "web"))
        .asked("going", "speech", pods(1).label("app", "web"))
        .planned("heir", "vision", gang(1))
        .waiting("train", "vision", gang(1))
        .budget("web", 1)
        .plan()
        .waits("train", BudgetsForbid.class)
        .andNothingElse();
  }

  @Test
  void movedPodLeavesToo() {
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
