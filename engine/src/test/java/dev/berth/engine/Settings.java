package dev.berth.engine;

import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.SplittableRandom;

/// What is configured in a random world, the same for the same seed. Drawn from a stream of its
/// own, so that the rest of a world does not depend on it: every second one packs alone, the others
/// are of all mixes.
public final class Settings {
  private Settings() {}

  public static PlannerSettings of(long seed) {
    var random = new SplittableRandom(seed);
    return PlannerSettings.DEFAULT.with(strategy(random));
  }

  public static Planner planner(long seed) {
    return new Planner(of(seed));
  }

  private static Strategy strategy(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> new Strategy(Spread.SPREAD, Spread.SPREAD);
      case 1 -> new Strategy(Spread.SPREAD, Spread.BINPACK);
      case 2 -> new Strategy(Spread.BINPACK, Spread.SPREAD);
      default -> Strategy.DEFAULT;
    };
  }
}
