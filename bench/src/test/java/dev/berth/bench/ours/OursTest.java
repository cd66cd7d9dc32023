package dev.berth.bench.ours;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The engine and the copy of the cluster on which peers are measured say the same.
final class OursTest {
  private static final Trace TRACE =
      Worlds.trace(
          List.of(node(2, "T4"), node(4, "P100")),
          share(600),
          gpus(1),
          new Ask(1_000, 1_000, 1, 1000, "P100"),
          cpuOnly(90_000),
          gpus(2));

  private final Cluster cluster = Worlds.cluster(TRACE);
  private final Ours ours = new Ours(cluster);
  private int pods;

  private boolean places(int k) {
    var choice = ours.place(pods++, k);
    if (!choice.isNowhere()) {
      cluster.take(choice.node(), k, choice.mask()); // throws where it does not fit
    }
    return !choice.isNowhere();
  }

  @Test
  void theClusterIsFilledAndThenPodsAreRefused() {
    for (int i = 0; i < 6; i++) {
      assertThat(places(0)).as("share " + i).isTrue();
    }
    assertThat(places(0)).as("a seventh share of 600 on six GPUs").isFalse();
    assertThat(cluster.used()).isEqualTo(3_600);
  }

  @Test
  void modelsAndCpuAreObeyed() {
    for (int i = 0; i < 4; i++) {
      assertThat(places(2)).as("P100 " + i).isTrue();
    }
    assertThat(places(2)).as("a fifth P100").isFalse();
    assertThat(places(3)).as("90 of 96 cores of the T4 node").isTrue();
    assertThat(places(3)).as("90 of 92 cores left on the other").isTrue();
    assertThat(places(3)).as("nowhere").isFalse();
  }

  @Test
  void whatEndsLeavesRoom() {
    for (int i = 0; i < 6; i++) {
      assertThat(places(0)).as("share " + i).isTrue();
    }
    for (int pod = 0; pod < 6; pod++) {
      assertThat(places(1)).as("no whole GPU is free").isFalse();
    }
    for (int n = 0; n < 2; n++) {
      for (int gpu = 0; gpu < cluster.gpus(n); gpu++) {
        cluster.giveBack(n, 0, 1 << gpu);
      }
    }
    for (int pod = 0; pod < 6; pod++) {
      ours.ended(pod, 0);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(places(4)).as("two whole GPUs " + i).isTrue();
    }
  }
}
