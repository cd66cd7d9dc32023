package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Plan;
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

  /// Each level tries all domains for all below it.
  @Test
  void aChainOfPreferredLevelsCostsNoMoreThanItsBound() {
    allocatedForChain(2); // classes are loaded
    long small = allocatedForChain(4);
    long large = allocatedForChain(12);
    assertThat(large / (double) small).as("eight levels more").isLessThan(20);
  }

  /// Two pods that can never be together, below so many sub-groups with a preferred level.
  private static long allocatedForChain(int depth) {
    var ask = new TopologyAsk("fabric", "", "host");
    var world = cluster().topology("fabric", "zone", "rack", "host");
    for (int n = 0; n < 8; n++) {
      world.node(
          "n" + n,
          noGpus()
              .label("os", "linux")
              .label("zone", "z")
              .label("rack", "r" + n / 4)
              .label("host", "n" + n));
    }
    var chain = gang(2).noGpu().label("x", "d").apart("os", "x", "d");
    for (int i = 0; i < depth; i++) {
      chain.inner("s" + i, i == 0 ? "" : "s" + (i - 1), 0, ask);
    }
    chain.role("last", "s" + (depth - 1), 2, 2, ask);
    world.waiting("chain", "default", chain);
    var cost = cost(world);
    assertThat(cost.plan.decisions()).singleElement().isInstanceOf(Decision.Wait.class);
    return cost.bytes;
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
    var cost = cost(world);
    assertThat(cost.plan.decisions()).isNotEmpty();
    return cost.bytes;
  }

  /// @param bytes that were allocated for it
  private record Cost(Plan plan, long bytes) {}

  private static Cost cost(Cluster world) {
    var snapshot = world.snapshot();
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    var plan = incremental.plan(snapshot, Collections.emptySortedMap());
    return new Cost(plan, THREADS.getCurrentThreadAllocatedBytes() - before);
  }
}
