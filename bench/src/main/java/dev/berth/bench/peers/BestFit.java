package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;

/// The node with the least left of CPU and GPUs, both weighed alike.
final class BestFit implements Scorer {
  @Override
  public int score(Cluster cluster, int n, int k) {
    var ask = cluster.asks().get(k);
    int cpu = cluster.cpu(n) - ask.cpu();
    int gpu = cluster.freeSum(n) - ask.gpuMillis();
    // 100 (1 − ½ cpu / 128,000 − ½ gpu / 8,000), cut downwards, without rounding before
    return (int) Math.floorDiv(100L * 256_000 - 100L * cpu - 1_600L * gpu, 256_000L);
  }

  @Override
  public boolean stretches() {
    return true;
  }
}
