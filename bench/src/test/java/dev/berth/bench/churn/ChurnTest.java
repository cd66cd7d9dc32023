package dev.berth.bench.churn;

import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Fragmentation;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.peers.Peer;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class ChurnTest {
  private static final Trace ONE = Worlds.trace(List.of(node(1, "T4")), gpus(1));

  private static Policy firstFit(Cluster cluster) {
    return Peer.GPU_PACKING.on(cluster, Fragmentation.of(ONE, cluster), new SplittableRandom(1));
  }

  /// One GPU. From 1 to 3: counted from 2 on. 2.5 is lost. 3 comes as the first one ends, to 4.
  @Test
  void whatDoesNotFitIsLostAndWhatEndedLeavesRoom() {
    var traffic =
        new ArrivalTrace(
            ONE, 42, 1, new int[] {0, 0, 0}, new double[] {1, 2.5, 3}, new double[] {2, 9, 1});
    var run = ChurnRun.of(traffic, ChurnTest::firstFit);
    assertThat(run.allocation()).isCloseTo(100 * 2 / 4.0, within(1e-9)); // 2 … 4 of 2 … 6
    assertThat(run.accepted()).isCloseTo(50, within(1e-9)); // of those at 2.5 and 3
  }

  @Test
  void podThatStaysBeyondTheEndCountsToTheEnd() {
    var traffic = new ArrivalTrace(ONE, 42, 1, new int[] {0}, new double[] {5}, new double[] {9});
    var run = ChurnRun.of(traffic, ChurnTest::firstFit);
    assertThat(run.allocation()).isCloseTo(100 * 1 / 4.0, within(1e-9));
    assertThat(run.accepted()).isCloseTo(100, within(1e-9));
  }

  /// 100 nodes of 8 GPUs and pods of one: 800 a mean life at load 1.
  @Test
  void podsComeAtTheRateThatTheLoadAsks() {
    var trace = Worlds.trace(Collections.nCopies(100, node(8, "G2")), gpus(1));
    assertThat(ArrivalTrace.rate(trace, 1.1)).isCloseTo(880, within(1e-9));
    var traffic = ArrivalTrace.of(trace, 42, 1);
    assertThat(traffic.times().length).isBetween(4_500, 5_100);
    assertThat(Arrays.stream(traffic.lives()).average().orElse(0)).isBetween(0.95, 1.05);
    assertThat(traffic.times()).isSorted();
    assertThat(traffic.times()[traffic.times().length - 1]).isLessThan(ArrivalTrace.END);
  }
}
