package dev.berth.cli.bench;

import dev.berth.cli.bench.BenchCluster.Ask;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import java.util.function.Supplier;

/// The clusters that [PlannerBench] plans for, as far as no trace says them.
final class PlannerWorlds {
  private static final TopologyAsk ANYWHERE = TopologyAsk.NONE;

  private PlannerWorlds() {}

  /// Full with one-GPU pods of a queue that owns all but 79 devices; another asks for ten nodes.
  static Supplier<BenchCluster> verdict(int waiting) {
    return () ->
        new BenchCluster()
            .nodes(500)
            .queue("borrower", "", 3_921, 1)
            .queue("owner", "", 80, 1)
            .running(4_000, 8, 0, "borrower", Ask.gpus(1))
            .waiting(waiting, "borrower", Ask.gpus(1))
            .gang("gang", "owner", 10, Ask.gpus(8), ANYWHERE);
  }

  static Supplier<BenchCluster> reclaim(int nodes, int pods) {
    return () ->
        new BenchCluster()
            .nodes(nodes)
            .queue("borrower", "", 0, 0)
            .queue("owner", "", 8L * nodes, 1)
            .running(8 * nodes, 8, 0, "borrower", Ask.gpus(1))
            .waiting(pods, "owner", Ask.gpus(1));
  }

  static Supplier<BenchCluster> gangReclaim(int nodes) {
    return () ->
        new BenchCluster()
            .nodes(nodes)
            .queue("borrower", "", 0, 0)
            .queue("owner", "", 8L * nodes, 1)
            .running(8 * nodes, 8, 0, "borrower", Ask.gpus(1))
            .gang("gang", "owner", nodes / 2, Ask.gpus(8), ANYWHERE);
  }

  static Supplier<BenchCluster> scattered() {
    return () -> {
      var world =
          new BenchCluster()
              .nodes(500)
              .queue("one", "", 2_000, 1)
              .queue("two", "", 2_000, 1)
              .running(1_500, 3, 0, "one", Ask.gpus(1));
      for (int i = 0; i < 41; i++) {
        world.gang("gang-" + (10 + i), "two", 10, Ask.gpus(6), ANYWHERE);
      }
      return world;
    };
  }

  static Supplier<BenchCluster> together() {
    return () ->
        new BenchCluster()
            .nodes(500)
            .fabric()
            .queue("one", "", 4_000, 1)
            .gang("gang", "one", 512, Ask.gpus(1), new TopologyAsk("fabric", "block", "rack"));
  }

  static Supplier<BenchCluster> allocate() {
    return () -> {
      var world = new BenchCluster().nodes(100);
      for (int department = 0; department < 2; department++) {
        world.queue("department-" + department, "", 400, 1);
        for (int queue = 0; queue < 2; queue++) {
          var name = "queue-" + department + "-" + queue;
          world.queue(name, "department-" + department, 200, 1);
          world.waiting(125, name, Ask.gpus(1));
        }
      }
      return world;
    };
  }

  /// 10,000 full nodes, 13 pods on each, in 1,000 queues of three levels.
  static BenchCluster large(int gangs) {
    int nodes = 10_000;
    int leaves = 900;
    var world = new BenchCluster().nodes(nodes);
    for (int top = 0; top < 10; top++) {
      world.queue("top-" + top, "", 8_000, 1);
      for (int middle = 0; middle < 9; middle++) {
        world.queue("mid-" + top + middle, "top-" + top, 800, 1);
        for (int leaf = 0; leaf < 10; leaf++) {
          world.queue("leaf-" + (top * 9 + middle) + "-" + leaf, "mid-" + top + middle, 80, 1);
        }
      }
    }
    for (int n = 0; n < nodes; n++) {
      var queue = leaf(n % leaves);
      world.running(6, 6, n, queue, Ask.gpus(1));
      world.running(4, 4, n, queue, Ask.share(500));
      world.running(3, 3, n, queue, Ask.none());
    }
    for (int i = 0; i < gangs; i++) {
      world.gang("gang-" + (10_000 + i), leaf(i % leaves), 5, Ask.gpus(1), ANYWHERE);
    }
    return world;
  }

  private static String leaf(int number) {
    return "leaf-" + number / 10 + "-" + number % 10;
  }
}
