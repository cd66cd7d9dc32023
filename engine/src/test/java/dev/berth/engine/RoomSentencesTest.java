package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What must be released is enough.
final class RoomSentencesTest {
  private static final long H100_MIB = 81_559;

  /// 60000 MiB are 736 thousandths, and 40000 MiB 491: 227 lack, which are 18514 MiB.
  @Test
  void whatMustBeReleasedOfMemoryCountsTheRoundingToThousandths() {
    assertThat(
            cluster()
                .node("n1", gpus(1).deviceMemory(H100_MIB))
                .running("share", "default", pods(1).memory(60_000).nonPreemptible())
                .waiting("x", "default", gang(1).memory(40_000))
                .plan()
                .tells("x"))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 40000 MiB of a GPU (at most 21531 MiB of"
                + " one is free); of 1 node 1 without enough room on a GPU. Helps: 18514 MiB"
                + " released on a GPU with 21531 MiB free, or more nodes.");
  }

  @Test
  void soItIsOfEachOfSeveralGpus() {
    var world =
        cluster()
            .node("n1", gpus(2).deviceMemory(H100_MIB))
            .running("one", "default", pods(1).memory(60_000).nonPreemptible())
            .running("other", "default", pods(1).memory(50_000).nonPreemptible());
    assertThat(world.waiting("x", "default", gang(1).memory(40_000, 2)).plan().tells("x"))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 40000 MiB of each of 2 GPUs of one node"
                + " (on the nearest node 31481 MiB and 21531 MiB are free); of 1 node 1 without"
                + " enough room on a GPU. Helps: 8564 MiB and 18514 MiB released on 2 GPUs of that"
                + " node, or more nodes.");
  }
}
