package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.action.ActionSettings.Debts;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of every plan where some must leave so that others may start.
class ContestLawTest {
  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  private static Session carriedOut(long seed, Snapshot snapshot) {
    return Settings.planner(seed).carriedOut(snapshot, Collections.emptySortedMap());
  }

  private static Session before(long seed) {
    return Session.over(Contests.random(seed).snapshot(), PlannerSettings.DEFAULT.defaultQueue());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfListsDoesNotMatter(long seed) {
    var snapshot = Contests.random(seed).snapshot();
    var shuffled = Shuffled.of(snapshot, new Random(seed));
    var planner = Settings.planner(seed);
    assertThat(planner.plan(shuffled)).isEqualTo(planner.plan(snapshot));
  }

  /// What a round leaves is what its seats say: no trial left anything else behind.
  @ParameterizedTest
  @MethodSource("seeds")
  void aTrialLeavesNoTrace(long seed) {
    var snapshot = Contests.random(seed).snapshot();
    var planned = carriedOut(seed, snapshot);
    var anew = Session.forPlanning(snapshot, PlannerSettings.DEFAULT.defaultQueue());
    try (Statement statement = anew.open()) {
      for (Group group : planned.groups()) {
        var same = anew.group(group.key()).orElseThrow();
        for (int i = 0; i < group.seats().size(); i++) {
          leave(statement, same.seats().get(i), group.seats().get(i).now());
        }
      }
      for (Group group : planned.groups()) {
        var same = anew.group(group.key()).orElseThrow();
        for (int i = 0; i < group.seats().size(); i++) {
          come(statement, same.seats().get(i), group.seats().get(i).now());
        }
      }
      assertThat(withoutWords(anew)).isEqualTo(withoutWords(planned));
    }
  }

  private static void leave(Statement statement, MemberState seat, Assignment now) {
    if (seat.isPlaced() && !seat.now().equals(now)) {
      statement.evict(seat, Cause.RECLAIM, GroupKey.NONE);
    }
  }

  private static void come(Statement statement, MemberState seat, Assignment now) {
    if (!seat.isPlaced() && now.isSomewhere()) {
      statement.place(seat, now, false);
    }
  }

  /// Room and queues alone.
  private static String withoutWords(Session session) {
    var all = session.fingerprint();
    return all.substring(0, all.indexOf("default/"));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsPromisedTwice(long seed) {
    var before = Contests.random(seed).snapshot();
    var after = Aftermath.swift(before, Settings.planner(seed).plan(before));
    assertThat(Aftermath.isSettled(after))
        .as(() -> "somebody stands in the way: " + after.nodes())
        .isTrue();
    for (NodeView room : after.nodes()) {
      assertThat(room.used().fitsIn(room.node().allocatable())).as(room::toString).isTrue();
      for (NodeView.Slot slot : room.slots()) {
        assertThat(slot.usedMillis() <= 1000).as(room::toString).isTrue();
      }
    }
  }

  /// A plan that does not wait for victims stays within limits even if none of the victims leaves.
  /// (Over one pool: limits count in each alone.)
  @ParameterizedTest
  @MethodSource("seeds")
  void planWithoutVictimsKeepsLimitsBesideVictimsThatRefuseToLeave(long seed) {
    var planner = new Planner(PlannerSettings.DEFAULT);
    var first = Contests.random(seed).snapshot();
    keepsLimits(first, planner.plan(first));
    var second = Aftermath.slow(first, planner.plan(first)); // some are still to be asked
    keepsLimits(second, planner.plan(second));
  }

  private static void keepsLimits(Snapshot snapshot, Plan plan) {
    var nothing = new Plan(0, snapshot.now(), List.of(), Instant.MAX, false, 0, new TreeSet<>());
    var before = queues(Aftermath.refused(snapshot, nothing));
    var after = queues(Aftermath.refused(snapshot, plan));
    for (int q = 0; q < after.size(); q++) {
      for (int r = 0; r < after.width(); r++) {
        long most = Math.max(after.limit(q, r), before.allocated(q, r));
        assertThat(after.allocated(q, r) <= most)
            .as(after.queue(q) + " is above its limit")
            .isTrue();
      }
    }
  }

  private static QueueTree queues(Snapshot snapshot) {
    return Session.over(snapshot, PlannerSettings.DEFAULT.defaultQueue()).queues();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noQueueGrowsAboveItsLimit(long seed) {
    var before = before(seed).queues();
    var after = carriedOut(seed, Contests.random(seed).snapshot()).queues();
    for (int q = 0; q < after.size(); q++) {
      for (int r = 0; r < after.width(); r++) {
        long most = Math.max(after.limit(q, r), before.allocated(q, r));
        assertThat(after.allocated(q, r) <= most)
            .as(after.queue(q) + " is above its limit")
            .isTrue();
        long fixed = Math.max(after.quota(q, r), before.nonPreemptible(q, r));
        assertThat(after.nonPreemptible(q, r) <= fixed || !after.isMeasured(q, r))
            .as(after.queue(q) + " has non-preemptible work above its quota")
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void groupsRunWholeOrNotAtAll(long seed) {
    for (Group group : carriedOut(seed, Contests.random(seed).snapshot()).groups()) {
      assertThat(!group.root().isAnyPlaced() || !group.isBelowMinimum())
          .as(() -> group.key() + " would run in part: " + group.seats())
          .isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyVictimLeavesForAGroupThatStarts(long seed) {
    var plan = Settings.planner(seed).plan(Contests.random(seed).snapshot());
    var leaving = new TreeSet<PodUid>();
    for (Decision decision : plan.decisions()) {
      assertThat(decision instanceof Decision.Evict).as(() -> "for nobody: " + decision).isFalse();
      if (decision instanceof Reserve reserve) {
        for (Victim victim : reserve.victims()) {
          assertThat(victim.beneficiary()).isEqualTo(reserve.group());
          assertThat(leaving.add(victim.uid())).as(() -> victim + " leaves twice").isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void onlyEvictablePodsLeave(long seed) {
    var session = carriedOut(seed, Contests.random(seed).snapshot());
    for (Group group : session.groups()) {
      boolean loses = false;
      for (MemberState seat : group.seats()) {
        if (seat.isVictim()) {
          mayBeAsked(session, group, seat, Settings.of(seed).strategy());
          loses |= seat.cause() != Cause.CONSOLIDATE && !seat.isPlaced();
        }
      }
      boolean fixedCore = group.group().preemptibility() == Preemptibility.SEMI_PREEMPTIBLE;
      assertThat(!loses || !fixedCore || !group.isBelowMinimum())
          .as(() -> group.key() + " lost its core")
          .isTrue();
    }
  }

  private static void mayBeAsked(
      Session session, Group group, MemberState seat, Strategy strategy) {
    var preemptor = session.group(seat.beneficiary()).orElseThrow();
    assertThat(preemptor.group().takesVictims())
        .as(() -> seat + " leaves for one who takes nobody")
        .isTrue();
    assertThat(group.isPreemptible()).as(() -> seat + " is not preemptible").isTrue();
    switch (seat.cause()) {
      case CONSOLIDATE -> {
        assertThat(preemptor.isPreemptible()).as(() -> seat + " moves").isTrue();
        assertThat(strategy)
            .as(() -> seat + " moves where work spreads")
            .isEqualTo(Strategy.DEFAULT);
      }
      case RECLAIM ->
          assertThat(group.queue() != preemptor.queue())
              .as(() -> seat + " is reclaimed by its own queue")
              .isTrue();
      case PREEMPT -> {
        assertThat(group.queue())
            .as(() -> seat + " is preempted from elsewhere")
            .isEqualTo(preemptor.queue());
        assertThat(group.group().priority() < preemptor.group().priority())
            .as(() -> seat + " is not less important")
            .isTrue();
      }
      case STALE, MAX_RUNTIME -> throw new AssertionError(seat + " leaves for nobody");
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noMoreLeaveThanDisruptionBudgetsAllow(long seed) {
    var snapshot = Contests.random(seed).snapshot();
    var leaving = new TreeSet<PodUid>();
    for (Decision decision : Settings.planner(seed).plan(snapshot).decisions()) {
      if (decision instanceof Reserve reserve) {
        reserve.victims().forEach(victim -> leaving.add(victim.uid()));
      }
    }
    for (DisruptionBudget budget : snapshot.budgets()) {
      int spent = 0;
      for (PodGroup group : snapshot.groups()) {
        for (PodGroup.Member member : group.members()) {
          boolean leaves = leaving.contains(member.pod().uid());
          spent += leaves && budget.covers(member.pod()) ? 1 : 0;
        }
      }
      int most = spent;
      assertThat(most <= budget.allowed()).as(() -> most + " leave: " + budget).isTrue();
    }
  }

  /// A victim that leaves against a budget leaves for another queue, and its own queue keeps its
  /// quota.
  @ParameterizedTest
  @MethodSource("seeds")
  void budgetsAreBrokenForWhatIsOwedAlone(long seed) {
    var snapshot = kept(seed);
    var planner = overruling();
    var against = new TreeSet<PodUid>();
    var within = new TreeSet<PodUid>();
    for (Decision decision : planner.plan(snapshot).decisions()) {
      for (Victim victim : victims(decision)) {
        (victim.againstBudgets() ? against : within).add(victim.uid());
        assertThat(!victim.againstBudgets() || victim.cause() == Cause.RECLAIM)
            .as(victim::toString)
            .isTrue();
      }
    }
    for (DisruptionBudget budget : snapshot.budgets()) {
      assertThat(covered(snapshot, budget, within) <= budget.allowed())
          .as(budget::toString)
          .isTrue();
    }
    var after = planner.carriedOut(snapshot, Collections.emptySortedMap());
    for (Group group : after.groups()) {
      for (MemberState seat : group.seats()) {
        if (against.contains(seat.pod().uid()) && !seat.isPlaced()) {
          keepsItsQuota(after.queues(), group);
        }
      }
    }
  }

  /// Debts are taken against budgets at once.
  private static Planner overruling() {
    var debts = new Debts(Duration.ZERO, Duration.ofMinutes(10));
    var actions = PlannerSettings.DEFAULT.actions().with(new Reclaiming(true, 1, debts));
    return new Planner(PlannerSettings.DEFAULT.with(actions));
  }

  /// The budget permits no eviction.
  private static Snapshot kept(long seed) {
    var nobody = new DisruptionBudget.Key("default", "nobody");
    var all = new DisruptionBudget(nobody, 1, new LabelSelector(List.of()), false, 0);
    return Contests.random(seed).snapshot().with(List.of(all));
  }

  /// So the law above says something.
  @Test
  void inSomeWorldsBudgetsAreBroken() {
    var planner = overruling();
    long broken =
        LongStream.range(0, 300)
            .filter(seed ->
                planner.plan(kept(seed)).decisions().stream()
                    .flatMap(decision -> victims(decision).stream())
                    .anyMatch(Victim::againstBudgets))
            .count();
    assertThat(broken > 10).as(() -> "worlds: " + broken).isTrue();
  }

  private static void keepsItsQuota(QueueTree queues, Group group) {
    int q = group.queue();
    int gpu = queues.gpu();
    assertThat(!queues.isMeasured(q, gpu) || queues.allocated(q, gpu) >= queues.quota(q, gpu))
        .as(() -> group + " leaves against a budget, and its queue has less than its quota")
        .isTrue();
  }

  private static List<Victim> victims(Decision decision) {
    return switch (decision) {
      case Reserve reserve -> reserve.victims();
      case Decision.Evict(_, var victims) -> victims;
      case Decision.Withdraw _, Decision.Wait _ -> List.of();
    };
  }

  private static int covered(Snapshot snapshot, DisruptionBudget budget, TreeSet<PodUid> pods) {
    int covered = 0;
    for (PodGroup group : snapshot.groups()) {
      for (PodGroup.Member member : group.members()) {
        boolean is = pods.contains(member.pod().uid()) && budget.covers(member.pod());
        covered += is ? 1 : 0;
      }
    }
    return covered;
  }

  // ---- plans after plans

  static LongStream chains() {
    return Seeds.chains(60);
  }

  private interface Obedience {
    Snapshot after(Snapshot before, Plan plan);
  }

  @ParameterizedTest
  @MethodSource("chains")
  void whereVictimsLeaveAtOncePlansComeToRest(long seed) {
    comesToRest(seed, Aftermath::swift);
  }

  @ParameterizedTest
  @MethodSource("chains")
  void whereVictimsTakeTheirTimePlansComeToRest(long seed) {
    comesToRest(seed, Aftermath::slow);
  }

  /// No plan is undone for ever: after so many rounds all that is left is to wait.
  private static void comesToRest(long seed, Obedience world) {
    var snapshot = Contests.random(seed).snapshot();
    var planner = Settings.planner(seed);
    var trail = new StringBuilder();
    var stale = new TreeMap<GroupKey, Instant>();
    for (int round = 0; round < 50; round++) {
      remember(snapshot, stale);
      var plan = planner.plan(snapshot, stale);
      boolean rests = plan.decisions().stream().allMatch(Decision.Wait.class::isInstance);
      if (rests && Aftermath.isSettled(snapshot) && noneIsInGrace(snapshot, stale)) {
        return;
      }
      trail.append(round).append(": ").append(told(plan)).append('\n');
      snapshot = world.after(snapshot, plan);
    }
    throw new AssertionError("no rest after 50 plans of seed " + seed + ":\n" + trail);
  }

  private static void remember(Snapshot snapshot, TreeMap<GroupKey, Instant> since) {
    for (PodGroup group : snapshot.groups()) {
      if (Staleness.isStale(group)) {
        since.putIfAbsent(group.key(), snapshot.now());
      } else {
        since.remove(group.key());
      }
    }
  }

  /// Those whose grace is over stay only where a disruption budget keeps them.
  private static boolean noneIsInGrace(Snapshot snapshot, TreeMap<GroupKey, Instant> since) {
    var overdue = snapshot.now().minus(PlannerSettings.DEFAULT.stalenessGracePeriod());
    return since.values().stream().noneMatch(overdue::isBefore);
  }

  private static String told(Plan plan) {
    var told = new ArrayList<String>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Reserve reserve -> {
          told.add(reserve.group().name() + " starts " + Expectations.places(reserve));
          reserve.victims().forEach(each -> told.add(each.pod().name() + " " + each.cause()));
        }
        case Decision.Withdraw(var group, _, _) -> told.add(group.name() + " is withdrawn");
        case Decision.Evict(var group, _) -> told.add(group.name() + " is evicted");
        case Decision.Wait _ -> {}
      }
    }
    return told.toString();
  }

  // ---- more capacity

  /// Shares grow with capacity, so a group without a reclaim right may get one: an extra node may
  /// cost a group something. What holds: with room for all waiting groups, only those take victims
  /// that a limit, a quota or their topology kept from that room.
  @ParameterizedTest
  @MethodSource("seeds")
  void withRoomForAllWaitingGroupsOnlyGatesAndDomainsCostAPlace(long seed) {
    var world = Contests.random(seed).node("spare", NodeSketch.gpus(64));
    var session = carriedOut(seed, world.snapshot());
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (seat.isVictim()) {
          var preemptor = session.group(seat.beneficiary()).orElseThrow();
          boolean bound = !preemptor.group().spec().topology().isNone();
          boolean stopped = session.reason(preemptor).isPresent();
          assertThat(bound || stopped)
              .as(() -> seat + " leaves for one who had room: " + preemptor.key())
              .isTrue();
        }
      }
    }
  }

  @Test
  void theWorldsAreNotIdle() {
    var victims = new TreeMap<Cause, Integer>();
    int chains = 0;
    for (long seed = 0; seed < 2400; seed++) {
      var before = Contests.random(seed).snapshot();
      var planner = Settings.planner(seed);
      var plan = planner.plan(before);
      for (Decision decision : plan.decisions()) {
        if (decision instanceof Reserve reserve) {
          reserve.victims().forEach(victim -> victims.merge(victim.cause(), 1, Integer::sum));
        }
      }
      var next = planner.plan(Aftermath.swift(before, plan));
      chains += next.decisions().stream().allMatch(Decision.Wait.class::isInstance) ? 0 : 1;
    }
    for (Cause cause : List.of(Cause.CONSOLIDATE, Cause.RECLAIM, Cause.PREEMPT)) {
      assertThat(victims.getOrDefault(cause, 0) > 10).as(cause + " in " + victims).isTrue();
    }
    assertThat(chains > 10).as("chains of two plans or more: " + chains).isTrue();
  }
}
