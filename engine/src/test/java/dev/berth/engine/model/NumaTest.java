package dev.berth.engine.model;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.NodeSketch.zone;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.CONSOLIDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.NodeSketch;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.PodSketch;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.SinglePodPlanner.Refusal;
import dev.berth.engine.SinglePodPlanner.Verdict;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Nodes that tell of their NUMA zones, and what the topology manager makes of them.
class NumaTest {
  /// Two zones of four devices and 32 cores with 256 GiB, all of it left.
  private static NodeSketch two(Policy policy, Scope scope) {
    return gpus(8).zones(policy, scope, zone(4, 32, 4, 32), zone(4, 32, 4, 32));
  }

  /// As above, of whose devices so many are left.
  private static NodeSketch left(Policy policy, long one, long other) {
    return gpus(8).zones(policy, Scope.CONTAINER, zone(4, 32, one, 32), zone(4, 32, other, 32));
  }

  private static Amounts asks(long devices, long cores) {
    return Amounts.of(Resource.NVIDIA, devices).plus(Amounts.of(Resource.CPU, 1000 * cores));
  }

  private static void takes(NodeSketch node, PodSketch pod) {
    cluster().node("n1", node).waiting("pod", "default", pod).plan().reserves("pod", 1);
  }

  private static void refuses(NodeSketch node, PodSketch pod, String detail) {
    cluster()
        .node("n1", node)
        .waiting("pod", "default", pod)
        .plan()
        .waits("pod", new NoRoom(1, 0, 1, List.of(new Shortfall(Obstacle.NUMA, detail, 1))))
        .andNothingElse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SINGLE_NUMA_NODE | 4 | takes
          SINGLE_NUMA_NODE | 5 | no zone has 5 nvidia.com/gpu, the largest has 4
          SINGLE_NUMA_NODE | 6 | no zone has 6 nvidia.com/gpu, the largest has 4
          RESTRICTED       | 4 | takes
          RESTRICTED       | 8 | takes
          BEST_EFFORT      | 8 | takes
          NONE             | 8 | takes
          """)
  void whatNoZoneHasIsRefusedBySingleNumaNodeAlone(Policy policy, int devices, String said) {
    for (Scope scope : Scope.values()) {
      if (said.equals("takes")) {
        takes(two(policy, scope), gang(1).gpus(devices));
      } else {
        refuses(two(policy, scope), gang(1).gpus(devices), said);
      }
    }
  }

  @Test
  void containersMayBeInDifferentZonesAndAPodAsAWholeMayNot() {
    var apart = gang(1).gpus(6).containers(asks(3, 0), asks(3, 0));
    takes(two(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER), apart);
    refuses(
        two(Policy.SINGLE_NUMA_NODE, Scope.POD),
        apart,
        "no zone has 6 nvidia.com/gpu, the largest has 4");
  }

  @Test
  void oneAndTheSameZoneMustHaveAllThatAContainerAsks() {
    var lopsided =
        gpus(4)
            .zones(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER, zone(4, 8, 4, 8), zone(0, 56, 0, 56));
    takes(lopsided, gang(1).gpus(4).containers(asks(4, 8)));
    refuses(
        lopsided,
        gang(1).gpus(2).containers(asks(2, 16)),
        "no zone has 16 cpu and 2 nvidia.com/gpu together");
    takes(lopsided, gang(1).gpus(2).containers(asks(2, 0), asks(0, 16)));
  }

  @Test
  void coresAndMemoryCountWhereTheyAreAlignedAlone() {
    var node = two(Policy.SINGLE_NUMA_NODE, Scope.CONTAINER);
    takes(node, gang(1).noGpu().asks(Resource.CPU, 33_000));
    refuses(
        node,
        gang(1).noGpu().asks(Resource.CPU, 33_000).guaranteed(),
        "no zone has 33 cpu, the largest has 32");
    refuses(
        node,
        gang(1).noGpu().asks(Resource.MEMORY, 300L << 30).guaranteed(),
        "no zone has 300Gi memory, the largest has 256Gi");
  }

  @Test
  void aShareIsNotAlignedButTheCoresOfItsPodAre() {
    var node = two(Policy.SINGLE_NUMA_NODE, Scope.POD);
    takes(node, gang(1).share(500, 5));
    refuses(
        node,
        gang(1).share(500).asks(Resource.CPU, 40_000).guaranteed(),
        "no zone has 40 cpu, the largest has 32");
  }

  @Test
  void aResourceOfWhichNoZoneHasAnyIsNotLookedAt() {
    var hca = new Resource("rdma/hca");
    var devicesAlone = new Zone(Amounts.of(Resource.NVIDIA, 4), Amounts.of(Resource.NVIDIA, 4));
    var node =
        gpus(8).with(hca, 4).zones(Policy.SINGLE_NUMA_NODE, Scope.POD, devicesAlone, devicesAlone);
    takes(
        node,
        gang(1)
            .gpus(4)
            .asks(hca, 2)
            .asks(Resource.CPU, 60_000)
            .containers(asks(4, 60).plus(Amounts.of(hca, 2))));
  }

  @Test
  void restrictedRefusesWhatAllZonesTogetherHaveNot() {
    var node = gpus(8).zones(Policy.RESTRICTED, Scope.POD, zone(3, 30, 3, 30), zone(3, 30, 3, 30));
    takes(node, gang(1).gpus(6));
    refuses(node, gang(1).gpus(7), "all zones together have 6 nvidia.com/gpu, not 7");
  }

  @Test
  void waitingGroupIsToldTheNumbersAndWhatHelps() {
    var reason =
        new NoRoom(
            1,
            0,
            2,
            List.of(
                new Shortfall(
                    Obstacle.NUMA, "no zone has 6 nvidia.com/gpu, the largest has 4", 2)));
    assertThat(Sentences.of(reason))
        .isEqualTo(
            "Waits: no node fits the pod; of 2 nodes 2 with NUMA zones too small (no zone has 6"
                + " nvidia.com/gpu, the largest has 4). Helps: containers that ask for less, or"
                + " nodes with larger NUMA zones.");
  }

  @Test
  void noPodLeavesANodeWhoseZonesAreTooSmall() {
    cluster()
        .node("n1", two(Policy.SINGLE_NUMA_NODE, Scope.POD))
        .queue("a", quota(8))
        .queue("b", quota(0))
        .running("there", "b", pods(8))
        .waiting("wide", "a", gang(1).gpus(6))
        .plan()
        .waitsFor("wide", Obstacle.NUMA)
        .andNothingElse();
  }

  @Test
  void zonesWithEnoughLeftComeFirst() {
    for (var policy : List.of(Policy.SINGLE_NUMA_NODE, Policy.RESTRICTED, Policy.BEST_EFFORT)) {
      cluster()
          .node("n1", left(policy, 2, 2))
          .node("n2", left(policy, 1, 3))
          .waiting("pod", "default", gang(1).gpus(3))
          .plan()
          .reserves("pod", "n2");
    }
    cluster()
        .node("n1", left(Policy.NONE, 2, 2))
        .node("n2", left(Policy.NONE, 1, 3))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n1");
  }

  @Test
  void whereNoZoneHasEnoughLeftItIsPlacedAllTheSame() {
    takes(left(Policy.SINGLE_NUMA_NODE, 2, 2), gang(1).gpus(3));
  }

  @Test
  void aNodeThatTellsNothingIsAsGoodAsOneThatHasEnoughLeft() {
    cluster()
        .node("n1", left(Policy.SINGLE_NUMA_NODE, 4, 4))
        .node("n2", gpus(8))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n1");
    cluster()
        .node("n1", gpus(8))
        .node("n2", left(Policy.SINGLE_NUMA_NODE, 4, 4))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n1");
    cluster()
        .node("n1", left(Policy.SINGLE_NUMA_NODE, 2, 2))
        .node("n2", gpus(8))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n2");
  }

  @Test
  void zonesComeBeforePacking() {
    cluster()
        .node("n1", left(Policy.BEST_EFFORT, 2, 2))
        .node("n2", left(Policy.BEST_EFFORT, 4, 4))
        .running("there", "default", pods(4).on("n1"))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n2");
  }

  @Test
  void zonesComeAfterARequiredDomainAndAfterRoomThatIsFreeNow() {
    cluster()
        .topology("fabric", "zone")
        .node("n1", left(Policy.BEST_EFFORT, 2, 2).label("zone", "a"))
        .node("n2", left(Policy.BEST_EFFORT, 4, 4).label("zone", "b"))
        .running("there", "default", pods(5).on("n2"))
        .waiting("pod", "default", gang(2).gpus(3).together("fabric", "zone", ""))
        .plan()
        .reserves("pod", "n1", "n1");
    cluster()
        .node("n1", left(Policy.BEST_EFFORT, 2, 2))
        .node("n2", left(Policy.BEST_EFFORT, 4, 4))
        .leaving("gone", "default", pods(8).on("n2"))
        .waiting("pod", "default", gang(1).gpus(3))
        .plan()
        .reserves("pod", "n1");
  }

  @Test
  void podsWithoutDevicesStayAwayFromDevicesWhateverZonesHaveLeft() {
    cluster()
        .node("n1", left(Policy.BEST_EFFORT, 4, 4))
        .node(
            "n2",
            noGpus().zones(Policy.BEST_EFFORT, Scope.POD, zone(0, 32, 0, 2), zone(0, 32, 0, 2)))
        .waiting("pod", "default", gang(1).noGpu().asks(Resource.CPU, 4_000).guaranteed())
        .plan()
        .reserves("pod", "n2");
  }

  /// The pod itself has what the zones lack. Otherwise a group that frees a part would leave as a
  /// whole.
  @Test
  void podThatMayStayIsNotMovedToFullerZones() {
    cluster()
        .node("n1", left(Policy.SINGLE_NUMA_NODE, 0, 0).label("host", "n1"))
        .node("n2", left(Policy.SINGLE_NUMA_NODE, 4, 4))
        .running("fixed", "default", gang(5).nonPreemptible().on("n1"))
        .running("other", "default", gang(6).nonPreemptible().on("n2"))
        .running("pair", "default", gang(2).minutesOld(5).on("n1"))
        .waiting("wide", "default", gang(1).gpus(2).selects("host", "n1"))
        .plan()
        .moves("pair", "n2", "wide")
        .reserves("wide", List.of("n1"), byTaking(CONSOLIDATE, "pair"))
        .andNothingElse();
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void anUngatedPodIsRefusedForTheSameReasonAndForGood(Scope scope) {
    var alone =
        SinglePodPlanner.over(
            cluster()
                .node("n1", two(Policy.SINGLE_NUMA_NODE, scope))
                .node("n2", gpus(8))
                .snapshot(),
            PlannerSettings.DEFAULT);
    var n1 = new NodeName("n1");
    var n2 = new NodeName("n2");
    var loose = Cluster.podOf("loose", 0, pod().gpus(6), Cluster.NOW, new Standing.Waiting());
    assertThat(alone.judge(loose, List.of(n1, n2)))
        .isEqualTo(
            new Verdict.Judged(
                List.of(n2),
                List.of(
                    new Refusal(
                        n1,
                        Obstacle.NUMA,
                        "no zone has 6 nvidia.com/gpu, the largest has 4",
                        true))));
    assertThat(alone.placeOn(loose, n1)).as("its place").isEmpty();
    assertThat(alone.fitsWithout(loose, n1, new TreeSet<>())).as("fits").isFalse();
  }

  @Test
  void anUngatedPodIsOfferedFullerZonesFirst() {
    var alone =
        SinglePodPlanner.over(
            cluster()
                .node("n1", left(Policy.BEST_EFFORT, 2, 2))
                .node("n2", left(Policy.BEST_EFFORT, 1, 3))
                .snapshot(),
            PlannerSettings.DEFAULT);
    var loose = Cluster.podOf("loose", 0, pod().gpus(3), Cluster.NOW, new Standing.Waiting());
    assertThat(alone.scores(loose, List.of(new NodeName("n1"), new NodeName("n2"))))
        .containsExactly(0, 10);
  }

  /// A session goes on from plan to plan, and zones may be told of at any time.
  @Test
  void aRollingPlannerSeesZonesComeAndGo() {
    var planner = new Planner(PlannerSettings.DEFAULT);
    var incremental = planner.incremental();
    var told = cluster().node("n1", two(Policy.SINGLE_NUMA_NODE, Scope.POD));
    told.waiting("pod", "default", gang(1).gpus(6));
    var silent = cluster().node("n1", gpus(8));
    silent.waiting("pod", "default", gang(1).gpus(6));
    for (var each : List.of(silent, told, silent, told)) {
      var snapshot = each.snapshot();
      assertThat(incremental.plan(snapshot, new TreeMap<>()))
          .isEqualTo(planner.plan(snapshot, new TreeMap<>()));
    }
  }
}
