package dev.berth.engine;

import dev.berth.engine.action.Action;
import dev.berth.engine.action.Allocate;
import dev.berth.engine.action.Consolidate;
import dev.berth.engine.action.EvictStale;
import dev.berth.engine.action.Preempt;
import dev.berth.engine.action.Reclaim;
import dev.berth.engine.action.Round;
import dev.berth.engine.action.TellLosers;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.placement.Blocks;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.MinimalVictims.Budget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Runs the actions in order, each once, over the cluster as it would be: snapshot in, plan out.
///
/// A function: the same snapshot gives the same plan. It keeps nothing between two plans, so one
/// planner may be used by any number of threads.
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
    if (settings.poolLabel().isEmpty()) {
      return planOne(snapshot, staleSince);
    }
    var pools = Pools.of(settings.poolLabel(), snapshot);
    var decisions = new ArrayList<Decision>();
    Instant nextLook = Instant.MAX;
    for (Snapshot pool : pools.divide(snapshot)) {
      var plan = planOne(pool, staleSince);
      decisions.addAll(plan.decisions());
      nextLook = plan.nextLook().isBefore(nextLook) ? plan.nextLook() : nextLook;
    }
    decisions.addAll(pools.strays());
    return new Plan(snapshot.version(), snapshot.now(), decisions, nextLook);
  }

  /// All of the cluster, or one pool of it.
  private Plan planOne(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    var session = carriedOut(snapshot, staleSince);
    return new Plan(snapshot.version(), snapshot.now(), decisions(session), session.nextLook());
  }

  /// The cluster as it would be after a round.
  Session carriedOut(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    var session = Session.forPlanning(snapshot, settings.defaultQueue());
    var round =
        new Round(
            session,
            Shares.of(session, settings.fairShare()),
            new Blocks(session, settings.strategy()),
            settings.strategy(),
            new Budget(settings.trials(), Integer.MAX_VALUE));
    for (Action action : actions(staleSince)) {
      action.run(round);
    }
    return session;
  }

  private List<Action> actions(SortedMap<GroupKey, Instant> staleSince) {
    return List.of(
        new Allocate(settings.backfill()),
        new Consolidate(),
        new Reclaim(settings.reclaimMultiplier()),
        new Preempt(),
        new EvictStale(settings.stalenessGrace(), staleSince),
        new TellLosers());
  }

  /// At most one for each group: first those that give room back; then those whose room is free
  /// now; then those for whom others leave, in the order in which they were made (each counts on
  /// what those before it left); then the others.
  private static List<Decision> decisions(Session session) {
    var victims = victims(session);
    var line = InLine.of(session);
    var decisions = new ArrayList<Decision>();
    for (Group group : session.groups()) {
      if (group.isBroken()) {
        decisions.add(withdraw(group));
      }
    }
    for (Group group : session.groups()) {
      if (isAtOnce(group) && !session.isClaimant(group)) {
        decision(session, line, group, Collections.emptyList()).ifPresent(decisions::add);
      }
    }
    for (Group group : session.claimants()) {
      if (!group.isBroken()) {
        var mine = victims.getOrDefault(group.key(), Collections.emptyList());
        decision(session, line, group, mine).ifPresent(decisions::add);
      }
    }
    for (Group group : session.groups()) {
      if (!group.isBroken() && !isAtOnce(group) && !session.isClaimant(group)) {
        var mine = victims.getOrDefault(group.key(), Collections.emptyList());
        decision(session, line, group, mine).ifPresent(decisions::add);
      }
    }
    return decisions;
  }

  /// Whether it gets new places, and none of them must be left by others first.
  private static boolean isAtOnce(Group group) {
    boolean any = false;
    for (Seat seat : group.seats()) {
      if (seat.isBroken() || seat.isNew() && seat.waits()) {
        return false;
      }
      any |= seat.isNew();
    }
    return any;
  }

  /// Who leaves, by whom they leave for.
  private static TreeMap<GroupKey, List<Victim>> victims(Session session) {
    var victims = new TreeMap<GroupKey, List<Victim>>();
    for (Group group : session.groups()) {
      for (Seat seat : group.seats()) {
        if (seat.isVictim()) {
          var pod = seat.pod();
          victims
              .computeIfAbsent(seat.beneficiary(), _ -> new ArrayList<>())
              .add(new Victim(pod.uid(), pod.key(), seat.cause(), seat.beneficiary()));
        }
      }
    }
    return victims;
  }

  private static Optional<Decision> decision(
      Session session, InLine line, Group group, List<Victim> victims) {
    var block = new ArrayList<Reserved>();
    var surplus = new ArrayList<Reserved>();
    for (Seat seat : group.seats()) {
      if (seat.isNew()) {
        (seat.isInBlock() ? block : surplus).add(reserved(session, seat));
      }
    }
    if (!block.isEmpty() || !surplus.isEmpty()) {
      return Optional.of(new Decision.Reserve(group.key(), block, surplus, victims));
    }
    if (!victims.isEmpty()) {
      return Optional.of(new Decision.Evict(group.key(), victims));
    }
    return session
        .reason(group)
        .map(reason -> new Decision.Wait(group.key(), reason, line.of(group)));
  }

  /// All of its plans that are not on their way yet.
  private static Decision withdraw(Group group) {
    var plans = new ArrayList<Withdrawn>();
    for (Seat seat : group.seats()) {
      if (seat.was() == Seat.Was.TENTATIVE
          && seat.member().standing() instanceof Standing.Planned(var plan, _)) {
        plans.add(new Withdrawn(seat.pod().uid(), seat.pod().key(), plan));
      }
    }
    return new Decision.Withdraw(group.key(), plans);
  }

  private static Reserved reserved(Session session, Seat seat) {
    var pod = seat.pod();
    return new Reserved(pod.uid(), pod.key(), session.placement(seat.now()));
  }
}
