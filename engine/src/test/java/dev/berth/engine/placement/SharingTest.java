package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.model.Decision.Cause.PREEMPT;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Resource;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which device of which node a share gets.
class SharingTest {
  @Test
  void sharesFillOneDeviceBeforeTheNext() {
    cluster()
        .node("n1", gpus(2))
        .waiting("notebooks", "default", gang(3).share(400))
        .plan()
        .reserves("notebooks", "n1:0", "n1:0", "n1:1")
        .andNothingElse();
  }

  @Test
  void aSharedDeviceWithRoomComesBeforeANewOneOfAFullerNode() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(8))
        .running("whole", "default", pods(7).on("n1"))
        .running("half", "default", pods(1).share(500).on("n2"))
        .waiting("notebook", "default", gang(1).share(500))
        .plan()
        .reserves("notebook", "n2:0")
        .andNothingElse();
  }

  @Test
  void theFullestSharedDeviceThatFitsIsTaken() {
    cluster()
        .node("n1", gpus(4))
        .running("a", "default", pods(1).share(600))
        .running("b", "default", pods(1).share(700))
        .running("c", "default", pods(1).share(900))
        .waiting("notebook", "default", gang(1).share(300))
        .plan()
        .reserves("notebook", "n1:1")
        .andNothingElse();
  }

  @Test
  void aShareOfSeveralDevicesGetsDistinctOnes() {
    cluster()
        .node("n1", gpus(3))
        .running("half", "default", pods(1).share(500))
        .waiting("pair", "default", gang(1).share(500, 2))
        .waiting("triple", "default", gang(1).share(500, 4).minutesOld(5))
        .plan()
        .reserves("pair", "n1:0,1")
        .waits("triple", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void anIdleHolderIsUsedBeforeANewOneIsMade() {
    cluster()
        .node("n1", gpus(4))
        .idleHolder("n1", 2)
        .waiting("notebook", "default", gang(1).share(500))
        .plan()
        .reserves("notebook", "n1:2")
        .andNothingElse();
  }

  @Test
  void noPodJoinsARetiringHolder() {
    cluster()
        .node("n1", gpus(2))
        .retiringHolder("n1", 0)
        .waiting("notebook", "default", gang(1).share(500))
        .plan()
        .reserves("notebook", "n1:1")
        .andNothingElse();
  }

  @Test
  void aDeviceWhoseSharersAllLeaveIsAFreeDeviceAndNoShared() {
    cluster()
        .node("n1", gpus(2))
        .leaving("gone", "default", pods(1).share(500))
        .waiting("whole", "default", gang(1).gpus(2).minutesOld(90))
        .waiting("notebook", "default", gang(1).share(500).minutesOld(5))
        .plan()
        .reserves("whole", "n1")
        .waits("notebook", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void aNewHolderNeedsAPlaceAmongThePods() {
    cluster()
        .node("n1", gpus(2).with(Resource.PODS, 1))
        .waiting("notebook", "default", gang(1).share(500))
        .plan()
        .waits("notebook", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void wholeDevicesAndSharesNeverMeetOnOneDevice() {
    cluster()
        .node("n1", gpus(2))
        .waiting("whole", "default", gang(1).minutesOld(90))
        .waiting("notebooks", "default", pods(4).share(500).minutesOld(5))
        .plan()
        .reserves("whole", "n1")
        .reserves("notebooks", "n1:0", "n1:0")
        .andNothingElse();
  }

  @Test
  void memoryBecomesTheShareOfEachNodesDevice() {
    cluster()
        .node("n1", gpus(1).deviceMemory(10_000))
        .waiting("notebooks", "default", pods(4).memory(3_334))
        .plan()
        .reserves("notebooks", 2)
        .andNothingElse();
  }

  @Test
  void spreadOpensDevicesWhereMostIsFree() {
    var spread = PlannerSettings.DEFAULT.with(new Strategy(Spread.SPREAD, Spread.SPREAD));
    cluster()
        .settings(spread)
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .waiting("notebooks", "default", gang(2).share(400))
        .plan()
        .reserves("notebooks", "n1:0", "n2:0")
        .andNothingElse();
  }

  /// Beside a new pod that opens a device there is one place left, and its own device needs two.
  @Test
  void aVictimGoesBackToItsDeviceOnlyWhereItsHolderHasAPlaceToo() {
    var spread = PlannerSettings.DEFAULT.with(new Strategy(Spread.SPREAD, Spread.SPREAD));
    cluster()
        .settings(spread)
        .node("n1", gpus(4).with(Resource.PODS, 5))
        .running("there", "default", pods(1).share(500))
        .leaving("gone", "default", pods(1).share(500))
        .running("alone", "default", pods(1).share(500).priority(40))
        .waiting("notebook", "default", gang(1).share(700))
        .plan()
        .reserves("notebook", List.of("n1:2"), byTaking(PREEMPT, "alone"))
        .andNothingElse();
  }
}
