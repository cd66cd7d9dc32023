package dev.berth.engine.explain;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What is free is told of the nodes that count, and what must be released is enough.
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

  /// Another node has four that are free.
  @Test
  void whatIsFreeIsToldOfTheNodesWhereItMayBe() {
    var world =
        cluster()
            .node("a", gpus(4).label("disk", "ssd"))
            .node("b", gpus(4))
            .stranger("a", gang(1).gpus(4));
    assertThat(world.waiting("x", "default", gang(1).selects("disk", "ssd")).plan().tells("x"))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 1 GPU (none is free where it may be); of 2"
                + " nodes 1 outside the node selector (disk=ssd), 1 without enough free GPUs"
                + " (nvidia.com/gpu). Helps: 1 GPU released where it may be, or more such nodes.");
  }

  @Test
  void ofAGangItIsWhatIsLeftWhereItMayBe() {
    var world =
        cluster()
            .node("a1", gpus(4).label("disk", "ssd"))
            .node("a2", gpus(4).label("disk", "ssd"))
            .node("b", gpus(4))
            .stranger("a1", gang(1).gpus(1))
            .stranger("a2", gang(1).gpus(3));
    assertThat(
            world.waiting("x", "default", gang(2).gpus(3).selects("disk", "ssd")).plan().tells("x"))
        .startsWith(
            "Waits: 1 of 2 pods fit together, and the next asks for 3 GPUs (1 is left where it may"
                + " be); of 3 nodes ");
  }

  /// The nearest node is one where it may be.
  @Test
  void ofPartsOfSeveralGpusTheNearestNodeIsMeantAlone() {
    var world =
        cluster()
            .node("a", gpus(2).label("disk", "ssd"))
            .node("b", gpus(2))
            .running("one", "default", pods(1).share(600).nonPreemptible().on("a"))
            .running("other", "default", pods(1).share(800).nonPreemptible().on("a"));
    assertThat(
            world
                .waiting("x", "default", gang(1).share(300, 2).selects("disk", "ssd"))
                .plan()
                .tells("x"))
        .contains("(on the nearest node 0.4 and 0.2 are free);");
  }

  @Test
  void ofADomainItIsWhatIsFreeThere() {
    var world =
        cluster()
            .topology("fabric", "rack")
            .node("a1", gpus(4).label("rack", "r0"))
            .node("a2", gpus(4).label("rack", "r0"))
            .node("b1", gpus(4).label("rack", "r1"))
            .stranger("a1", gang(1).gpus(3))
            .stranger("a2", gang(1).gpus(3))
            .stranger("b1", gang(1).gpus(3));
    assertThat(
            world
                .waiting("x", "default", gang(2).gpus(4).together("fabric", "rack", ""))
                .plan()
                .tells("x"))
        .isEqualTo(
            "Waits: the largest rack (r0) fits 0 of 2 pods, and the next asks for 4 GPUs (2 are"
                + " free there, at most 1 on one node); of 3 nodes 2 without enough free GPUs"
                + " (nvidia.com/gpu), 1 outside it. Helps: 6 GPUs released, 3 on each of 2 nodes in"
                + " rack r0, or room elsewhere and a topology that is preferred and not required.");
  }

  /// Two of three places could be made, so it is not said that one place is all.
  @Test
  void unlikeMembersThatNoPackingHoldsAreToldSoBesideWhatIsFreeNow() {
    assertThat(
            cluster()
                .node("n1", gpus(3))
                .node("n2", gpus(3))
                .stranger("n1", gang(1).gpus(3))
                .waiting("odd", "default", gangOf(3, 2, 2))
                .plan()
                .tells("odd"))
        .isEqualTo(
            "Waits: 1 of 3 pods fit together, and pod odd-100001 asks for 2 GPUs (none is left); of"
                + " 2 nodes 2 without enough free GPUs (nvidia.com/gpu); not all 3 pods fit,"
                + " whatever is released. Helps: pods that ask for less, a smaller minimum, or more"
                + " nodes.");
  }

  @Test
  void whatNoPackingOfADomainHoldsIsToldOfThatDomain() {
    assertThat(
            cluster()
                .topology("fabric", "rack")
                .node("a1", gpus(3).label("rack", "r0"))
                .node("a2", gpus(3).label("rack", "r0"))
                .stranger("a1", gang(1).gpus(1))
                .waiting("odd", "default", gangOf(3, 2, 2).together("fabric", "rack", ""))
                .plan()
                .tells("odd"))
        .isEqualTo(
            "Waits: the largest rack (r0) fits 2 of 3 pods, and pod odd-100002 asks for 2 GPUs"
                + " (none is left there); of 2 nodes 2 without enough free GPUs (nvidia.com/gpu);"
                + " not all 3 pods fit there, whatever is released. Helps: pods that ask for less,"
                + " a larger rack, or a topology that is preferred and not required.");
  }

  /// No pod that leaves frees what another member has.
  @Test
  void aHostPortOfAnotherMemberIsNoneOfOthers() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .node("n3", gpus(4))
                .stranger("n3", gang(1).gpus(4))
                .waiting("x", "default", gang(3).port("TCP:0.0.0.0:8080"))
                .plan()
                .tells("x"))
        .isEqualTo(
            "Waits: 2 of 3 pods fit together, and the next asks for 1 GPU (6 are left, at most 3 on"
                + " one node); of 3 nodes 2 with the host port of another member, each of which"
                + " needs a node of its own (8080/TCP), 1 without enough free GPUs"
                + " (nvidia.com/gpu). Helps: new pods without a host port, or 1 GPU released, a"
                + " minimum smaller by 1, or more nodes.");
  }

  @Test
  void membersThatHaveOneHostPortNeedANodeEach() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .waiting("x", "default", gang(3).port("TCP:0.0.0.0:8080"))
                .plan()
                .tells("x"))
        .isEqualTo(
            "Waits: all nodes together fit 2 of 3 pods, even if they are empty, and each pod asks"
                + " for 1 GPU; of 2 nodes 2 with the host port of another member, each of which"
                + " needs a node of its own (8080/TCP). Helps: a minimum smaller by 1, pods without"
                + " a host port, or more nodes.");
  }

  @Test
  void theSmallerMinimumOfAGangIsTold() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .node("n3", gpus(4))
                .stranger("n3", gang(1).gpus(2))
                .waiting("x", "default", gang(3).gpus(4))
                .plan()
                .tells("x"))
        .endsWith(
            "Helps: 2 GPUs released on a node with 2 free, a minimum smaller by 1, or more nodes.");
  }

  /// Which of them would have to be smaller is not told.
  @Test
  void ofSubGroupsNoSmallerMinimumIsTold() {
    assertThat(
            cluster()
                .node("n1", gpus(3))
                .node("n2", gpus(3))
                .stranger("n2", gang(1).gpus(3))
                .waiting("x", "default", gang(4).role("first", "", 2, 2).role("second", "", 2, 2))
                .plan()
                .tells("x"))
        .endsWith("Helps: 1 GPU released, a smaller minimum, or more nodes.");
  }
}
