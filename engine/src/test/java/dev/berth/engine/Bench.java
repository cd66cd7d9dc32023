package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;

import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/// What planning costs, in CPU time of the planning thread. Not a test: run it by hand.
public final class Bench {
  private static final int ROUNDS = 150;
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private Bench() {}

  public static void main(String[] args) {
    var planner = new Planner(PlannerSettings.DEFAULT);
    var full = pods(cluster().nodes(500, gpus(8)), 4000, true).snapshot();
    measure("idle: 500×8, 4,000 bound", () -> planner.plan(full));
    var empty = pods(cluster().nodes(500, gpus(8)), 4000, false).snapshot();
    measure("fill: 4,000 pods on 500×8", () -> planner.plan(empty));
    var shares = cluster().nodes(500, gpus(8));
    for (int i = 0; i < 4000; i++) {
      shares.waiting("s" + (10_000 + i), "default", pod().share(500));
    }
    var half = shares.snapshot();
    measure("fill: 4,000 half devices on 500×8", () -> planner.plan(half));
    var big = cluster().nodes(500, gpus(8)).waiting("gang", "default", gang(512)).snapshot();
    measure("gang of 512 on 500×8", () -> planner.plan(big));
    var wired = cluster().topology("fabric", "zone");
    for (int i = 0; i < 500; i++) {
      wired.node("n" + (10_000 + i), gpus(8).label("zone", "z" + i / 100));
    }
    var zoned =
        wired.waiting("gang", "default", gang(512).together("fabric", "zone", "")).snapshot();
    measure("gang of 512 in one of 5 zones of 100×8", () -> planner.plan(zoned));
    var none =
        pods(cluster().nodes(500, gpus(8)), 3999, true)
            .waiting("gang", "default", gang(512))
            .snapshot();
    measure("impossible gang of 512 on 500×8, one free", () -> planner.plan(none));
    var queue = pods(cluster().nodes(500, gpus(8)), 4000, true);
    for (int i = 0; i < 4000; i++) {
      queue.waiting("w" + i, "default", pod());
    }
    var matches = queue.snapshot();
    measure("4,000 equal pods wait on a full 500×8", () -> planner.plan(matches));
    var gangs = pods(cluster().nodes(500, gpus(8)), 3990, true);
    for (int i = 0; i < 2000; i++) {
      gangs.waiting("g" + i, "default", gang(12 + i % 50).gpus(1 + i % 2));
    }
    var crowded = gangs.snapshot();
    measure("2,000 gangs of 12 … 61 wait, ten free", () -> planner.plan(crowded));
    var huge = cluster().nodes(10_000, gpus(8)).snapshot();
    measure("session over 10,000×8, no pods", () -> Session.over(huge));
    var loaded = pods(cluster().nodes(10_000, gpus(8)), 20_000, true).snapshot();
    measure("session over 10,000×8, 20,000 bound", () -> Session.over(loaded));
    shares(300);
    alone(5000);
    alone(500);
  }

  private static Cluster pods(Cluster cluster, int count, boolean running) {
    for (int i = 0; i < count; i++) {
      var name = "p" + (100_000 + i);
      if (running) {
        cluster.running(name, "default", pod().on("n" + (10_000 + i / 8)));
      } else {
        cluster.waiting(name, "default", pod());
      }
    }
    return cluster;
  }

  /// Queues in a tree of ten branches, of which each runs and waits for something.
  private static void shares(int queues) {
    var cluster = cluster().nodes(10_000, gpus(8));
    for (int i = 0; i < 10_000; i++) {
      cluster.stranger("n" + (10_000 + i), pod().noGpu());
    }
    for (int i = 0; i < 10; i++) {
      cluster.queue("top-" + i, QueueSketch.quota(6_000));
    }
    for (int i = 0; i < queues; i++) {
      cluster.queue("q" + i, QueueSketch.quota(100).weight(i % 4).below("top-" + i % 10));
      cluster.waiting("w" + i, "q" + i, gang(i));
    }
    for (int i = 0; i < 20_000; i++) {
      cluster.running("r" + i, "q" + i % queues, pod().on("n" + (10_000 + i / 2)));
    }
    var session = Session.over(cluster.snapshot());
    measure(
        "shares of " + queues + " queues, 10,000×8, 20,000 bound",
        () -> Shares.of(session, FairShareSettings.DEFAULT));
    measure(
        "the same over time",
        () -> Shares.of(session, new FairShareSettings(1, Duration.ofDays(1))));
  }

  private static void alone(int nodes) {
    Snapshot snapshot = pods(cluster().nodes(nodes, gpus(8)), nodes, true).snapshot();
    var names = new ArrayList<NodeName>();
    for (int i = 0; i < nodes; i++) {
      names.add(new NodeName("n" + (10_000 + i)));
    }
    var alone = SinglePodPlanner.over(snapshot, PlannerSettings.DEFAULT);
    var share =
        Cluster.podOf(
            "x", 0, pod().share(500), Instant.EPOCH, new dev.berth.engine.model.Standing.Waiting());
    measure(
        "alone: view of " + nodes, () -> SinglePodPlanner.over(snapshot, PlannerSettings.DEFAULT));
    measure("alone: judge among " + nodes, () -> alone.judge(share, names));
    measure("alone: scores of " + nodes, () -> alone.scores(share, names));
  }

  private static void measure(String what, Supplier<Object> work) {
    var millis = new double[ROUNDS];
    long hash = 0;
    for (int i = 0; i < ROUNDS; i++) {
      long start = CPU.getCurrentThreadCpuTime();
      hash += System.identityHashCode(work.get()) & 1;
      millis[i] = (CPU.getCurrentThreadCpuTime() - start) / 1e6;
    }
    double first = millis[0];
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "%-45s median %8.2f ms  first %8.2f  worst %8.2f  %s%n",
        what,
        millis[ROUNDS / 2],
        first,
        millis[ROUNDS - 1],
        hash < 0 ? "?" : "");
  }
}
