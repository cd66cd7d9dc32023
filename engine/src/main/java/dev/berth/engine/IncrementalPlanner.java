package dev.berth.engine;

import dev.berth.engine.fairness.QueueAccounting;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MinRuntimeWait;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.Cancellation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/// A planner that keeps the sessions of its last plan, one for each node pool, and builds anew only
/// what changed since. Its plans are those of [Planner#plan]: it is quicker, and remembers nothing
/// that could be seen.
///
/// Of one thread at a time.
public final class IncrementalPlanner {
  private static final String WHOLE = "";

  private final PlanningRound round;
  private final PlannerSettings settings;
  private final PoolQueues queues = new PoolQueues();
  private TreeMap<String, PlannerCache> kept = new TreeMap<>();

  IncrementalPlanner(PlannerSettings settings) {
    this.round = new PlanningRound(settings);
    this.settings = settings;
  }

  /// With a slice of the searches that wait.
  ///
  /// @param staleSince since when each group is stale that is ([Staleness]); others may be left in
  public Plan plan(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    return plan(snapshot, staleSince, SearchEffort.A_SLICE);
  }

  /// @param staleSince since when each group is stale that is ([Staleness]); others may be left in
  public Plan plan(
      Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince, SearchEffort effort) {
    return planUnless(() -> false, snapshot, staleSince, effort).orElseThrow();
  }

  /// A plan that is dropped where something else is due meanwhile; searches keep what they came to.
  /// A search that has found victims is not interrupted: that plan comes to its end.
  ///
  /// @param due whether something else is due by now; asked often
  /// @param staleSince since when each group is stale that is ([Staleness]); others may be left in
  /// @return empty where it was dropped
  public Optional<Plan> planUnless(
      BooleanSupplier due,
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort) {
    var before = kept;
    kept = new TreeMap<>(); // whatever happens meanwhile: nothing half done is kept
    var cancellation = new Cancellation(due);
    if (settings.poolLabel().isEmpty()) {
      var whole = goOn(WHOLE, snapshot, before);
      var plan = round.plan(whole, staleSince, effort, cancellation);
      kept.put(WHOLE, whole);
      return plan;
    }
    var pools = Pools.of(settings.poolLabel(), snapshot);
    var sessions = new TreeMap<String, PlannerCache>();
    pools
        .divide(snapshot, queues)
        .forEach((name, pool) -> sessions.put(name, goOn(name, pool, before)));
    return plans(sessions, staleSince, effort, cancellation)
        .map(plans -> together(snapshot, sessions.keySet(), plans, pools.strays()));
  }

  /// One pool after the other: what one takes of a disruption budget is gone for those behind it.
  private Optional<List<Plan>> plans(
      TreeMap<String, PlannerCache> sessions,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      Cancellation cancellation) {
    var spent = new TreeMap<DisruptionBudget.Key, Integer>();
    sessions.values().forEach(each -> each.session().budgets().addTo(spent));
    var plans = new ArrayList<Plan>();
    for (PlannerCache each : sessions.values()) {
      each.session().standsBeside(others(each, sessions.values()));
      each.session().budgets().takeFrom(spent);
      var plan = round.plan(each, staleSince, effort, cancellation);
      if (plan.isEmpty()) {
        break;
      }
      plans.add(plan.get());
      each.session().budgets().addTo(spent);
    }
    kept.putAll(sessions);
    return plans.size() == sessions.size() ? Optional.of(plans) : Optional.empty();
  }

  /// Forgets all that is kept, also how far searches came: the next plan is as the first.
  public void beginAnew() {
    kept = new TreeMap<>();
  }

  /// The node pool in which nodes are; empty where nodes are not divided.
  public Optional<String> pool(Node node) {
    return settings.poolLabel().isEmpty()
        ? Optional.empty()
        : Optional.of(node.labels().getOrDefault(settings.poolLabel(), ""));
  }

  /// How queues stand in a snapshot, before anything is planned, in all and in each node pool.
  public Accounts accounts(Snapshot snapshot) {
    var before = kept;
    kept = new TreeMap<>();
    if (settings.poolLabel().isEmpty()) {
      return accounts(WHOLE, snapshot, before);
    }
    var pools = Pools.of(settings.poolLabel(), snapshot).divide(snapshot, queues);
    if (pools.isEmpty()) { // no node yet: still every queue stands somehow
      return accounts(WHOLE, snapshot, before);
    }
    var sum = Accounts.NONE;
    for (var pool : pools.entrySet()) {
      sum = sum.plus(accounts(pool.getKey(), pool.getValue(), before).ofPool(pool.getKey()));
    }
    return sum.of(snapshot.queues());
  }

  private Accounts accounts(String name, Snapshot snapshot, TreeMap<String, PlannerCache> before) {
    var from = goOn(name, snapshot, before);
    var accounts =
        QueueAccounting.of(from.session(), Shares.of(from.session(), settings.fairShare()));
    kept.put(name, from);
    return accounts;
  }

  private static List<Session> others(PlannerCache one, Collection<PlannerCache> all) {
    var others = new ArrayList<Session>();
    for (PlannerCache each : all) {
      if (each != one) {
        others.add(each.session());
      }
    }
    return others;
  }

  /// @param pools of which the plans are, in the same order
  private static Plan together(
      Snapshot snapshot, Collection<String> pools, List<Plan> plans, List<Decision> strays) {
    var reasons = new PoolReasons(snapshot.queues());
    var pool = pools.iterator();
    var decisions = new ArrayList<Decision>();
    Instant nextLook = Instant.MAX;
    boolean searches = false;
    long trials = 0;
    var minRuntimeWaits = new TreeSet<MinRuntimeWait>();
    for (Plan plan : plans) {
      minRuntimeWaits.addAll(plan.minRuntimeWaits());
      searches |= plan.searches();
      trials += plan.trials();
      decisions.addAll(reasons.named(pool.next(), plan.decisions()));
      nextLook = plan.nextLook().isBefore(nextLook) ? plan.nextLook() : nextLook;
    }
    decisions.addAll(strays);
    return new Plan(
        snapshot.version(), snapshot.now(), decisions, nextLook, searches, trials, minRuntimeWaits);
  }

  /// All of the cluster, or one pool of it.
  private PlannerCache goOn(String name, Snapshot snapshot, TreeMap<String, PlannerCache> before) {
    var last = before.get(name);
    return last != null && last.goOn(snapshot) ? last : PlannerCache.over(snapshot, settings);
  }
}
