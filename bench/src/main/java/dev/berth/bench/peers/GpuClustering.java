package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;

/// Pods of one kind (shares, or with as many GPUs) together, then the fuller node.
final class GpuClustering implements Scorer {
  @Override
  public int score(Cluster cluster, int n, int k) {
    var ask = cluster.asks().get(k);
    if (ask.isCpuOnly()) {
      return 0;
    }
    int alike = cluster.ofKind(n, ask);
    int all = cluster.withGpus(n);
    int company = all == 0 ? 25 : alike == 0 ? 0 : alike == all ? 75 : 50;
    return 25 * (8_000 - cluster.freeSum(n)) / 8_000 + company;
  }
}
