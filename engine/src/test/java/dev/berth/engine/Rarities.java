package dev.berth.engine;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.SplittableRandom;

/// What few of the random worlds have, drawn from streams of their own so that the rest of a world
/// does not depend on it: groups that take no victims, trees that need only some of their children,
/// disruption budgets, groups of unlike members, and nodes of two models with quotas and limits for
/// each.
public final class Rarities {
  static final List<String> APPS = List.of("x", "y");
  private static final List<String> MODELS = List.of("H100", "A100");

  private final SplittableRandom random;
  private final SplittableRandom trees;
  private final SplittableRandom unlike;
  private final boolean models;
  private final boolean budgets;

  public Rarities(long seed) {
    random = new SplittableRandom(~31 * seed);
    trees = new SplittableRandom(17 * seed + 5);
    unlike = new SplittableRandom(7 * seed + 11);
    models = random.nextInt(5) == 0;
    budgets = random.nextInt(5) == 0;
  }

  public PodSketch group(PodSketch sketch) {
    sketch.label("app", APPS.get(random.nextInt(2)));
    if (sketch.count > 1 && sketch.subGroups.isEmpty() && trees.nextInt(4) == 0) {
      grow(sketch);
    }
    if (sketch.count > 1
        && sketch.subGroups.isEmpty()
        && sketch.devices instanceof DeviceRequest.Whole
        && unlike.nextInt(4) == 0) {
      sketch.unlike(unlike.ints(sketch.count, 1, 4).boxed().toList());
    }
    return random.nextInt(10) == 0 ? sketch.takesNoVictims() : sketch;
  }

  /// Leaves, two of them below each child where there are members enough.
  private void grow(PodSketch sketch) {
    int children = 2 + trees.nextInt(Math.min(2, sketch.count - 1));
    int left = sketch.count;
    for (int i = 0; i < children; i++) {
      int members = left / (children - i);
      left -= members;
      String child = "child-" + i;
      if (members < 2 || trees.nextBoolean()) {
        sketch.role(child, "", members, least(members));
      } else {
        sketch.inner(child, "", trees.nextInt(3));
        sketch.role(child + "-a", child, members / 2, least(members / 2));
        sketch.role(child + "-b", child, members - members / 2, least(members - members / 2));
      }
    }
    sketch.atLeastSubGroups(trees.nextInt(children + 1));
  }

  private int least(int members) {
    return trees.nextInt(3) == 0 ? trees.nextInt(members + 1) : members;
  }

  public NodeSketch node(NodeSketch sketch) {
    return models ? sketch.model(MODELS.get(random.nextInt(2))) : sketch;
  }

  public QueueSketch queue(QueueSketch sketch) {
    for (String model : models ? MODELS : List.<String>of()) {
      var resource = Resource.gpuOfModel(model);
      if (random.nextInt(3) == 0) {
        sketch.quota(resource, 1000L * random.nextInt(5));
      }
      if (random.nextInt(5) == 0) {
        sketch.limit(resource, 1000L * (1 + random.nextInt(6)));
      }
    }
    return sketch;
  }

  public Cluster budgets(Cluster world) {
    for (String app : budgets ? APPS : List.<String>of()) {
      if (random.nextBoolean()) {
        world.budget(app, random.nextInt(4));
      }
    }
    return world;
  }
}
