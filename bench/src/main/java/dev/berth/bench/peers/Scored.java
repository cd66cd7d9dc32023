package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;

/// Takes the best of all nodes by a [Scorer]; the first in the order of the run among equals.
final class Scored implements Policy {
  private final Cluster cluster;
  private final Scorer scorer;
  private final Scores scores;

  Scored(Cluster cluster, Scorer scorer) {
    this.cluster = cluster;
    this.scorer = scorer;
    scores = new Scores(cluster, scorer);
  }

  @Override
  public Choice place(int pod, int k) {
    var mine = scores.of(k);
    int best = -1;
    for (int n = 0; n < mine.length; n++) {
      if (mine[n] != Scores.UNFIT && (best < 0 || mine[n] > mine[best])) {
        best = n;
      }
    }
    if (best >= 0 && scorer.stretches()) {
      best = firstStretched(mine, mine[best]);
    }
    return best < 0 ? Choice.NOWHERE : new Choice(best, scorer.gpus(cluster, best, k));
  }

  /// Stretching to 0 … 100 in integers makes scores equal only where they differ by less than one
  /// step; then the first of them wins.
  private static int firstStretched(int[] scores, int largest) {
    int least = largest;
    for (int score : scores) {
      least = score == Scores.UNFIT ? least : Math.min(least, score);
    }
    for (int n = 0; n < scores.length; n++) {
      if (scores[n] != Scores.UNFIT
          && stretched(scores[n], least, largest) == stretched(largest, least, largest)) {
        return n;
      }
    }
    throw new AssertionError("the best node is not among the nodes");
  }

  static int stretched(int score, int least, int largest) {
    return least == largest ? 0 : (score - least) * 100 / (largest - least);
  }
}
