package dev.berth.bench.ours;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.cluster.Prioritizer;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.model.Preemptibility;
import java.util.Arrays;

/// Berth for pods that arrive ungated: `prioritize` scores the nodes that kube-scheduler found, and
/// `bind` chooses the GPUs on the one that it picked.
public final class OursAsExtender implements Prioritizer {
  private final LedgerCluster ledger;
  private final SinglePodPlanner alone;

  public OursAsExtender(Cluster cluster) {
    ledger = new LedgerCluster(cluster, Preemptibility.NON_PREEMPTIBLE);
    alone = SinglePodPlanner.over(ledger.snapshot(), PlannerSettings.DEFAULT);
  }

  @Override
  public int[] prioritize(int pod, int k, int[] offered) {
    alone.see(ledger.snapshot());
    var names = Arrays.stream(offered).mapToObj(LedgerCluster::name).toList();
    return alone.scores(ledger.pending(pod, k), names);
  }

  @Override
  public Choice bind(int pod, int k, int n) {
    var place = alone.placeOn(ledger.pending(pod, k), LedgerCluster.name(n));
    return ledger.runs(pod, k, place.orElseThrow());
  }
}
