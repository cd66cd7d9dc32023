package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Plans that wait until victims are leaving, since a limit has no room for both: a victim may
/// refuse to leave for minutes.
class LimitsUntilGoneTest {
  /// By preemptor: whether a limit lets it in only after others.
  private static TreeMap<String, Boolean> planned(Snapshot snapshot) {
    var planned = new TreeMap<String, Boolean>();
    for (Decision decision : new Planner(PlannerSettings.DEFAULT).plan(snapshot).decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        planned.put(reserve.group().name(), reserve.afterOthers());
      }
    }
    return planned;
  }

  /// One leaves for another's room, and there is room elsewhere for a third.
  private static Cluster contest(QueueSketch queue) {
    return cluster()
        .node("small", gpus(2))
        .node("large", gpus(4))
        .queue("q", queue)
        .running("low", "q", gang(1).gpus(2).priority(40).on("small"))
        .running("wide", "q", gang(1).gpus(3).priority(70).on("large"))
        .waiting("high", "q", gang(1).gpus(2).priority(60))
        .waiting("third", "q", gang(1).gpus(1).priority(50));
  }

  @Test
  void farBelowTheLimitNoGroupWaitsForLeavingPods() {
    assertThat(planned(contest(quota(6).limit(20)).snapshot()))
        .containsEntry("high", false)
        .containsEntry("third", false)
        .hasSize(2);
  }

  @Test
  void atTheLimitAllWaitThatItLetsInForLeavingPods() {
    assertThat(planned(contest(quota(6).limit(6)).snapshot()))
        .containsEntry("high", true)
        .containsEntry("third", true)
        .hasSize(2);
  }

  @Test
  void limitsOfOtherQueuesMakeNoGroupWait() {
    var cluster = contest(quota(6)).node("more", gpus(1)).queue("r", quota(1).limit(1));
    assertThat(planned(cluster.waiting("other", "r", gang(1)).snapshot()))
        .containsEntry("high", false)
        .containsEntry("third", false)
        .containsEntry("other", false)
        .hasSize(3);
  }

  /// The next round: the victim has not been asked to leave yet, or refused.
  @Test
  void victimsOfAnEarlierPlanCountUntilTheirEvictionIsAsked() {
    var before =
        cluster()
            .node("n", gpus(4))
            .queue("q", quota(2).limit(2))
            .waiting("late", "q", gang(1).gpus(1));
    assertThat(planned(before.makingWay("low", "q", gang(1).gpus(2)).snapshot()))
        .isEqualTo(Map.of("late", true));
  }

  private static TreeMap<String, List<String>> awaited(Cluster cluster) {
    var awaited = new TreeMap<String, List<String>>();
    for (Decision decision :
        new Planner(PlannerSettings.DEFAULT).plan(cluster.snapshot()).decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        awaited.put(reserve.group().name(), reserve.awaited().stream().map(PodUid::value).toList());
      }
    }
    return awaited;
  }

  /// They run on for their grace, and count for no fair share meanwhile.
  private static Cluster restarted(QueueSketch queue) {
    return cluster()
        .node("n", gpus(16))
        .queue("q", queue)
        .queue("r", quota(4).limit(4))
        .leaving("old", "q", gang(3).gpus(1).deleted())
        .running("stays", "q", gang(1).gpus(1))
        .waiting("one", "q", gang(1).gpus(1))
        .waiting("two", "q", gang(1).gpus(1))
        .waiting("other", "r", gang(1).gpus(1))
        .waiting("cores", "q", gang(1).noGpu());
  }

  /// Non-preemptible work may have no more than the quota, those that run on for their grace among
  /// it: deleted in turn, pods would keep several times that.
  @Test
  void nonPreemptibleWorkAwaitsNonPreemptibleOneThatIsDeleted() {
    var cluster =
        cluster()
            .node("n", gpus(16))
            .queue("q", quota(4))
            .leaving("old", "q", gang(3).gpus(1).nonPreemptible().deleted())
            .leaving("preemptible", "q", gang(1).gpus(2).deleted())
            .waiting("fixed", "q", gang(2).gpus(1).nonPreemptible())
            .waiting("may-leave", "q", gang(1).gpus(4));
    assertThat(awaited(cluster))
        .as("three that run on and two, of four")
        .isEqualTo(Map.of("fixed", List.of("uid-old-100000"), "may-leave", List.of()));
  }

  @Test
  void deletedPodIsAwaitedByAsManyAsTheLimitHasNoRoomFor() {
    var nobody = List.<String>of();
    assertThat(awaited(restarted(quota(4).limit(6))))
        .as("three that run on, and three")
        .isEqualTo(Map.of("one", nobody, "two", nobody, "other", nobody, "cores", nobody));
    var first = List.of("uid-old-100000");
    assertThat(awaited(restarted(quota(4).limit(5))))
        .as("one too many")
        .isEqualTo(Map.of("one", first, "two", first, "other", nobody, "cores", nobody));
    var both = List.of("uid-old-100000", "uid-old-100001");
    assertThat(awaited(restarted(quota(4).limit(4))))
        .isEqualTo(Map.of("one", both, "two", both, "other", nobody, "cores", nobody));
  }

  @Test
  void victimsAreAwaitedUntilTheyAreGoneWhereALimitHasNoRoomForBoth() {
    var nobody = List.<String>of();
    assertThat(awaited(contest(quota(6).limit(20))))
        .isEqualTo(Map.of("high", nobody, "third", nobody));
    var low = List.of("uid-low-100000");
    assertThat(awaited(contest(quota(6).limit(6)))).isEqualTo(Map.of("high", low, "third", low));
  }
}
