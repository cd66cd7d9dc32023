package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import org.junit.jupiter.api.Test;

/// Blocks that must, or should, be together.
class TopologyTest {
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
        .waits("train", NoRoom.class)
        .andNothingElse();
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
        .waiting("other", "default", gang(2).together("mesh", "row", ""))
        .plan()
        .waits("train", new Reason.NoSuchTopology("fabric", "row"))
        .waits("other", new Reason.NoSuchTopology("mesh", ""))
        .andNothingElse();
  }
}
