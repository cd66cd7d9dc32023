package dev.berth.engine;

import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.placement.Strategy;
import java.time.Duration;

/// How the planner decides.
///
/// @param strategy which of the nodes that would do is taken
/// @param stalenessGrace how long a gang may run below its minimum; negative = for ever
/// @param defaultQueue the queue of pods that name none: in a cluster without any Queue it has no
///   limits
/// @param fairShare how past use counts
/// @param reclaimMultiplier how much less saturated than a sibling that loses something a
///   claimant's side must be once it is above its share; 1 or more
/// @param trials how many sets of victims one round may try; what is not tried by then is not
///   proven
/// @param backfill how room is kept for a group that comes first and does not fit yet
/// @param poolLabel the label of nodes that divides them into pools, each with its own capacity and
///   fair shares; empty = one pool
public record PlannerSettings(
    Strategy strategy,
    Duration stalenessGrace,
    QueueName defaultQueue,
    FairShareSettings fairShare,
    double reclaimMultiplier,
    long trials,
    BackfillSettings backfill,
    String poolLabel) {
  public static final PlannerSettings DEFAULT =
      new PlannerSettings(
          Strategy.DEFAULT,
          Duration.ofSeconds(60),
          new QueueName("default"),
          FairShareSettings.DEFAULT,
          1,
          1_000_000,
          BackfillSettings.DEFAULT,
          "");

  public PlannerSettings {
    if (stalenessGrace.isZero()) {
      throw new IllegalArgumentException(
          "stalenessGrace is 0, but must be more (a gang that starts would be stale at once),"
              + " or negative (never)");
    }
  }

  public PlannerSettings with(Strategy other) {
    return new PlannerSettings(
        other,
        stalenessGrace,
        defaultQueue,
        fairShare,
        reclaimMultiplier,
        trials,
        backfill,
        poolLabel);
  }

  public PlannerSettings with(BackfillSettings other) {
    return new PlannerSettings(
        strategy,
        stalenessGrace,
        defaultQueue,
        fairShare,
        reclaimMultiplier,
        trials,
        other,
        poolLabel);
  }

  public PlannerSettings withPools(String label) {
    return new PlannerSettings(
        strategy,
        stalenessGrace,
        defaultQueue,
        fairShare,
        reclaimMultiplier,
        trials,
        backfill,
        label);
  }
}
