package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;

import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long a planner takes for a tree of so many leaves, one pod each: its first two rounds, over
/// a tree that waits for free nodes, and over one that runs while a group of higher priority waits
/// for room in a full cluster.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=TreesLoad`.
final class TreesLoad {
  private static final int PER_NODE = 50;
  private static final int FULL = 10_000;

  /// @param needed of the leaves; 0 = all
  @ParameterizedTest
  @CsvSource({
    "1000, 0",
    "3000, 0",
    "10000, 0",
    "30000, 0",
    "1000, 1",
    "3000, 1",
    "10000, 1",
    "30000, 1",
  })
  void plansTrees(int leaves, int needed) {
    var waiting = cluster();
    var running = cluster();
    var waits = gang(leaves).noGpu().inner("all", "", needed);
    var runs = gang(leaves).noGpu().inner("all", "", needed);
    for (int i = 0; i < leaves; i++) {
      waits.role("leaf-" + i, "all", 1, 1);
      runs.role("leaf-" + i, "all", 1, 1);
    }
    boolean full = leaves <= FULL; // to fill a cluster takes the test long
    for (int n = 0; n < leaves / PER_NODE; n++) {
      waiting.node("n" + n, noGpus());
      running.node("n" + n, noGpus().with(Resource.CPU, PER_NODE * 1000L));
    }
    waiting.waiting("tree", "default", waits);
    System.out.println(leaves + " leaves, need " + needed + ": waiting " + plans(waiting));
    if (full) {
      running.running("tree", "default", runs);
      running.waiting("first", "default", gang(10).noGpu().priority(100));
      System.out.println(leaves + " leaves, need " + needed + ": running " + plans(running));
    }
  }

  private static ArrayList<Duration> plans(Cluster world) {
    var snapshot = world.snapshot();
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<Duration>();
    for (int i = 0; i < 2; i++) {
      long began = System.nanoTime();
      var _ = incremental.plan(snapshot, Collections.emptySortedMap());
      times.add(Duration.ofNanos(System.nanoTime() - began));
    }
    return times;
  }
}
