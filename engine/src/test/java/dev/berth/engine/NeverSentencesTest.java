package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import org.junit.jupiter.api.Test;

/// What never fits is told of the nodes where the pods may be, and with what could be changed.
final class NeverSentencesTest {
  @Test
  void nodesOutsideTheSelectorAreNotCounted() {
    assertThat(
            cluster()
                .node("a1", gpus(4).label("pool", "a"))
                .node("b1", gpus(8))
                .node("b2", gpus(8))
                .running("runs", "default", pods(4).on("b1").gpus(1))
                .waiting("train", "default", gang(3).gpus(2).selects("pool", "a"))
                .plan()
                .tells("train"))
        .contains("; the 1 node where it may be fits 2 of 3 pods, even if it is empty. Helps: ")
        .contains("another nodeSelector")
        .endsWith("or more such nodes.");
  }

  @Test
  void severalNodesOfTheSelectorAreCounted() {
    assertThat(
            cluster()
                .node("a1", gpus(2).label("pool", "a"))
                .node("a2", gpus(2).label("pool", "a"))
                .node("b1", gpus(8))
                .waiting("train", "default", gang(3).gpus(2).selects("pool", "a"))
                .plan()
                .tells("train"))
        .contains(
            "; the 2 nodes where it may be together fit 2 of 3 pods, even if they are empty.");
  }

  @Test
  void withoutASelectorAllNodesAreMeant() {
    assertThat(
            cluster()
                .node("a1", gpus(2))
                .node("a2", gpus(2))
                .waiting("train", "default", gang(3).gpus(2))
                .plan()
                .tells("train"))
        .endsWith(
            "; all nodes together fit 2 of 3 pods, even if they are empty. Helps: a smaller"
                + " minimum, pods that ask for less, or more nodes.");
  }

  @Test
  void podsThatAskForLessAreNoWayOutOfALimitOfNothingOrOfPods() {
    var queue = new QueueName("a");
    assertThat(Sentences.of(new Reason.OverLimit(queue, Resource.GPU, 0, 1000, 0)))
        .endsWith("Helps: a limit of 1 GPU or more in a.");
    assertThat(Sentences.of(new Reason.OverLimit(queue, Resource.PODS, 0, 4, 3)))
        .endsWith(" or more in a.");
    assertThat(Sentences.of(new Reason.OverLimit(queue, Resource.GPU, 0, 2000, 1000)))
        .endsWith("Helps: a limit of 2 GPUs or more in a, or pods that ask for less.");
  }
}
