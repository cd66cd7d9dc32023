package dev.berth.bench.ours;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Preemptibility;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Optional;

/// Berth's engine as it ships, with its default settings: the pod is recorded in the ledger, the
/// planner plans a snapshot of it, and the pod then runs where the plan says. A pod without a place
/// leaves.
public final class Ours implements Policy {
  private final LedgerCluster ledger;
  private final IncrementalPlanner planner;

  public Ours(Cluster cluster) {
    this(new LedgerCluster(cluster, Preemptibility.NON_PREEMPTIBLE), PlannerSettings.DEFAULT);
  }

  Ours(LedgerCluster ledger, PlannerSettings settings) {
    this.ledger = ledger;
    planner = new Planner(settings).incremental();
  }

  @Override
  public Choice place(int pod, int k) {
    ledger.comes(pod, k);
    var place = placement(planner.plan(ledger.snapshot(), Collections.emptySortedMap()));
    if (place.isEmpty()) {
      ledger.leaves(pod);
      return Choice.NOWHERE;
    }
    return ledger.runs(pod, k, place.get());
  }

  @Override
  public void ended(int pod, int k) {
    ledger.ends(pod);
  }

  private static Optional<Placement> placement(Plan plan) {
    var place = Optional.<Placement>empty();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve(_, var block, var surplus, var victims, _, _, _) -> {
          var placed = new ArrayList<Reserved>(block);
          placed.addAll(surplus);
          if (place.isPresent() || placed.size() != 1 || !victims.isEmpty()) {
            throw new IllegalStateException("one pod, but planned " + decision);
          }
          place = Optional.of(placed.getFirst().placement());
        }
        case Decision.Wait _ -> {}
        case Decision.Evict _, Decision.Withdraw _ ->
            throw new IllegalStateException("one pod, but planned " + decision);
      }
    }
    return place;
  }
}
