package dev.berth.bench.stock;

import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.cluster.Prioritizer;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;
import java.util.Collections;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class StockTest {
  private static final Trace TRACE = Worlds.trace(Collections.nCopies(300, node(1, "T4")), gpus(1));

  private final Cluster cluster = Worlds.cluster(TRACE);

  /// All nodes are as good.
  private static final Prioritizer EQUAL =
      new Prioritizer() {
        @Override
        public int[] prioritize(int pod, int k, int[] offered) {
          return new int[offered.length];
        }

        @Override
        public Choice bind(int pod, int k, int n) {
          return new Choice(n, 1);
        }
      };

  @Test
  void enoughIsTheFormulaOfKubeScheduler() {
    assertThat(Setting.enough(1_213)).isEqualTo(497);
    assertThat(Setting.enough(99)).isEqualTo(99);
    assertThat(Setting.enough(100)).isEqualTo(100); // 50 %, but 100 at least
    assertThat(Setting.enough(10_000)).isEqualTo(500); // 5 % at least
  }

  @Test
  void aSampledSearchGoesOnWhereTheLastOneStopped() {
    var search = new NodeSampling(cluster, true);
    int enough = Setting.enough(300); // 48 % = 144
    assertThat(search.nodesFor(0)).hasSize(enough).startsWith(0).endsWith(enough - 1);
    assertThat(search.nodesFor(0)).startsWith(enough).endsWith(2 * enough - 1);
    assertThat(search.nodesFor(0)).startsWith(2 * enough).endsWith(3 * enough - 1 - 300);
  }

  @Test
  void aSearchOfAllNodesBeginsAtTheFirst() {
    var search = new NodeSampling(cluster, false);
    cluster.take(1, 0, 1);
    for (int i = 0; i < 3; i++) {
      assertThat(search.nodesFor(0)).hasSize(299).startsWith(0, 2);
    }
  }

  @Test
  void tiesAreBrokenUniformlyOrByOrder() {
    var random = new int[3];
    var offered = Worlds.cluster(Worlds.trace(Collections.nCopies(3, node(1, "T4")), gpus(1)));
    var ties =
        new ByScore(offered, EQUAL, new Setting("", false, true, 10), new SplittableRandom(1));
    var order =
        new ByScore(offered, EQUAL, new Setting("", false, false, 10), new SplittableRandom(1));
    for (int i = 0; i < 3_000; i++) {
      random[ties.place(i, 0).node()]++;
      assertThat(order.place(i, 0).node()).isZero();
    }
    assertThat(Arrays.stream(random).min().orElse(0)).isGreaterThan(900);
  }

  /// The planned node is the last one: two searches of 144 nodes pass it by, the third meets it.
  @Test
  void aPlannedNodeIsLookedForUntilASearchMeetsIt() {
    var policy =
        new ByFilter(cluster, (_, _) -> new Choice(299, 1), new Setting("", true, true, 10));
    assertThat(policy.place(0, 0).node()).isEqualTo(299);
    assertThat(policy.attemptsPerPod()).isEqualTo(3);
  }
}
