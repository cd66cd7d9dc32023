package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Numa.Policy;
import dev.berth.engine.model.Numa.Scope;
import dev.berth.engine.model.Numa.Zone;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.Random;

/// Small random worlds, the same for the same seed: nodes of all kinds, three queues in a tree,
/// groups that run, leave, are planned, and wait.
public final class Worlds {
  private Worlds() {}

  public static Cluster random(long seed) {
    var random = new Random(seed);
    var rare = new Rarities(seed);
    var world = cluster().topology("fabric", "zone", "rack");
    world
        .queue("root", rare.queue(quota(16).limit(4 + random.nextInt(40))))
        .queue(
            "a",
            rare.queue(quota(1 + random.nextInt(8)).limit(2 + random.nextInt(20))).below("root"))
        .queue("b", rare.queue(quota(random.nextInt(8))).below("root"));
    int nodes = 1 + random.nextInt(7);
    var zones = new Random(~seed);
    for (int i = 0; i < nodes; i++) {
      world.node("n" + i, rare.node(zoned(node(random), zones)));
    }
    if (random.nextInt(3) == 0 && nodes > 1) {
      world.node("holds", gpus(4)).idleHolder("holds", 1).retiringHolder("holds", 2);
    }
    for (int i = 0; i < 8; i++) {
      there(world, random, rare, i);
    }
    int waiting = 1 + random.nextInt(10);
    for (int i = 0; i < waiting; i++) {
      world.waiting(
          "w" + i,
          random.nextBoolean() ? "a" : "b",
          Settings.inPool(rare.group(group(random)), seed, i));
    }
    return rare.budgets(world);
  }

  /// Some tell of their zones, be it right or wrong.
  private static NodeSketch zoned(NodeSketch node, Random random) {
    if (random.nextInt(3) > 0) {
      return node;
    }
    var policies = Policy.values();
    var scopes = Scope.values();
    return node.zones(
        policies[random.nextInt(policies.length)],
        scopes[random.nextInt(scopes.length)],
        zone(random),
        zone(random));
  }

  private static Zone zone(Random random) {
    int devices = 1 + random.nextInt(4);
    return NodeSketch.zone(devices, 12, random.nextInt(devices + 1), 12);
  }

  private static NodeSketch node(Random random) {
    var node = random.nextInt(5) == 0 ? noGpus() : gpus(1 + random.nextInt(8));
    node.deviceMemory(random.nextInt(6) == 0 ? 0 : random.nextBoolean() ? 40_000 : 80_000)
        .label("zone", "z" + random.nextInt(2))
        .with(Resource.CPU, 4_000 + 1_000L * random.nextInt(20))
        .with(Resource.PODS, 4 + random.nextInt(20));
    if (random.nextInt(4) > 0) {
      node.label("rack", "r" + random.nextInt(3));
    }
    if (random.nextInt(8) == 0) {
      node.taint("team", "ml", "NoSchedule");
    }
    return random.nextInt(12) == 0 ? node.cordoned() : node;
  }

  /// One more group that has places already, if there is room for it.
  private static void there(Cluster world, Random random, Rarities rare, int i) {
    var queue = random.nextBoolean() ? "a" : "b";
    var sketch = rare.group(group(random));
    int fate = random.nextInt(4);
    try {
      switch (fate) {
        case 0 -> world.leaving("l" + i, queue, sketch);
        case 1 -> world.planned("p" + i, queue, sketch);
        case 2 -> world.partly("h" + i, queue, 1, sketch);
        default -> world.running("r" + i, queue, sketch);
      }
    } catch (IllegalArgumentException full) {
      // those of its members that fitted stay as unrelated pods that take room
    }
  }

  private static PodSketch group(Random random) {
    int count = 1 + random.nextInt(5);
    var sketch =
        random.nextBoolean() ? gang(count) : pods(count).atLeast(1 + random.nextInt(count));
    if (random.nextInt(6) == 0) {
      int half = (count + 1) / 2;
      sketch.role("one", "", half, 1 + random.nextInt(half));
      sketch.role("two", "", count - half, random.nextInt(count - half + 1));
    }
    switch (random.nextInt(6)) {
      case 0 -> sketch.noGpu();
      case 1 -> sketch.share(100 * (1 + random.nextInt(9)));
      case 2 -> sketch.share(250 * (1 + random.nextInt(3)), 1 + random.nextInt(3));
      case 3 -> sketch.memory(1_000L * (1 + random.nextInt(70)));
      default -> sketch.gpus(1 + random.nextInt(4));
    }
    if (random.nextInt(5) == 0) {
      sketch.port("TCP:" + (random.nextBoolean() ? "0.0.0.0" : "10.0.0.1") + ":80");
    }
    if (random.nextInt(5) == 0) {
      sketch.together(
          "fabric", random.nextBoolean() ? "zone" : "", random.nextBoolean() ? "rack" : "");
    }
    if (random.nextInt(8) == 0) {
      sketch.vetoed("n0", "no");
    }
    if (random.nextInt(8) == 0) {
      sketch.semiPreemptible();
    }
    return sketch
        .asks(Resource.CPU, 250L * (1 + random.nextInt(8)))
        .priority(40 + 40 * random.nextInt(3))
        .minutesOld(random.nextInt(5));
  }

  /// Any lawful change: evicts some, places some, in nested statements of which some are kept.
  public static void scribble(Session session, Statement statement, Random random, int depth) {
    for (int i = 0; i < 6; i++) {
      var seats = new ArrayList<MemberState>();
      for (Group group : session.groups()) {
        seats.addAll(group.seats());
      }
      if (seats.isEmpty()) {
        return;
      }
      var seat = seats.get(random.nextInt(seats.size()));
      if (seat.isPlaced()) {
        statement.evict(seat, Cause.RECLAIM, new GroupKey("default", "any"));
      } else if (seat.isWaiting() && seat.origin().isSomewhere() && random.nextBoolean()) {
        statement.place(seat, seat.origin(), false);
      } else if (seat.isWaiting()) {
        statement.place(seat, anywhere(session, seat, random), random.nextBoolean());
      }
      if (depth > 0 && random.nextInt(3) == 0) {
        try (Statement inner = session.open()) {
          scribble(session, inner, random, depth - 1);
          if (random.nextBoolean()) {
            inner.keep();
          }
        }
      }
    }
  }

  /// Whether there is room or not: undoing must not depend on it.
  private static Assignment anywhere(Session session, MemberState seat, Random random) {
    int node = random.nextInt(session.room().nodes());
    int count = seat.podClass().isShare() ? seat.podClass().devices().count() : 0;
    if (count == 0 || session.room().slots().count(node) < count) {
      return Assignment.on(node);
    }
    var slots = new int[count];
    for (int i = 0; i < count; i++) {
      slots[i] = i;
    }
    return new Assignment(node, slots, 100);
  }
}
