package dev.berth.engine;

import dev.berth.engine.action.Action;
import dev.berth.engine.action.Allocate;
import dev.berth.engine.action.Consolidate;
import dev.berth.engine.action.EvictOverdue;
import dev.berth.engine.action.EvictStale;
import dev.berth.engine.action.Preempt;
import dev.berth.engine.action.Reclaim;
import dev.berth.engine.action.ReportMovesSpent;
import dev.berth.engine.action.ReportUnplaced;
import dev.berth.engine.action.Round;
import dev.berth.engine.fairness.Orders;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.Cancellation;
import dev.berth.engine.victims.SearchBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Runs the actions in order, each once, over the cluster as it would be: snapshot in, plan out.
///
/// A function: the same snapshot gives the same plan. It keeps nothing between two plans, so one
/// planner may be used by any number of threads; [#incremental] is for one alone.
public final class Planner {
  private final PlannerSettings settings;

  public Planner(PlannerSettings settings) {
    this.settings = settings;
  }

  public Plan plan(Snapshot snapshot) {
    return plan(snapshot, Collections.emptySortedMap());
  }

  /// @param staleSince since when each group is stale that is ([Staleness]); others may be left in
  public Plan plan(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    return incremental().plan(snapshot, staleSince);
  }

  /// The same plans, for one thread that plans one snapshot after the other.
  public IncrementalPlanner incremental() {
    return new IncrementalPlanner(this, settings);
  }

  /// Plans that stand beyond a limit or a quota of their queues, and are to be given back. None
  /// come of plans made here: for when a process begins, and when queues have changed.
  public List<Withdrawn> excess(Snapshot snapshot) {
    return OverLimitPlans.of(snapshot, settings.defaultQueue());
  }

  /// The cluster as it would be after a round.
  Session carriedOut(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    var kept = PlannerCache.over(snapshot, settings);
    var _ = carryOut(kept, staleSince, SearchEffort.A_SLICE, new Cancellation(() -> false));
    return kept.session();
  }

  /// @param kept over a snapshot, and nothing is changed in its session
  /// @return empty where it was dropped
  Optional<Plan> plan(
      PlannerCache kept,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      Cancellation cancellation) {
    var session = kept.session();
    long trials = carryOut(kept, staleSince, effort, cancellation);
    if (cancellation.dropsPlan()) {
      kept.progress().dropped();
      return Optional.empty();
    }
    var snapshot = session.snapshot();
    return Optional.of(
        new Plan(
            snapshot.version(),
            snapshot.now(),
            decisions(session),
            session.nextLook(),
            kept.progress().goesOn(),
            trials));
  }

  /// @return how many sets of those who might leave were tried
  private long carryOut(
      PlannerCache kept,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      Cancellation cancellation) {
    var session = kept.session();
    kept.progress().begin();
    kept.rankings().begin();
    var shares = Shares.of(session, settings.fairShare());
    var budget =
        new SearchBudget(
            settings.actions().trials(),
            slice(effort),
            settings.actions().exhaustive(),
            cancellation);
    var round =
        new Round(
            session,
            shares,
            new Orders(session, shares),
            new BlockPlacement(session, kept.rankings()),
            settings.strategy(),
            kept.candidates(),
            budget,
            cancellation,
            kept.progress(),
            settings.actions().wideFrom());
    for (Action action : actions(staleSince)) {
      if (cancellation.dropsPlan()) {
        break;
      }
      action.run(round);
    }
    return settings.actions().trials() - budget.trialsLeft();
  }

  private long slice(SearchEffort effort) {
    return switch (effort) {
      case AT_ONCE -> 0;
      case A_SLICE -> settings.actions().slice();
    };
  }

  private List<Action> actions(SortedMap<GroupKey, Instant> staleSince) {
    var may = settings.actions();
    var actions = new ArrayList<Action>();
    actions.add(new Allocate(settings.backfill()));
    if (may.consolidation().maxMoves() > 0) {
      actions.add(new Consolidate(may.consolidation()));
    }
    if (may.reclaiming().on()) {
      actions.add(new Reclaim(may.reclaiming()));
    }
    if (may.preempts()) {
      actions.add(new Preempt());
    }
    actions.add(new EvictStale(settings.stalenessGrace(), staleSince));
    actions.add(new EvictOverdue());
    actions.add(new ReportUnplaced());
    if (may.consolidation().maxMoves() > 0) {
      actions.add(new ReportMovesSpent());
    }
    return actions;
  }

  /// First who gives room back; then at most one for each group: those whose room is free now; then
  /// those for whom others leave, in the order in which they were made (each counts on what those
  /// before it left); then the others.
  private List<Decision> decisions(Session session) {
    var victims = victims(session);
    var lots = new ArrayList<Lot>();
    for (Group group : session.involved()) {
      lots.add(Lot.of(group, session.isPreemptor(group), victims));
    }
    var line = QueuePosition.of(session);
    var limits = LimitsUntilGone.of(session);
    var decisions = new ArrayList<Decision>();
    for (Lot lot : lots) {
      if (lot.anew || lot.group.seats().stream().anyMatch(MemberState::isWithdrawn)) {
        decisions.add(withdraw(lot));
      }
    }
    for (Lot lot : lots) {
      if (lot.isAtOnce() && !session.isPreemptor(lot.group)) {
        decision(session, line, limits, lot).ifPresent(decisions::add);
      }
    }
    for (Group group : session.preemptors()) {
      decision(session, line, limits, Lot.of(group, true, victims)).ifPresent(decisions::add);
    }
    for (Lot lot : lots) {
      if (!lot.isAtOnce() && !session.isPreemptor(lot.group)) {
        decision(session, line, limits, lot).ifPresent(decisions::add);
      }
    }
    return decisions;
  }

  /// What comes of a round for one group.
  ///
  /// @param anew whether plans of it that wait for room do not stay as they are: somebody who comes
  ///   before it takes that room, be it that others leave so that it has the same once more
  /// @param placed members that get a place, or get it anew
  /// @param victims who leaves for it
  /// @param awaited that it starts only with members who are still on their way out elsewhere
  private record Lot(
      Group group,
      boolean anew,
      List<MemberState> placed,
      List<Victim> victims,
      Optional<Reason> awaited) {
    static Lot of(Group group, boolean claims, Map<GroupKey, List<Victim>> victims) {
      var mine = victims.getOrDefault(group.key(), Collections.emptyList());
      boolean more = group.seats().stream().anyMatch(MemberState::isNew);
      boolean anew = group.isBroken() || claims && group.isTentative() && !more && !mine.isEmpty();
      var placed = new ArrayList<MemberState>();
      for (MemberState seat : group.seats()) {
        if (seat.isNew() || anew && seat.was() == MemberState.Was.TENTATIVE && seat.isPlaced()) {
          placed.add(seat);
        }
      }
      var awaited = group.awaited();
      return new Lot(
          group, anew, awaited.isEmpty() ? placed : Collections.emptyList(), mine, awaited);
    }

    /// Whether it gets new places, and none of them must be left by others first.
    boolean isAtOnce() {
      boolean waits = false;
      for (MemberState seat : placed) {
        waits |= seat.waits();
      }
      return !placed.isEmpty() && !waits;
    }
  }

  /// Who leaves, by whom they leave for.
  private TreeMap<GroupKey, List<Victim>> victims(Session session) {
    var victims = new TreeMap<GroupKey, List<Victim>>();
    for (Group group : session.involved()) {
      for (MemberState seat : group.seats()) {
        if (seat.isVictim()) {
          victims
              .computeIfAbsent(seat.beneficiary(), _ -> new ArrayList<>())
              .add(victim(session, seat));
        }
      }
    }
    return victims;
  }

  private Victim victim(Session session, MemberState seat) {
    var pod = seat.pod();
    return new Victim(
        pod.uid(),
        pod.key(),
        seat.cause(),
        seat.beneficiary(),
        grace(seat),
        session.placement(seat.now()),
        session.budgets().isAgainst(seat));
  }

  /// What is owed to another queue is not kept by a grace of a year.
  private Duration grace(MemberState seat) {
    var own = seat.pod().asks().manners().grace();
    var longest = settings.actions().reclaiming().debts().maxGracePeriod();
    return seat.cause() == Decision.Cause.RECLAIM && own.compareTo(longest) > 0 ? longest : own;
  }

  private Optional<Decision> decision(
      Session session, QueuePosition line, LimitsUntilGone limits, Lot lot) {
    var group = lot.group;
    var block = new ArrayList<Reserved>();
    var surplus = new ArrayList<Reserved>();
    for (MemberState seat : lot.placed) {
      (seat.isInBlock() ? block : surplus).add(reserved(session, seat));
    }
    if (!lot.placed.isEmpty()) {
      return Optional.of(
          new Decision.Reserve(
              group.key(),
              block,
              surplus,
              lot.victims,
              limits.needOthersToLeave(group),
              isFirm(session, lot),
              limits.awaitedBy(group)));
    }
    if (!lot.victims.isEmpty()) {
      return Optional.of(new Decision.Evict(group.key(), lot.victims));
    }
    boolean waits = group.lacksPlaces() || group.seats().stream().anyMatch(MemberState::isNew);
    return (waits ? lot.awaited.or(() -> session.reason(group)) : Optional.<Reason>empty())
        .map(reason -> new Decision.Wait(group.key(), reason, line.of(group)));
  }

  /// Whether others who come first could not have had these leave, and would have their room all
  /// the same; and others would have to leave for this one. So it is where some leave for their own
  /// queue alone, and where all leave within a queue from which nobody else may reclaim.
  private boolean isFirm(Session session, Lot lot) {
    return isKeptFromReclaim(session, lot) || isAmongTheirOwn(session, lot);
  }

  private boolean isKeptFromReclaim(Session session, Lot lot) {
    return unplaced(session, lot, Decision.Cause.PREEMPT).stream()
        .anyMatch(group -> isKeptFromReclaim(session, group));
  }

  /// Those who lose somebody to it. Looks at all whom the plan changes, where it has such victims.
  private static List<Group> unplaced(Session session, Lot lot, Decision.Cause cause) {
    if (lot.victims.stream().noneMatch(victim -> victim.cause() == cause)) {
      return Collections.emptyList();
    }
    return session.involved().stream()
        .filter(group ->
            group.seats().stream()
                .anyMatch(seat ->
                    seat.isVictim()
                        && seat.cause() == cause
                        && seat.beneficiary().equals(lot.group.key())))
        .toList();
  }

  /// Whether nothing is reclaimed at all, or a min-runtime is to keep a group from it.
  private boolean isKeptFromReclaim(Session session, Group group) {
    boolean kept = !settings.actions().reclaiming().on();
    for (int q : session.queues().chain(group.queue())) {
      kept |= !session.queues().queue(q).reclaimMinRuntime().isZero();
    }
    return kept;
  }

  /// Whether all from whom it reclaims are, as it is itself, below a queue that is within its
  /// quota, so that nobody outside of it may reclaim what it has; and nobody below it comes before
  /// the preemptor, whose room it would be.
  private static boolean isAmongTheirOwn(Session session, Lot lot) {
    var queues = session.queues();
    int top = top(queues, lot.group);
    if (top == QueueTree.NONE || top == lot.group.queue() || !isWithinQuota(queues, top)) {
      return false;
    }
    var unplaced = unplaced(session, lot, Decision.Cause.RECLAIM);
    return !unplaced.isEmpty()
        && unplaced.stream().allMatch(each -> each.queue() != top && top(queues, each) == top)
        && isFirstBelow(session, top, lot.group);
  }

  private static int top(QueueTree queues, Group group) {
    int[] chain = queues.chain(group.queue());
    return chain.length == 0 ? QueueTree.NONE : chain[chain.length - 1];
  }

  private static boolean isWithinQuota(QueueTree queues, int q) {
    boolean isWithin = true;
    for (int r = 0; r < queues.width(); r++) {
      isWithin &= queues.allocated(q, r) <= queues.quota(q, r);
    }
    return isWithin;
  }

  /// In the ordinary order of those who wait.
  private static boolean isFirstBelow(Session session, int top, Group preemptor) {
    for (Group group : session.refused()) {
      if (group == preemptor) {
        return true;
      }
      if (top(session.queues(), group) == top && !group.hasNewPlaces()) {
        return false;
      }
    }
    return true;
  }

  /// All of its plans that are not on their way yet, or those that go with members that leave.
  private static Decision withdraw(Lot lot) {
    var plans = new ArrayList<Withdrawn>();
    boolean opened = false;
    for (MemberState seat : lot.group.seats()) {
      if (seat.isWithdrawn() || lot.anew && seat.was() == MemberState.Was.TENTATIVE) {
        opened |= seat.isWithdrawn();
        plans.add(new Withdrawn(seat.pod().uid(), seat.pod().key(), seat.planned()));
      }
    }
    return new Decision.Withdraw(lot.group.key(), plans, opened);
  }

  private static Reserved reserved(Session session, MemberState seat) {
    var pod = seat.pod();
    return new Reserved(pod.uid(), pod.key(), session.placement(seat.now()));
  }
}
