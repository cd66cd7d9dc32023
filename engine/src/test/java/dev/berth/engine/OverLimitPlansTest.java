package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Plans beyond what their queues may have now.
class OverLimitPlansTest {
  /// The groups of the pods whose plans are given back.
  private static List<String> excess(Cluster cluster) {
    return new Planner(PlannerSettings.DEFAULT)
        .excess(cluster.snapshot()).stream()
            .map(plan -> plan.pod().name().replaceFirst("-[0-9]+$", ""))
            .toList();
  }

  @Test
  void thereIsNoneWhereQueuesHaveRoom() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2).limit(4))
            .running("old", "team", pods(2).on("n1"))
            .planned("new", "team", gang(2).on("n1"));
    assertThat(excess(cluster)).isEmpty();
  }

  @Test
  void whatIsBeyondALimitIsGivenBackGangByGang() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2).limit(4))
            .queue("other", anything())
            .running("old", "team", pods(3).on("n1"))
            .planned("gang", "team", gang(2).on("n1"))
            .planned("elsewhere", "other", gang(2).on("n1"));
    assertThat(excess(cluster)).containsExactly("gang", "gang");
  }

  @Test
  void theLastPlansGoFirstAndNoMoreThanNeeded() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2).limit(4))
            .running("old", "team", pods(3).on("n1"))
            .planned("a", "team", pods(1).on("n1"))
            .planned("b", "team", pods(1).on("n1"));
    assertThat(excess(cluster)).containsExactly("b");
  }

  @Test
  void aLimitFurtherUpCountsAsWell() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("branch", anything().limit(1))
            .queue("leaf", anything().below("branch"))
            .running("old", "leaf", pods(1).on("n1"))
            .planned("new", "leaf", pods(1).on("n1"));
    assertThat(excess(cluster)).containsExactly("new");
  }

  @Test
  void nonPreemptibleWorkStaysWithinItsQuota() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2))
            .running("old", "team", pods(2).on("n1").nonPreemptible())
            .planned("lent", "team", pods(1).on("n1"))
            .planned("fixed", "team", pods(1).on("n1").nonPreemptible());
    assertThat(excess(cluster)).containsExactly("fixed");
  }

  @Test
  void plansOfAQueueThatIsGoneAreGivenBack() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(8))
            .running("old", "lost", pods(1).on("n1"))
            .planned("a", "lost", gang(2).on("n1"))
            .planned("b", "team", pods(1).on("n1"));
    assertThat(excess(cluster)).containsExactly("a", "a");
  }

  @Test
  void soAreThoseOfAQueueThatHasQueuesBelowItNowOrTakesOtherNamespaces() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(8))
            .queue("below", quota(8).below("team"))
            .queue("guarded", quota(8).namespacesWith("team", "ml"))
            .planned("a", "team", pods(1).on("n1"))
            .planned("b", "below", pods(1).on("n1"))
            .planned("c", "guarded", pods(1).on("n1"));
    assertThat(excess(cluster)).containsExactly("a", "c");
  }

  /// What is given back for another reason leaves room.
  @Test
  void noMoreIsGivenBackThanThatLeavesTooMuch() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("branch", anything().limit(2))
            .queue("guarded", anything().below("branch").namespacesWith("team", "ml"))
            .queue("leaf", anything().below("branch"))
            .planned("a", "guarded", pods(1).on("n1"))
            .planned("b", "leaf", pods(2).on("n1"));
    assertThat(excess(cluster)).containsExactly("a");
  }

  @Test
  void whatRunsStays() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2).limit(2))
            .running("old", "team", pods(4).on("n1"));
    assertThat(excess(cluster)).isEmpty();
  }

  /// Queues are asked whenever a claim is allocated: plans that await victims are not beyond.
  @Test
  void whatLeavesForAPlanCountsNoMore() {
    var cluster =
        cluster()
            .node("n1", gpus(8))
            .queue("team", quota(2).limit(2))
            .makingWay("old", "team", pods(2).on("n1"))
            .planned("new", "team", pods(2).on("n1"));
    assertThat(excess(cluster)).isEmpty();
  }

  /// Kube-scheduler allocated two GPUs where one was charged.
  @Test
  void aClaimThatIsAllocatedMoreThanItWasChargedIsGivenBack() {
    var cluster =
        cluster()
            .node("n1", noGpus())
            .devices("n1", "gpu.nvidia.com", 4)
            .queue("team", quota(1).limit(1))
            .claim("c", "team", "gpu.nvidia.com", 1)
            .planned("new", "team", pods(1).noGpu().on("n1").claims("c"));
    assertThat(excess(cluster)).isEmpty();
    cluster.claimOn("n1", "c", "team", "gpu.nvidia.com", 2);
    assertThat(excess(cluster)).containsExactly("new");
  }

  /// The second user of a claim is charged for it once the first is gone.
  @Test
  void theNextUserOfAClaimIsGivenBackWhenTheFirstIs() {
    var cluster =
        cluster()
            .node("n1", noGpus())
            .devices("n1", "gpu.nvidia.com", 4)
            .queue("team", quota(1).limit(1))
            .claimOn("n1", "c", "team", "gpu.nvidia.com", 2)
            .planned("a", "team", pods(1).noGpu().on("n1").claims("c"))
            .planned("b", "team", pods(1).noGpu().on("n1").claims("c"));
    assertThat(excess(cluster)).containsExactly("a");
    var without =
        cluster()
            .node("n1", noGpus())
            .devices("n1", "gpu.nvidia.com", 4)
            .queue("team", quota(1).limit(1))
            .claimOn("n1", "c", "team", "gpu.nvidia.com", 2)
            .planned("b", "team", pods(1).noGpu().on("n1").claims("c"));
    assertThat(excess(without)).containsExactly("b");
  }
}
