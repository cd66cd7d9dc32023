package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/// What a plan of a large tree costs, counted in allocated bytes: a walk over all leaves for each
/// step copies them each time.
final class TreesTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void aTreeCostsWhatItHasLeaves() {
    allocatedFor(100); // classes are loaded
    long small = allocatedFor(1_000);
    long large = allocatedFor(4_000);
    assertThat(large / (double) small).as("four times the leaves").isLessThan(6);
  }

  /// One leaf must start, and each of the others is a step of its own.
  private static long allocatedFor(int leaves) {
    var world = cluster();
    var tree = gang(leaves).noGpu().inner("all", "", 1);
    for (int i = 0; i < leaves; i++) {
      tree.role("leaf-" + i, "all", 1, 1);
    }
    for (int n = 0; n < leaves / 50; n++) {
      world.node("n" + n, noGpus());
    }
    world.waiting("tree", "default", tree);
    var snapshot = world.snapshot();
    var rolling = new Planner(PlannerSettings.DEFAULT).rolling();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    var plan = rolling.plan(snapshot, Collections.emptySortedMap());
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(plan.decisions()).isNotEmpty();
    return allocated;
  }
}
