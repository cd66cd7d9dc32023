package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;

/// Shared GPUs before free GPUs of used nodes, and these before unused nodes.
final class GpuPacking implements Scorer {
  @Override
  public int score(Cluster cluster, int n, int k) {
    var ask = cluster.asks().get(k);
    if (ask.isCpuOnly()) {
      return 0;
    }
    if (cluster.freeSum(n) == 1000 * cluster.gpus(n)) {
      return 33 - cluster.gpus(n);
    }
    int mask = cluster.fullest(n, ask);
    int opened = 0;
    int left = 0;
    for (int gpu = 0; gpu < cluster.gpus(n); gpu++) {
      if ((mask & 1 << gpu) != 0) {
        opened += cluster.free(n, gpu) == 1000 ? 1 : 0;
        left += cluster.free(n, gpu) * 100 / 1000;
      }
    }
    return opened > 0 ? Math.max(33, 50 - opened) : Math.max(50, 100 - left / 10);
  }
}
