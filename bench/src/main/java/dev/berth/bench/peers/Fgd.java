package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;

/// Fragmentation Gradient Descent: the node whose fragmentation grows least, or shrinks most.
///
/// The score is ⌊100 σ((before − after) / 1000)⌋ of the node's fragmentation in thousandths. A
/// share tries every GPU that fits and takes the first of the largest score; whole GPUs are the
/// lowest free ones. The integer cut is part of the rule: with the fixed order of nodes it makes
/// nodes of one score fill one after the other.
public final class Fgd implements Scorer {
  private final Fragmentation fragmentation;

  public Fgd(Fragmentation fragmentation) {
    this.fragmentation = fragmentation;
  }

  @Override
  public int score(Cluster cluster, int n, int k) {
    return best(cluster, n, k) >> Cluster.WIDTH;
  }

  @Override
  public int gpus(Cluster cluster, int n, int k) {
    return best(cluster, n, k) & (1 << Cluster.WIDTH) - 1;
  }

  /// Score and GPUs in one.
  private int best(Cluster cluster, int n, int k) {
    var ask = cluster.asks().get(k);
    long before = fragmentation.of(cluster, n);
    if (!ask.isShare()) {
      int mask = cluster.lowest(n, ask);
      long after = fragmentation.with(cluster, n, ask.cpu(), mask, ask.milli());
      return cut(before - after) << Cluster.WIDTH | mask;
    }
    int best = -1;
    int mask = 0;
    for (int gpu = 0; gpu < cluster.gpus(n); gpu++) {
      if (cluster.free(n, gpu) < ask.milli() || isLikeEarlier(cluster, n, gpu)) {
        continue;
      }
      int score = cut(before - fragmentation.with(cluster, n, ask.cpu(), 1 << gpu, ask.milli()));
      if (score > best) {
        best = score;
        mask = 1 << gpu;
      }
    }
    return best << Cluster.WIDTH | mask;
  }

  /// An equal GPU of lower index has the same score and comes first.
  private static boolean isLikeEarlier(Cluster cluster, int n, int gpu) {
    for (int earlier = 0; earlier < gpu; earlier++) {
      if (cluster.free(n, earlier) == cluster.free(n, gpu)) {
        return true;
      }
    }
    return false;
  }

  private int cut(long less) {
    double x = (double) less / fragmentation.covered() / 1000;
    return (int) (100 / (1 + Math.exp(-x)));
  }
}
