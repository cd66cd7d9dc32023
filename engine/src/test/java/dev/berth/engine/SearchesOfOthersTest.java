package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Resource;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// Searches share their slices: a group that is owed something does not wait until all possible
/// moves for others have been searched, however many and odd these are.
class SearchesOfOthersTest {
  private static final int NODES = 100;
  private static final int SLICES = 60;

  private int odd;

  /// A queue borrows all, and on every second node one GPU is free beside 7 pods of one.
  private static Cluster borrowed() {
    var cluster = cluster().nodes(NODES, gpus(8).with(Resource.CPU, 64_000));
    cluster.queue("rich", quota(0)).queue("poor", quota(40)).queue("odd", quota(0));
    for (int n = 0; n < NODES; n++) {
      for (int i = 0; i < (n % 2 == 0 ? 8 : 7); i++) {
        cluster.running(
            "r" + n + "-" + i,
            "rich",
            pod().asks(Resource.CPU, 8_000).on("n" + (10_000 + n)).minutesOld(100 + n));
      }
    }
    return cluster;
  }

  /// Seven would have to move for one GPU, which is never agreed to, node after node; each is a
  /// search of its own.
  private void comesOdd(Cluster cluster) {
    cluster.waiting("odd" + odd, "odd", pod().asks(Resource.CPU, 60_000 + odd));
    odd++;
  }

  private static boolean reserves(Plan plan) {
    return plan.decisions().stream().anyMatch(Decision.Reserve.class::isInstance);
  }

  @Test
  void reclaimingPlanIsFoundInTheFirstSlice() {
    var cluster = borrowed();
    for (int i = 0; i < 10; i++) {
      comesOdd(cluster);
    }
    var snapshot = cluster.waiting("poor", "poor", pod().gpus(8).nonPreemptible()).snapshot();
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    var plan = planner.plan(snapshot, Collections.emptySortedMap(), SearchEffort.A_SLICE);
    assertThat(reserves(plan)).isTrue();
  }

  /// A search that found nothing is made again when room has changed, though others keep coming.
  @Test
  void aTrickleOfOthersKeepsNoRoundOpen() {
    var cluster = borrowed();
    comesOdd(cluster);
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    cluster.waiting("poor", "poor", pod().gpus(8).asks(Resource.CPU, 65_000));
    boolean isProven = false;
    for (int i = 0; i < SLICES && !isProven; i++) {
      isProven = poorIsProven(planner, cluster);
    }
    assertThat(isProven).as("no node has so many cores").isTrue();
    cluster.waiting("again", "poor", pod().gpus(8).nonPreemptible());
    boolean found = false;
    for (int i = 0; i < SLICES && !found; i++) {
      comesOdd(cluster);
      found = reserves(slice(planner, cluster));
    }
    assertThat(found).isTrue();
  }

  private static Plan slice(IncrementalPlanner planner, Cluster cluster) {
    var snapshot = cluster.snapshot();
    var _ = planner.plan(snapshot, Collections.emptySortedMap(), SearchEffort.AT_ONCE);
    return planner.plan(snapshot, Collections.emptySortedMap(), SearchEffort.A_SLICE);
  }

  private boolean poorIsProven(IncrementalPlanner planner, Cluster cluster) {
    comesOdd(cluster);
    return slice(planner, cluster).decisions().stream()
        .anyMatch(decision ->
            decision instanceof Decision.Wait(var group, var reason, _)
                && group.equals(Cluster.key("poor"))
                && !reason.code().equals("NotProven"));
  }
}
