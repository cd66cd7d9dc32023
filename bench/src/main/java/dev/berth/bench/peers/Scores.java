package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import java.util.Arrays;

/// The scores of all nodes by a [Scorer], kept by class of pod and made anew only for nodes that
/// changed since.
final class Scores {
  /// A node without room.
  static final int UNFIT = Integer.MIN_VALUE;

  private final Cluster cluster;
  private final Scorer scorer;
  private final int[][] scores;
  private final int[][] stamps;

  Scores(Cluster cluster, Scorer scorer) {
    this.cluster = cluster;
    this.scorer = scorer;
    scores = new int[cluster.asks().size()][0];
    stamps = new int[cluster.asks().size()][0];
  }

  /// By node, as things are now; not to be kept.
  int[] of(int k) {
    if (scores[k].length == 0) {
      scores[k] = new int[cluster.nodes()];
      stamps[k] = new int[cluster.nodes()];
      Arrays.fill(stamps[k], -1);
    }
    var mine = scores[k];
    var seen = stamps[k];
    for (int n = 0; n < mine.length; n++) {
      if (seen[n] != cluster.stamp(n)) {
        seen[n] = cluster.stamp(n);
        mine[n] = cluster.fits(n, k) ? scorer.score(cluster, n, k) : UNFIT;
      }
    }
    return mine;
  }
}
