package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.trace.Ask;
import java.util.SplittableRandom;

/// One node that has room, uniformly; a share gets one of its GPUs that fit, uniformly.
final class RandomFit implements Policy {
  private final Cluster cluster;
  private final SplittableRandom random;
  private final int[] fitting;

  RandomFit(Cluster cluster, SplittableRandom random) {
    this.cluster = cluster;
    this.random = random;
    fitting = new int[cluster.nodes()];
  }

  @Override
  public Choice place(int pod, int k) {
    int count = 0;
    for (int n = 0; n < fitting.length; n++) {
      if (cluster.fits(n, k)) {
        fitting[count++] = n;
      }
    }
    if (count == 0) {
      return Choice.NOWHERE;
    }
    int n = fitting[random.nextInt(count)];
    var ask = cluster.asks().get(k);
    return new Choice(n, ask.isShare() ? 1 << oneOf(n, ask) : cluster.lowest(n, ask));
  }

  private int oneOf(int n, Ask ask) {
    int fits = 0;
    for (int gpu = 0; gpu < cluster.gpus(n); gpu++) {
      fits += cluster.free(n, gpu) >= ask.milli() ? 1 : 0;
    }
    int skip = random.nextInt(fits);
    int gpu = 0;
    while (cluster.free(n, gpu) < ask.milli() || skip-- > 0) {
      gpu++;
    }
    return gpu;
  }
}
