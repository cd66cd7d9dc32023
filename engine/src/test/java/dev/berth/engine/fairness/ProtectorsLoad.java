package dev.berth.engine.fairness;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// How long a plan takes on a full cluster where the possible victims are protected, wholly or in
/// part, and many groups wait.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=ProtectorsLoad [-Dnodes=1000
/// -Dpreemptors=2000]`.
class ProtectorsLoad {
  private static final int NODES = Integer.getInteger("nodes", 1000);
  private static final int PREEMPTORS = Integer.getInteger("claimants", 2000);

  @Test
  void allAreProtected() {
    measure("all protected, one shape", 1, 1);
    measure("all protected, a shape each", 1, PREEMPTORS);
  }

  @Test
  void mostAreProtected() {
    measure("7 of 8 protected, 2 GPUs, one shape", 8, 1);
    measure("7 of 8 protected, 2 GPUs, a shape each", 8, PREEMPTORS);
  }

  @Test
  void noPodIsProtected() {
    measure("nobody protected", 0, 1);
  }

  /// @param of each node one of so many is not protected; 1 = all are, 0 = none is
  private static void measure(String kind, int of, int podClasses) {
    var research = quota(0);
    var world =
        cluster()
            .queue("product", quota(8 * NODES))
            .queue("research", of == 0 ? research : research.reclaimMinRuntime(ofHours(1)))
            .queue("third", quota(8));
    for (int n = 0; n < NODES; n++) {
      world.node("n" + n, gpus(8));
    }
    for (int n = 0; n < NODES; n++) {
      for (int i = 0; i < 8; i++) {
        boolean free = of > 1 && i == 0;
        world.running(
            "r" + n + "-" + i,
            of == 0 ? "third" : "research",
            of == 0
                ? pods(1).on("n" + n).nonPreemptible()
                : pods(1).on("n" + n).runningFor(free ? ofHours(2) : ofMinutes(1)));
      }
    }
    for (int i = 0; i < PREEMPTORS; i++) {
      world.waiting(
          "w" + (100_000 + i),
          "product",
          pods(1).gpus(of > 1 ? 2 : 1).asks(Resource.CPU, 1000 + i % podClasses));
    }
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var snapshot = world.snapshot();
    var times = new ArrayList<Long>();
    for (int round = 0; round < 7; round++) {
      long began = System.nanoTime();
      var plan = incremental.plan(snapshot, Collections.emptySortedMap());
      times.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
      assertThat(plan.decisions()).isNotEmpty();
    }
    System.out.println(kind + ", " + PREEMPTORS + " wait, " + NODES + " nodes: " + times + " ms");
  }
}
