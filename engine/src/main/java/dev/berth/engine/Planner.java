package dev.berth.engine;

import dev.berth.engine.action.Action;
import dev.berth.engine.action.Allocate;
import dev.berth.engine.action.EvictStale;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
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
    var session = Session.over(snapshot, settings.defaultQueue());
    for (Action action : actions(staleSince)) {
      action.run(session);
    }
    return new Plan(snapshot.version(), snapshot.now(), decisions(session));
  }

  private List<Action> actions(SortedMap<GroupKey, Instant> staleSince) {
    return List.of(
        new Allocate(settings.strategy()), new EvictStale(settings.stalenessGrace(), staleSince));
  }

  /// By group, at most one each.
  private static List<Decision> decisions(Session session) {
    var victims = victims(session);
    var decisions = new ArrayList<Decision>();
    for (Group group : session.groups()) {
      var mine = victims.getOrDefault(group.key(), Collections.emptyList());
      decision(session, group, mine).ifPresent(decisions::add);
    }
    return decisions;
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

  private static Optional<Decision> decision(Session session, Group group, List<Victim> victims) {
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
    return session.reason(group).map(reason -> new Decision.Wait(group.key(), reason));
  }

  private static Reserved reserved(Session session, Seat seat) {
    var pod = seat.pod();
    return new Reserved(pod.uid(), pod.key(), session.placement(seat.now()));
  }
}
