package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.engine.SinglePodPlanner.Refusal;
import dev.berth.engine.SinglePodPlanner.Verdict;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Pods that arrive ungated, among the nodes that kube-scheduler found good.
class SinglePodPlannerTest {
  private static final NodeName N1 = new NodeName("n1");
  private static final NodeName N2 = new NodeName("n2");
  private static final NodeName N3 = new NodeName("n3");

  private static SinglePodPlanner alone(Cluster cluster) {
    return SinglePodPlanner.over(cluster.snapshot(), PlannerSettings.DEFAULT);
  }

  private static Pod loose(PodSketch sketch) {
    return Cluster.podOf("loose", 0, sketch, Cluster.NOW, new Standing.Waiting());
  }

  @Test
  void onlyRoomThatIsFreeNowCounts() {
    var alone =
        alone(
            cluster()
                .node("n1", gpus(1))
                .node("n2", gpus(1))
                .node("n3", gpus(1).deviceMemory(0))
                .leaving("gone", "default", pods(1).on("n1")));
    assertThat(alone.judge(loose(pod().memory(8_000)), List.of(N1, N2, N3)))
        .isEqualTo(
            new Verdict.Judged(
                List.of(N2),
                List.of(
                    new Refusal(N1, Obstacle.SHARED_DEVICES, false),
                    new Refusal(N3, Obstacle.DEVICE_MEMORY_UNKNOWN, true))));
  }

  /// Any process that reaches the port can ask, so nothing has checked the pod before.
  @Test
  void aNodeThatThePodMayNotBeOnIsRefused() {
    var alone =
        alone(
            cluster()
                .node("n1", gpus(1).cordoned())
                .node("n2", gpus(1).taint("owner", "ops", "NoSchedule"))
                .node("n3", gpus(1).label("zone", "b")));
    var all = List.of(N1, N2, N3);
    assertThat(alone.judge(loose(pod().gpus(1).selects("zone", "a")), all))
        .isEqualTo(
            new Verdict.Judged(
                List.of(),
                List.of(
                    new Refusal(N1, Obstacle.UNSCHEDULABLE, true),
                    new Refusal(N2, Obstacle.TAINT, "owner=ops:NoSchedule", true),
                    new Refusal(N3, Obstacle.NODE_SELECTOR, "zone=a", true))));
    var tolerant = pod().gpus(1).tolerates("owner", "NoSchedule");
    assertThat(((Verdict.Judged) alone.judge(loose(tolerant), all)).passing())
        .isEqualTo(List.of(N2, N3));
    assertThat(alone.placeOn(loose(pod().gpus(1)), N1).isEmpty()).as("a cordoned node").isTrue();
  }

  @Test
  void aFullQueueRefusesEveryNode() {
    var alone =
        alone(
            cluster()
                .node("n1", gpus(8))
                .queue("vision", quota(1).limit(1))
                .running("there", "vision", pods(1))
                .waiting("loose", "vision", pod().ungated()));
    assertThat(alone.judge(loose(pod()), List.of(N1)))
        .isEqualTo(
            new Verdict.Refused(
                new Reason.OverLimit(new QueueName("vision"), Resource.GPU, 1000, 1000, 1000)));
  }

  /// Behind a gate they would be planned, and wait.
  @Test
  void deletedPodCountsTowardsALimitAsLongAsItsNodeAnswers() {
    var refused =
        new Verdict.Refused(
            new Reason.OverLimit(new QueueName("vision"), Resource.GPU, 1000, 1000, 1000));
    assertThat(alone(beside(gpus(8))).judge(loose(pod()), List.of(N1))).isEqualTo(refused);
    assertThat(
            ((Verdict.Judged) alone(beside(gpus(8).notReady())).judge(loose(pod()), List.of(N1)))
                .passing())
        .isEqualTo(List.of(N1));
  }

  private static Cluster beside(NodeSketch other) {
    return cluster()
        .node("n1", gpus(8))
        .node("n2", other)
        .queue("vision", quota(1).limit(1))
        .leaving("deleted", "vision", pods(1).on("n2").deleted())
        .waiting("loose", "vision", pod().ungated());
  }

  @Test
  void podsOfOtherSchedulersAreHeldAgainstRoomOnly() {
    var alone = alone(cluster().node("n1", gpus(1)).queue("vision", quota(0).limit(0)));
    assertThat(alone.judge(loose(pod()), List.of(N1)))
        .isEqualTo(new Verdict.Judged(List.of(N1), List.of()));
  }

  @Test
  void theNodeWithASharedDeviceIsBest() {
    var alone =
        alone(
            cluster()
                .node("n1", gpus(8))
                .node("n2", gpus(8))
                .node("n3", gpus(1))
                .running("half", "default", pods(1).share(500).on("n2"))
                .running("whole", "default", pods(1).on("n3")));
    var loose = loose(pod().share(300));
    assertThat(alone.scores(loose, List.of(N1, N2, N3))).isEqualTo(new int[] {0, 10, 0});
    assertThat(alone.placeOn(loose, N2)).isEqualTo(Optional.of(new Placement(N2, List.of(0), 300)));
    assertThat(alone.placeOn(loose, N3)).isEqualTo(Optional.empty());
  }

  @Test
  void victimsMakeRoomOnlyWhereTheyAre() {
    var alone =
        alone(
            cluster()
                .node("n1", gpus(2))
                .node("n2", gpus(2))
                .running("a", "default", pod().gpus(2).on("n1"))
                .running("b", "default", pods(2).share(700).on("n2")));
    var victims = new TreeSet<>(List.of(new PodUid("uid-a"), new PodUid("uid-b-100000")));
    assertThat(alone.fitsWithout(loose(pod().gpus(2)), N1, victims)).as("a leaves n1").isTrue();
    assertThat(alone.fitsWithout(loose(pod().gpus(1)), N2, victims))
        .as("half of b leaves n2")
        .isTrue();
    assertThat(alone.fitsWithout(loose(pod().gpus(2)), N2, victims))
        .as("the other half stays")
        .isFalse();
  }

  @Test
  void aViewThatWasLeftHalfWayIsBuiltAnew() {
    var before =
        cluster()
            .node("n1", gpus(8))
            .queue("vision", quota(1).limit(1))
            .running("gone", "vision", pods(1))
            .running("there", "vision", pods(1))
            .waiting("loose", "vision", pod().ungated())
            .snapshot();
    var alone = SinglePodPlanner.over(before, PlannerSettings.DEFAULT);
    var left = before.groups().stream().filter(one -> !one.key().name().equals("gone")).toList();
    var after = next(before, 1, left).with(failingOnce());
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> alone.see(after));
    alone.see(after);
    assertThat(alone.judge(loose(pod()), List.of(N1)))
        .as("who is gone is counted out once")
        .isEqualTo(
            new Verdict.Refused(
                new Reason.OverLimit(new QueueName("vision"), Resource.GPU, 1000, 1000, 1000)));
  }

  @Test
  void ofOneVersionOnlyOneSnapshotIsLookedAt() {
    var before = cluster().node("n1", gpus(1)).snapshot();
    var alone = SinglePodPlanner.over(before, PlannerSettings.DEFAULT);
    assertThatCode(() -> alone.see(next(before, 0, before.groups()).with(failingOnce())))
        .doesNotThrowAnyException();
  }

  private static Snapshot next(Snapshot before, int versions, List<PodGroup> groups) {
    return new Snapshot(
        before.version() + versions,
        before.now(),
        before.nodes(),
        before.queues(),
        groups,
        before.topologies());
  }

  private static List<DisruptionBudget> failingOnce() {
    return new AbstractList<>() {
      private boolean failed;

      @Override
      public int size() {
        if (!failed) {
          failed = true;
          throw new IllegalStateException("once");
        }
        return 0;
      }

      @Override
      public DisruptionBudget get(int index) {
        throw new IndexOutOfBoundsException(index);
      }
    };
  }
}
