package dev.berth.engine;

import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Consolidation;
import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import dev.berth.engine.session.Session;
import java.time.Duration;
import java.util.Collections;
import java.util.SplittableRandom;

/// What is configured in a random world, the same for the same seed. Drawn from a stream of its
/// own, so that the rest of a world does not depend on it: every second one packs alone, the others
/// are of all mixes; most keep the defaults in the rest.
public final class Settings {
  private Settings() {}

  public static PlannerSettings of(long seed) {
    var random = new SplittableRandom(seed);
    var byDefault = PlannerSettings.DEFAULT;
    return new PlannerSettings(
        strategy(random),
        byDefault.stalenessGracePeriod(),
        byDefault.defaultQueue(),
        new FairShareSettings(
            random.nextInt(3) == 0 ? random.nextInt(5) : 0, FairShareSettings.DEFAULT.halfLife()),
        actions(random),
        backfill(random),
        seed % 3 == 0 ? Duration.ZERO : Duration.ofMinutes(10),
        random.nextInt(6) == 0 ? "rack" : "");
  }

  public static Planner planner(long seed) {
    return new Planner(of(seed));
  }

  /// The cluster as it would be after a round of a planner.
  public static Session carriedOut(Planner planner, Snapshot snapshot) {
    return planner.carriedOut(snapshot, Collections.emptySortedMap());
  }

  /// Where nodes are divided into pools, most of the waiting groups select one.
  public static PodSketch inPool(PodSketch sketch, long seed, int i) {
    int rack = new SplittableRandom(31 * seed + i).nextInt(4);
    var label = of(seed).poolLabel();
    return label.isEmpty() || rack == 3 ? sketch : sketch.selects(label, "r" + rack);
  }

  private static Strategy strategy(SplittableRandom random) {
    return switch (random.nextInt(6)) {
      case 0 -> new Strategy(Spread.SPREAD, Spread.SPREAD);
      case 1 -> new Strategy(Spread.SPREAD, Spread.BINPACK);
      case 2 -> new Strategy(Spread.BINPACK, Spread.SPREAD);
      default -> Strategy.DEFAULT;
    };
  }

  private static ActionSettings actions(SplittableRandom random) {
    int moves = random.nextInt(4) == 0 ? random.nextInt(3) : Consolidation.NO_LIMIT;
    boolean reclaims = random.nextInt(8) > 0;
    double multiplier = random.nextInt(4) == 0 ? 1 + random.nextInt(3) / 2.0 : 1;
    boolean preempts = random.nextInt(8) > 0;
    long trials = random.nextInt(8) == 0 ? 1 + random.nextInt(6) : 1_000_000;
    return new ActionSettings(
        new Consolidation(moves),
        new Reclaiming(reclaims, multiplier),
        preempts,
        new Searching(trials, Searching.DEFAULT.slice(), Searching.DEFAULT.wideFrom()));
  }

  /// Groups of these worlds are some minutes old.
  private static BackfillSettings backfill(SplittableRandom random) {
    return new BackfillSettings(
        random.nextInt(4) > 0,
        Duration.ofMinutes(random.nextInt(4)),
        Duration.ofMinutes(random.nextInt(3) == 0 ? 5 : 0),
        25 * (1 + random.nextInt(4)));
  }
}
