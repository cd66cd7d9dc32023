package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/// Small random worlds in which there is not enough for all, the same for the same seed: two
/// departments with two teams each, quotas, limits, weights and priorities; gangs, elastic groups,
/// trees, shares, some of them within one rack; most of them run, some wait. In a third of the
/// worlds single devices are taken all over the cluster.
public final class Contests {
  public static final List<String> TEAMS = List.of("xa", "xb", "ya", "yb");

  private Contests() {}

  public static Cluster random(long seed) {
    var random = new Random(seed);
    var rare = new Rarities(seed);
    var world = running(random, rare);
    int waiting = 1 + random.nextInt(5);
    for (int i = 0; i < waiting; i++) {
      world.waiting("w" + i, any(random), Settings.inPool(rare.group(group(random)), seed, i));
    }
    return withPast(rare.budgets(world), seed);
  }

  /// The same with a single gang `w` that waits.
  public static Cluster duel(long seed) {
    var random = new Random(seed);
    var rare = new Rarities(seed);
    var world = running(random, rare);
    world.waiting("w", any(random), rare.group(gang(1 + random.nextInt(4)).minutesOld(9)));
    return withPast(rare.budgets(world), seed);
  }

  /// Half of the teams used something, from a stream of its own.
  private static Cluster withPast(Cluster world, long seed) {
    var random = new SplittableRandom(~seed);
    for (String team : TEAMS) {
      if (random.nextBoolean()) {
        world.past(team, random.nextInt(10) / 10.0);
      }
    }
    return world;
  }

  private static Cluster running(Random random, Rarities rare) {
    var world = cluster().topology("fabric", "zone", "rack");
    world.queue("x", rare.queue(department(random)));
    world.queue("y", rare.queue(department(random)));
    for (String team : TEAMS) {
      world.queue(team, rare.queue(team(random)).below(team.substring(0, 1)));
    }
    int nodes = 1 + random.nextInt(4);
    boolean scattered = random.nextInt(3) == 0;
    for (int i = 0; i < nodes; i++) {
      world.node("n" + i, rare.node(node(random)));
    }
    int running = 2 + random.nextInt(9);
    for (int i = 0; i < running; i++) {
      var sketch = scattered ? pods(1).gpus(1).minutesOld(i) : group(random);
      if (scattered || random.nextInt(3) == 0) {
        sketch.on("n" + random.nextInt(nodes));
      }
      world.runningIfItFits("r" + i, any(random), rare.group(sketch));
    }
    return world;
  }

  private static String any(Random random) {
    return TEAMS.get(random.nextInt(TEAMS.size()));
  }

  private static QueueSketch department(Random random) {
    return terms(random, quota(random.nextInt(10)), 12);
  }

  private static QueueSketch team(Random random) {
    return terms(random, quota(random.nextInt(5)), 8);
  }

  private static QueueSketch terms(Random random, QueueSketch queue, int most) {
    if (random.nextInt(5) == 0) {
      queue.limit(1 + random.nextInt(most));
    }
    if (random.nextInt(4) == 0) {
      queue.weight(random.nextInt(4));
    }
    return queue.priority(random.nextInt(4) == 0 ? 200 : 100).daysOld(random.nextInt(3));
  }

  private static NodeSketch node(Random random) {
    var node = gpus(1 + random.nextInt(6)).label("zone", "z" + random.nextInt(2));
    if (random.nextInt(5) > 0) {
      node.label("rack", "r" + random.nextInt(3));
    }
    return node.deviceMemory(random.nextInt(4) == 0 ? 40_000 : 80_000);
  }

  private static PodSketch group(Random random) {
    int count = 1 + random.nextInt(4);
    var sketch =
        random.nextBoolean() ? gang(count) : pods(count).atLeast(1 + random.nextInt(count));
    if (random.nextInt(6) == 0 && count > 1) {
      int half = (count + 1) / 2;
      sketch.role("one", "", half, 1 + random.nextInt(half));
      sketch.role("two", "", count - half, 1);
      sketch.atLeastSubGroups(random.nextInt(2));
    }
    switch (random.nextInt(8)) {
      case 0 -> sketch.noGpu();
      case 1 -> sketch.share(100 * (1 + random.nextInt(9)));
      case 2 -> sketch.share(250 * (1 + random.nextInt(3)), 1 + random.nextInt(2));
      case 3 -> sketch.memory(10_000L * (1 + random.nextInt(4)));
      case 4 -> sketch.gpus(2 + random.nextInt(2));
      default -> sketch.gpus(1);
    }
    if (random.nextInt(8) == 0) {
      sketch.together(
          "fabric", random.nextBoolean() ? "zone" : "", random.nextBoolean() ? "rack" : "");
    }
    switch (random.nextInt(10)) {
      case 0 -> sketch.semiPreemptible();
      case 1 -> sketch.nonPreemptible();
      default -> {}
    }
    return sketch.priority(40 + 10 * random.nextInt(3)).minutesOld(random.nextInt(6));
  }
}
