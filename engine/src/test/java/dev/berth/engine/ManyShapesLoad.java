package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How much memory and time a plan takes where each of many waiting pods asks for something else,
/// as an attacker makes them to exhaust the planner: a full cluster of 1,213 nodes.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=ManyShapesLoad [-Dshapes=14000]`.
class ManyShapesLoad {
  private static final int SHAPES = Integer.getInteger("shapes", 14_000);
  private static final int NODES = 1_213;

  @Test
  void plansOverPodsThatAllAskForSomethingElse() {
    var world = cluster();
    for (int n = 0; n < NODES; n++) {
      world.node("n" + n, gpus(8));
      world.running("r" + n, "default", gang(1).gpus(8).on("n" + n));
    }
    for (int i = 0; i < SHAPES; i++) {
      world.waiting("w" + i, "default", gang(1).asks(Resource.CPU, 1000L + i));
    }
    var snapshot = world.snapshot();
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<Duration>();
    for (int i = 0; i < 6; i++) {
      long began = System.nanoTime();
      var plan = incremental.plan(snapshot, Collections.emptySortedMap());
      times.add(Duration.ofNanos(System.nanoTime() - began));
      assertThat(plan.decisions()).hasSize(SHAPES);
    }
    System.gc();
    var runtime = Runtime.getRuntime();
    long mib = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    System.out.println(SHAPES + " shapes: " + times + ", live heap " + mib + " MiB");
    assertThat(List.of(incremental)).isNotEmpty(); // lives until here
  }
}
