package dev.berth.bench.stock;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;

/// kube-scheduler with an extender whose `filter` leaves the one planned node. The plan is made
/// first and its room is held, so the pod is tried again until the search comes by that node: how
/// often, without a nomination (with it, the planned node is looked at first, and once is enough).
final class ByFilter implements Policy {
  private static final int MOST = 1_000;

  private final Policy planner;
  private final NodeSampling search;
  private long placed;
  private long attempts;
  private int most;

  ByFilter(Cluster cluster, Policy planner, Setting setting) {
    this.planner = planner;
    this.search = new NodeSampling(cluster, setting.samples());
  }

  @Override
  public Choice place(int pod, int k) {
    var planned = planner.place(pod, k);
    if (!planned.isNowhere()) {
      placed++;
      int tries = 1;
      while (!isOffered(planned.node(), k)) {
        if (++tries > MOST) {
          throw new IllegalStateException(
              "node " + planned.node() + " is planned, but has no room");
        }
      }
      attempts += tries;
      most = Math.max(most, tries);
    }
    return planned;
  }

  private boolean isOffered(int node, int k) {
    for (int n : search.nodesFor(k)) {
      if (n == node) {
        return true;
      }
    }
    return false;
  }

  /// Searches for a pod until it was bound, on the average.
  double attemptsPerPod() {
    return placed == 0 ? 0 : (double) attempts / placed;
  }

  int mostAttempts() {
    return most;
  }
}
