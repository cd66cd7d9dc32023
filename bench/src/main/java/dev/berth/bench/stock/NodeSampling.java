package dev.berth.bench.stock;

import dev.berth.bench.cluster.Cluster;
import java.util.Arrays;

/// The nodes with room that kube-scheduler finds for a pod: all of them, or enough of them, round
/// robin from where the last search stopped.
final class NodeSampling {
  private final Cluster cluster;
  private final int enough;
  private final int[] found;
  private int start;

  NodeSampling(Cluster cluster, boolean samples) {
    this.cluster = cluster;
    enough = samples ? Setting.enough(cluster.nodes()) : cluster.nodes();
    found = new int[cluster.nodes()];
  }

  /// In the order of the search.
  int[] nodesFor(int k) {
    int nodes = cluster.nodes();
    int count = 0;
    int seen = 0;
    for (; seen < nodes && count < enough; seen++) {
      int n = (start + seen) % nodes;
      if (cluster.fits(n, k)) {
        found[count++] = n;
      }
    }
    start = enough == nodes ? 0 : (start + seen) % nodes;
    return Arrays.copyOf(found, count);
  }
}
