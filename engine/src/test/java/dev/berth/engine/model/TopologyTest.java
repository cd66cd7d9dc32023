package dev.berth.engine.model;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Blocks that must, or should, be together.
class TopologyTest {
  private static final List<String> LEVELS = List.of("zone", "rack");

  /// Two zones of two racks of one node of four devices.
  private static Cluster fabric() {
    return cluster()
        .topology("fabric", "zone", "rack")
        .node("a1", gpus(4).label("zone", "a").label("rack", "1"))
        .node("a2", gpus(4).label("zone", "a").label("rack", "2"))
        .node("b1", gpus(4).label("zone", "b").label("rack", "1"))
        .node("b2", gpus(4).label("zone", "b").label("rack", "2"))
        .node("outside", gpus(16));
  }

  @Test
  void aBlockStaysWithinTheRequiredLevel() {
    fabric()
        .running("there", "default", pods(2).on("a1"))
        .waiting("train", "default", gang(8).together("fabric", "zone", ""))
        .plan()
        .reserves("train", "b1", "b1", "b1", "b1", "b2", "b2", "b2", "b2")
        .andNothingElse();
  }

  @Test
  void aBlockThatFitsNoDomainWaitsThoughTheClusterHasRoom() {
    fabric()
        .waiting("train", "default", gang(9).together("fabric", "zone", ""))
        .plan()
        .waits("train", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void aGangThatNoDomainCouldEverHoldIsToldHowManyTheLargestHolds() {
    var wait =
        fabric()
            .running("there", "default", pods(2).on("b1"))
            .waiting("train", "default", gang(5).together("fabric", "rack", ""))
            .plan()
            .reason("train");
    assertThat(wait).isInstanceOf(NeverFits.class);
    assertThat(((NeverFits) wait).largest()).isEqualTo(new Largest("rack", "a/1", 4, 5, false, ""));
    assertThat(Sentences.of(wait))
        .isEqualTo(
            "Waits: the largest rack (a/1) fits 4 of 5 pods, even if it is empty, and each pod asks"
                + " for 1 GPU. Helps: a minimum smaller by 1, pods that ask for less, a larger"
                + " rack, or a wider topology level.");
  }

  @Test
  void aDomainThatItsPodsMayNotBeInIsNotTheLargest() {
    var world =
        cluster()
            .topology("fabric", "rack")
            .node("b", gpus(4).label("rack", "2").label("pool", "x"))
            .running("there", "default", pods(2).nonPreemptible().on("b"));
    for (int more = 1; more < 4; more += 2) { // names before and after it
      world.node("a" + more, gpus(8).label("rack", "" + more));
    }
    var wait =
        world
            .waiting(
                "train", "default", gang(3).selects("pool", "x").together("fabric", "rack", ""))
            .plan()
            .reason("train");
    assertThat(((NoRoom) wait).largest()).isEqualTo(new Largest("rack", "2", 2, 3, true, ""));
    var none =
        world
            .running("here", "default", pods(2).nonPreemptible().on("b"))
            .waiting(
                "train", "default", gang(3).selects("pool", "x").together("fabric", "rack", ""))
            .plan()
            .reason("train");
    assertThat(((NoRoom) none).largest()).isEqualTo(new Largest("rack", "2", 0, 3, true, ""));
  }

  /// A launcher without GPUs counts, too, and what runs in the domain is in the way only now.
  @Test
  void aGangOfDifferentMembersIsToldThatNoDomainHoldsItOnlyWhereThatIsProven() {
    fabric()
        .running("there", "default", pods(3).on("b1"))
        .running("here", "default", pods(3).on("b2"))
        .running("left", "default", pods(3).on("a1"))
        .running("right", "default", pods(3).on("a2"))
        .waiting("holds", "default", gangOf(0, 2, 2).together("fabric", "rack", ""))
        .waiting("never", "default", gangOf(0, 2, 2, 2).together("fabric", "rack", ""))
        .plan()
        .waits("holds", NoRoom.class)
        .waits("never", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void aDomainThatIsCordonedOrNotReadyMayHoldItLater() {
    cluster()
        .topology("fabric", "rack")
        .node("a", gpus(4).label("rack", "1").cordoned())
        .node("b", gpus(2).label("rack", "2"))
        .waiting("train", "default", gang(4).together("fabric", "rack", ""))
        .waiting("wide", "default", gang(6))
        .plan()
        .waits("train", NoRoom.class)
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void theLargestDomainTellsHowManyFitAndWhatTheOthersLack() {
    var wait =
        fabric()
            .running("there", "default", pods(2).nonPreemptible().on("b1"))
            .running("here", "default", pods(2).nonPreemptible().on("b2"))
            .running("left", "default", pods(1).nonPreemptible().on("a1"))
            .running("right", "default", pods(3).nonPreemptible().on("a2"))
            .waiting("train", "default", gang(2).gpus(2).together("fabric", "rack", ""))
            .plan()
            .reason("train");
    assertThat(Sentences.of(wait))
        .isEqualTo(
            "Waits: the largest rack (a/1) fits 1 of 2 pods, and the next asks for 2 GPUs (1 is"
                + " left there); of 5 nodes 4 outside it, 1 without enough free GPUs"
                + " (nvidia.com/gpu). Helps: 1 GPU released on a node with 1 free in rack a/1, or"
                + " room elsewhere and a wider topology level.");
  }

  @Test
  void whereNoNodeHasTheLabelOfTheLevelThatIsTold() {
    var wait =
        cluster()
            .topology("fabric", "zone", "rack")
            .node("a", gpus(4).label("zone", "a"))
            .waiting("train", "default", gang(2).together("fabric", "rack", ""))
            .plan()
            .reason("train");
    assertThat(Sentences.of(wait))
        .isEqualTo(
            "Waits: 0 of 2 pods fit together; of 1 node 1 without the topology label (rack). Helps:"
                + " the label rack on nodes, or another topology level.");
  }

  @Test
  void theTightestDomainIsTakenFirst() {
    fabric()
        .running("there", "default", pods(1).on("b2"))
        .waiting("train", "default", gang(3).together("fabric", "rack", ""))
        .plan()
        .reserves("train", "b2", "b2", "b2")
        .andNothingElse();
  }

  @Test
  void thePreferredLevelIsTriedBeforeTheRequiredOne() {
    fabric()
        .waiting("small", "default", gang(4).minutesOld(90).together("fabric", "zone", "rack"))
        .waiting("large", "default", gang(6).minutesOld(5).together("fabric", "zone", "rack"))
        .plan()
        .reservesOnOneNode("small", 4)
        .reserves("large", "b1", "b1", "b2", "b2", "b2", "b2")
        .andNothingElse();
  }

  @Test
  void aPreferenceAloneNeverHoldsAGroupBack() {
    fabric()
        .waiting("train", "default", gang(20).together("fabric", "", "rack"))
        .plan()
        .reserves("train", 20)
        .andNothingElse();
  }

  @Test
  void membersThatRunBindTheRestToTheirDomain() {
    fabric()
        .partly("train", "default", 1, gang(3).on("b1").together("fabric", "rack", ""))
        .plan()
        .reserves("train", "b1", "b1")
        .andNothingElse();
  }

  @Test
  void rolesFindTheirDomainsWithinThatOfTheGroup() {
    var inOneRack = new TopologyAsk("fabric", "rack", "");
    fabric()
        .waiting(
            "serve",
            "default",
            gang(6)
                .together("fabric", "zone", "")
                .role("prefill", "", 3, 3, inOneRack)
                .role("decode", "", 3, 3, inOneRack))
        .plan()
        .reserves("serve", "a1", "a1", "a1", "a2", "a2", "a2")
        .andNothingElse();
  }

  @Test
  void theSubGroupWhoseDomainIsTooSmallIsNamed() {
    var inOneRack = new TopologyAsk("fabric", "rack", "");
    var world =
        fabric()
            .waiting(
                "serve",
                "default",
                gang(8)
                    .together("fabric", "zone", "")
                    .role("prefill", "", 3, 3, inOneRack)
                    .role("decode", "", 5, 5, inOneRack));
    assertThat(Sentences.of(world.plan().reason("serve")))
        .isEqualTo(
            "Waits: the largest rack (a/1) fits 4 of 5 pods of sub-group decode, even if it is"
                + " empty, and each pod asks for 1 GPU. Helps: a minimum of sub-group decode"
                + " smaller by 1, pods that ask for less, a larger rack, or a wider topology"
                + " level.");
    for (String node : List.of("a1", "a2", "b1", "b2")) {
      world.running("on-" + node, "default", pods(2).nonPreemptible().on(node));
    }
    var now =
        world
            .waiting(
                "serve",
                "default",
                gang(6).role("prefill", "", 2, 2, inOneRack).role("decode", "", 4, 4, inOneRack))
            .plan()
            .reason("serve");
    assertThat(((NoRoom) now).largest())
        .isEqualTo(new Largest("rack", "a/2", 2, 4, false, "decode"));
    assertThat(Sentences.of(now)).contains("(a/2) fits 2 of 4 pods of sub-group decode");
  }

  @Test
  void aBlockTooLargeForThePreferredLevelIsTornIntoFewPieces() {
    fabric()
        .running("a", "default", pods(1).on("a1"))
        .running("b", "default", pods(2).on("b1"))
        .waiting("train", "default", gang(5).together("fabric", "", "rack"))
        .plan()
        .reserves("train", "b1", "b1", "b2", "b2", "b2")
        .andNothingElse();
  }

  @Test
  void aLevelThatDoesNotExistIsNamed() {
    fabric()
        .waiting("train", "default", gang(2).together("fabric", "row", ""))
        .waiting("near", "default", gang(2).together("fabric", "", "rak"))
        .waiting("other", "default", gang(2).together("mesh", "row", ""))
        .waiting("typo", "default", gang(2).together("fabrik", "rack", ""))
        .plan()
        .waits("train", new Reason.NoSuchTopology("fabric", "row", LEVELS, ""))
        .waits("near", new Reason.NoSuchTopology("fabric", "rak", LEVELS, "rack"))
        .waits("other", new Reason.NoSuchTopology("mesh", ""))
        .waits("typo", new Reason.NoSuchTopology("fabrik", "fabric"))
        .andNothingElse();
  }
}
