package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;

/// The node whose free CPU and GPUs are least aligned with what the pod asks.
final class DotProd implements Scorer {
  private static final double CPU = 128_000;
  private static final double GPU = 8_000;

  @Override
  public int score(Cluster cluster, int n, int k) {
    var ask = cluster.asks().get(k);
    double product =
        cluster.cpu(n) / CPU * (ask.cpu() / CPU)
            + cluster.freeSum(n) / GPU * (ask.gpuMillis() / GPU);
    return (int) Math.floor(100 * (1 - product / 2));
  }
}
