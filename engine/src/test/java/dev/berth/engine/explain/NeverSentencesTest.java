package dev.berth.engine.explain;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What never fits is told of the nodes where the pods may be, and with what could be changed.
final class NeverSentencesTest {
  private static final String HOST = "kubernetes.io/hostname";

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
        .isEqualTo(
            "Waits: the 1 node open to its pods fits 2 of 3 pods, even if it is empty, and each pod"
                + " asks for 2 GPUs; of 3 nodes 2 outside the node selector (pool=a). Helps: a"
                + " minimum smaller by 1, pods that ask for less, another nodeSelector, or more"
                + " such nodes.");
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
            "Waits: the 2 nodes open to its pods together fit 2 of 3 pods, even if they are empty,"
                + " and each pod asks for 2 GPUs; of 3 nodes 1 outside");
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
        .isEqualTo(
            "Waits: all nodes together fit 2 of 3 pods, even if they are empty, and each pod asks"
                + " for 2 GPUs. Helps: a minimum smaller by 1, pods that ask for less, or more"
                + " nodes.");
  }

  @Test
  void ofARequiredTopologyItsLargestDomainIsTold() {
    var world = racks().stranger("a1", gang(1).gpus(4)).stranger("a2", gang(1).gpus(4));
    assertThat(
            world
                .waiting("train", "default", gang(3).gpus(4).together("fabric", "rack", ""))
                .plan()
                .tells("train"))
        .isEqualTo(
            "Waits: the largest rack (r0) fits 2 of 3 pods, even if it is empty, and each pod asks"
                + " for 4 GPUs. Helps: a minimum smaller by 1, pods that ask for less, a larger"
                + " rack, or a topology that is preferred and not required.");
  }

  /// No rack is told of where all of them together hold too few.
  @Test
  void whereTheWholeClusterHoldsTooFewNoDomainIsTold() {
    assertThat(
            racks()
                .waiting("train", "default", gang(4).gpus(4).together("fabric", "rack", ""))
                .plan()
                .tells("train"))
        .isEqualTo(
            "Waits: all nodes together fit 3 of 4 pods, even if they are empty, and each pod asks"
                + " for 4 GPUs. Helps: a minimum smaller by 1, pods that ask for less, or more"
                + " nodes.");
  }

  @Test
  void ofASubGroupItsOwnMinimumIsTold() {
    var inOneRack = new TopologyAsk("fabric", "rack", "");
    assertThat(
            racks()
                .waiting("serve", "default", gang(3).gpus(4).role("decode", "", 3, 3, inOneRack))
                .plan()
                .tells("serve"))
        .isEqualTo(
            "Waits: the largest rack (r0) fits 2 of 3 pods of sub-group decode, even if it is"
                + " empty, and each pod asks for 4 GPUs. Helps: a minimum of sub-group decode"
                + " smaller by 1, pods that ask for less, a larger rack, or a topology that is"
                + " preferred and not required.");
  }

  /// What finds no room now is a pod of the first one, and too large is the second.
  @Test
  void whatAnotherSubGroupAsksForIsNotToldOfIt() {
    var inOneRack = new TopologyAsk("fabric", "rack", "");
    var world = racks();
    for (String node : List.of("a1", "a2", "b1")) {
      world.stranger(node, gang(1).gpus(4));
    }
    assertThat(
            world
                .waiting(
                    "serve",
                    "default",
                    gangOf(1, 3, 3, 3)
                        .role("prefill", "", 1, 1, inOneRack)
                        .role("decode", "", 3, 3, inOneRack))
                .plan()
                .tells("serve"))
        .isEqualTo(
            "Waits: the largest rack (r0) fits 2 of 3 pods of sub-group decode, even if it is"
                + " empty. Helps: a minimum of sub-group decode smaller by 1, pods that ask for"
                + " less, a larger rack, or a topology that is preferred and not required.");
  }

  private static Cluster racks() {
    return cluster()
        .topology("fabric", "rack")
        .node("a1", gpus(4).label("rack", "r0"))
        .node("a2", gpus(4).label("rack", "r0"))
        .node("b1", gpus(4).label("rack", "r1"));
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

  /// The smaller gang needs them.
  @Test
  void ofMembersThatKeepApartWhatMustBeReleasedThenIsTold() {
    var world = cluster();
    for (int n = 0; n < 3; n++) {
      world.node("n" + n, gpus(4).label(HOST, "n" + n)).stranger("n" + n, gang(1).gpus(4));
    }
    assertThat(
            world
                .waiting("x", "default", gang(4).label("app", "x").apart(HOST, "app", "x"))
                .plan()
                .tells("x"))
        .isEqualTo(
            "Waits: 0 of 4 pods fit together, and the next asks for 1 GPU (none is free); of 3"
                + " nodes 3 without enough free GPUs (nvidia.com/gpu); all nodes together fit 3 of"
                + " 4 pods, even if they are empty (its own anti-affinity needs 4 nodes, and there"
                + " are 3). Helps: a minimum smaller by 1 (and then 3 GPUs released, 1 on each of 3"
                + " nodes), more nodes, or new pods whose anti-affinity is preferred and not"
                + " required.");
  }

  /// The other constraint may need more than is released.
  @Test
  void whereMembersAreSpreadTooItIsNotTold() {
    var world = cluster();
    for (int n = 0; n < 3; n++) {
      world.node("n" + n, gpus(4).label(HOST, "n" + n)).stranger("n" + n, gang(1).gpus(4));
    }
    var pods = gang(4).label("app", "x").apart(HOST, "app", "x").evenly(HOST, 1, "app", "x");
    assertThat(world.waiting("x", "default", pods).plan().tells("x"))
        .contains("Helps: a minimum smaller by 1, more nodes, or");
  }

  @Test
  void ofANodeThatMayComeBackItIsNotTold() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4).cordoned())
                .stranger("n1", gang(1).gpus(4))
                .waiting("x", "default", gang(3).gpus(4))
                .plan()
                .tells("x"))
        .contains("Helps: a minimum smaller by 1, pods that ask for less,");
  }
}
