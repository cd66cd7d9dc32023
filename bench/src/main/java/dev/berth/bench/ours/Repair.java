package dev.berth.bench.ours;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Moves;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Objects;

/// Berth where it may move what runs: first it places pods as [Ours] does, and moves nothing; then
/// [#repair] has the refused ones wait all at once, in the order in which they came, and
/// consolidation moves pods for them.
///
/// The engine with its default settings: at most `consolidation.maxMoves` pods for one that waits,
/// and no more GPUs than it requests. A pod that is moved is evicted, its owner makes another one,
/// and that is planned like any other; no pod is moved twice. A move takes no time here, and what
/// the pod had computed is not counted.
public final class Repair implements Policy {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final PlannerSettings STILL =
      PlannerSettings.DEFAULT.with(
          ActionSettings.DEFAULT.with(new ActionSettings.Consolidation(0)));

  /// The default settings, with searches that are not cut into slices: time does not count here.
  private static final PlannerSettings MOVING =
      PlannerSettings.DEFAULT.with(ActionSettings.DEFAULT.with(Searching.UNSLICED));

  private final Cluster cluster;
  private final LedgerCluster ledger;
  private final Ours placing;
  private final HashMap<Integer, Running> running = new HashMap<>(); // by pod; looked up only
  private final LinkedHashMap<Integer, Integer> waiting = new LinkedHashMap<>(); // pod: its class
  private final LinkedHashSet<Integer> moved = new LinkedHashSet<>();
  private final LinkedHashSet<Workload> resting = new LinkedHashSet<>();

  private record Running(int k, Choice at) {}

  /// What came of it.
  ///
  /// @param waited pods that had been refused
  /// @param started how many of them run now
  /// @param moves pods that were moved
  /// @param lost how many of these found no place again
  /// @param usedBefore thousandths of GPUs
  /// @param usedAfter the same
  public record Repaired(
      int waited, int started, int moves, int lost, long usedBefore, long usedAfter) {}

  public Repair(Cluster cluster) {
    this.cluster = cluster;
    ledger = new LedgerCluster(cluster, Preemptibility.BY_PRIORITY);
    placing = new Ours(ledger, STILL);
  }

  @Override
  public Choice place(int pod, int k) {
    var choice = placing.place(pod, k);
    if (choice.isNowhere()) {
      waiting.put(pod, k);
    } else {
      running.put(pod, new Running(k, choice));
    }
    return choice;
  }

  /// To be called once, after all pods were placed or refused and the cluster knows of them.
  ///
  /// @param mostMoves pods that may be moved in all
  /// @throws IllegalStateException if the engine moves more than that, or evicts for another reason
  public Repaired repair(int mostMoves) {
    int waited = waiting.size();
    long before = cluster.used();
    waiting.forEach(ledger::comesAgain);
    var planner = new Planner(MOVING).incremental();
    boolean goesOn = true;
    while (goesOn) {
      var now = ledger.snapshot();
      var may = new Moves(mostMoves - moved.size(), Instant.MAX, resting, Instant.MAX);
      var plan = planner.plan(now.with(may), Collections.emptySortedMap());
      goesOn = carryOut(plan, now.now()) || plan.searches();
    }
    if (moved.size() > mostMoves) {
      throw new IllegalStateException(moved.size() + " moves, of at most " + mostMoves);
    }
    int lost = (int) moved.stream().filter(waiting::containsKey).count();
    return new Repaired(
        waited, waited - (waiting.size() - lost), moved.size(), lost, before, cluster.used());
  }

  /// First all pods that leave, then all that come.
  ///
  /// @return whether anything changed
  private boolean carryOut(Plan plan, Instant now) {
    var withdrawn = new ArrayList<Decision.Withdraw>();
    var reserves = new ArrayList<Decision.Reserve>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> reserves.add(reserve);
        case Decision.Withdraw withdraw -> withdrawn.add(withdraw);
        case Decision.Wait _ -> {}
        case Decision.Evict _ -> throw new IllegalStateException("evicts for nothing: " + decision);
      }
    }
    var assumed = ledger.ledger().assume(withdrawn, reserves, now.plus(DEADLINE));
    var kept = new ArrayList<Reserved>();
    for (int i = 0; i < reserves.size(); i++) {
      if (assumed.get(i).isPresent()) {
        kept.addAll(reserves.get(i).block());
        kept.addAll(reserves.get(i).surplus());
        reserves.get(i).victims().forEach(this::moves);
      }
    }
    kept.forEach(this::starts);
    return !kept.isEmpty() || !withdrawn.isEmpty();
  }

  private void moves(Victim victim) {
    int pod = LedgerCluster.number(victim.pod());
    if (victim.cause() != Decision.Cause.CONSOLIDATE || !moved.add(pod)) {
      throw new IllegalStateException("not moved, or moved twice: " + victim);
    }
    ledger.ledger().pod(victim.uid()).ifPresent(seen -> resting.add(seen.workload()));
    var was = Objects.requireNonNull(running.remove(pod));
    cluster.giveBack(was.at.node(), was.k, was.at.mask());
    ledger.ends(pod);
    ledger.comesAgain(pod, was.k);
    waiting.put(pod, was.k);
  }

  private void starts(Reserved reserved) {
    int pod = LedgerCluster.number(reserved.pod());
    int k = Objects.requireNonNull(waiting.remove(pod));
    var at = ledger.runs(pod, k, reserved.placement());
    cluster.take(at.node(), k, at.mask());
    running.put(pod, new Running(k, at));
  }
}
