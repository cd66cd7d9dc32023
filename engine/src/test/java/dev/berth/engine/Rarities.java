package dev.berth.engine;

import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.SplittableRandom;

/// What few of the random worlds have, drawn from a stream of its own so that the rest of a world
/// does not depend on it: groups that take no victims, disruption budgets, and nodes of two models
/// with quotas and limits for each.
final class Rarities {
  static final List<String> APPS = List.of("x", "y");
  private static final List<String> MODELS = List.of("H100", "A100");

  private final SplittableRandom random;
  private final boolean models;
  private final boolean budgets;

  Rarities(long seed) {
    random = new SplittableRandom(~31 * seed);
    models = random.nextInt(5) == 0;
    budgets = random.nextInt(5) == 0;
  }

  PodSketch group(PodSketch sketch) {
    sketch.label("app", APPS.get(random.nextInt(2)));
    return random.nextInt(10) == 0 ? sketch.takesNoVictims() : sketch;
  }

  NodeSketch node(NodeSketch sketch) {
    return models ? sketch.model(MODELS.get(random.nextInt(2))) : sketch;
  }

  QueueSketch queue(QueueSketch sketch) {
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

  Cluster budgets(Cluster world) {
    for (String app : budgets ? APPS : List.<String>of()) {
      if (random.nextBoolean()) {
        world.budget(app, random.nextInt(4));
      }
    }
    return world;
  }
}
