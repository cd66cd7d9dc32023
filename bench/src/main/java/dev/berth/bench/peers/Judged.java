package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.cluster.Prioritizer;

/// A rule as an extender: it scores the nodes that it is offered, and another picks one.
final class Judged implements Prioritizer {
  private final Cluster cluster;
  private final Scorer scorer;
  private final Scores scores;
  private final int most;

  /// @param most scores are 0 … 10 or 0 … 100
  Judged(Cluster cluster, Scorer scorer, int most) {
    this.cluster = cluster;
    this.scorer = scorer;
    this.most = most;
    scores = new Scores(cluster, scorer);
  }

  @Override
  public int[] prioritize(int pod, int k, int[] offered) {
    var mine = scores.of(k);
    int least = Integer.MAX_VALUE;
    int largest = Integer.MIN_VALUE;
    for (int n : offered) {
      least = Math.min(least, mine[n]);
      largest = Math.max(largest, mine[n]);
    }
    var given = new int[offered.length];
    for (int i = 0; i < given.length; i++) {
      int score = mine[offered[i]];
      given[i] =
          (scorer.stretches() ? Scored.stretched(score, least, largest) : score) * most / 100;
    }
    return given;
  }

  @Override
  public Choice bind(int pod, int k, int n) {
    return new Choice(n, scorer.gpus(cluster, n, k));
  }
}
