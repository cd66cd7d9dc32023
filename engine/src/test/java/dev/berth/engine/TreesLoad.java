package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Resource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much time of its processor a planner takes for a tree of so many leaves, one pod each: its
/// first two rounds, over a tree that waits for free nodes, and over one that runs while a group of
/// higher priority waits for room in a full cluster.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=TreesLoad`.
final class TreesLoad {
  private static final int PER_NODE = 50;
  private static final int SLOWER = 10;
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final Duration LEAST = Duration.ofSeconds(2);

  /// @param needed of the leaves; 0 = all
  /// @param waits milliseconds that the first plan took as the page tells it, for a tree that waits
  /// @param runs the same for one that runs
  @ParameterizedTest
  @CsvSource({
    "1000,  0, 137, 114",
    "3000,  0, 57,  209",
    "10000, 0, 159, 467",
    "30000, 0, 639, 2390",
    "1000,  1, 30,  27",
    "3000,  1, 55,  63",
    "10000, 1, 180, 174",
    "30000, 1, 892, 820",
  })
  void plansTrees(int leaves, int needed, int waits, int runs) {
    var waiting = cluster();
    var running = cluster();
    var waitingTree = gang(leaves).noGpu().inner("all", "", needed);
    var runningTree = gang(leaves).noGpu().inner("all", "", needed);
    for (int i = 0; i < leaves; i++) {
      waitingTree.role("leaf-" + i, "all", 1, 1);
      runningTree.role("leaf-" + i, "all", 1, 1);
    }
    for (int n = 0; n < leaves / PER_NODE; n++) {
      waiting.node("n" + n, noGpus());
      running.node("n" + n, noGpus().with(Resource.CPU, PER_NODE * 1000L));
    }
    waiting.waiting("tree", "default", waitingTree);
    quick(leaves + " leaves, need " + needed + ": waiting", plans(waiting), waits);
    running.running("tree", "default", PER_NODE, runningTree);
    running.waiting("first", "default", gang(10).noGpu().priority(100));
    quick(leaves + " leaves, need " + needed + ": running", plans(running), runs);
  }

  /// Ten times what was measured on two idle cores is allowed, and two seconds in any case.
  private static void quick(String what, List<Duration> times, int millis) {
    System.out.println(what + " " + times);
    var bound = Duration.ofMillis((long) SLOWER * millis);
    var most = bound.compareTo(LEAST) < 0 ? LEAST : bound;
    assertThat(times).as(what + ", at most " + most).allMatch(time -> time.compareTo(most) <= 0);
  }

  private static List<Duration> plans(Cluster world) {
    var snapshot = world.snapshot();
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<Duration>();
    for (int i = 0; i < 2; i++) {
      long began = CPU.getCurrentThreadCpuTime();
      var _ = incremental.plan(snapshot, Collections.emptySortedMap());
      times.add(Duration.ofNanos(CPU.getCurrentThreadCpuTime() - began));
    }
    return times;
  }
}
