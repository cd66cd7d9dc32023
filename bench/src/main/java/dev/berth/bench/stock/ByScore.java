package dev.berth.bench.stock;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.cluster.Prioritizer;
import java.util.SplittableRandom;

/// kube-scheduler with an extender that only scores. Its own scores count as equal.
final class ByScore implements Policy {
  private final NodeSampling search;
  private final Prioritizer extender;
  private final boolean randomTies;
  private final SplittableRandom ties;

  ByScore(Cluster cluster, Prioritizer extender, Setting setting, SplittableRandom ties) {
    this.search = new NodeSampling(cluster, setting.samples());
    this.extender = extender;
    this.randomTies = setting.randomTies();
    this.ties = ties;
  }

  @Override
  public Choice place(int pod, int k) {
    var offered = search.nodesFor(k);
    if (offered.length == 0) {
      return Choice.NOWHERE;
    }
    return extender.bind(pod, k, offered[best(extender.prioritize(pod, k, offered))]);
  }

  private int best(int[] scores) {
    int best = 0;
    int equal = 1;
    for (int i = 1; i < scores.length; i++) {
      if (scores[i] > scores[best]) {
        best = i;
        equal = 1;
      } else if (randomTies && scores[i] == scores[best] && ties.nextInt(++equal) == 0) {
        best = i; // each of the equal ones with the same probability
      }
    }
    return best;
  }
}
