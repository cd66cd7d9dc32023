package dev.berth.engine;

import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.placement.Strategy;
import java.time.Duration;

/// How the planner decides.
///
/// @param strategy which of the nodes that would do is taken
/// @param stalenessGracePeriod how long a gang may run below its minimum; negative = for ever
/// @param defaultQueue the queue of pods that name none: in a cluster without any Queue it has no
///   limits
/// @param fairShare how past use counts
/// @param actions which actions may have others leave, and how far they may go
/// @param backfill how room is kept for a group that comes first and does not fit yet
/// @param maxRuntimeWarning how long before a group is evicted for its max-runtime it is warned,
///   where no queue says it; zero = it is not
/// @param poolLabel the label of nodes that divides them into pools, each with its own capacity and
///   fair shares; empty = one pool
public record PlannerSettings(
    Strategy strategy,
    Duration stalenessGracePeriod,
    QueueName defaultQueue,
    FairShareSettings fairShare,
    ActionSettings actions,
    BackfillSettings backfill,
    Duration maxRuntimeWarning,
    String poolLabel) {
  public static final PlannerSettings DEFAULT =
      new PlannerSettings(
          Strategy.DEFAULT,
          Duration.ofSeconds(60),
          new QueueName("default"),
          FairShareSettings.DEFAULT,
          ActionSettings.DEFAULT,
          BackfillSettings.DEFAULT,
          Duration.ofMinutes(30),
          "");

  public PlannerSettings {
    if (stalenessGracePeriod.isZero()) {
      throw new IllegalArgumentException(
          "stalenessGracePeriod is 0, but must be more (a gang that starts would be stale at once),"
              + " or negative (never)");
    }
  }

  public PlannerSettings with(Strategy other) {
    return new PlannerSettings(
        other,
        stalenessGracePeriod,
        defaultQueue,
        fairShare,
        actions,
        backfill,
        maxRuntimeWarning,
        poolLabel);
  }

  public PlannerSettings with(ActionSettings other) {
    return new PlannerSettings(
        strategy,
        stalenessGracePeriod,
        defaultQueue,
        fairShare,
        other,
        backfill,
        maxRuntimeWarning,
        poolLabel);
  }

  public PlannerSettings with(BackfillSettings other) {
    return new PlannerSettings(
        strategy,
        stalenessGracePeriod,
        defaultQueue,
        fairShare,
        actions,
        other,
        maxRuntimeWarning,
        poolLabel);
  }

  /// The same with another warning of max-runtimes.
  public PlannerSettings with(Duration warning) {
    return new PlannerSettings(
        strategy,
        stalenessGracePeriod,
        defaultQueue,
        fairShare,
        actions,
        backfill,
        warning,
        poolLabel);
  }

  public PlannerSettings withPools(String label) {
    return new PlannerSettings(
        strategy,
        stalenessGracePeriod,
        defaultQueue,
        fairShare,
        actions,
        backfill,
        maxRuntimeWarning,
        label);
  }
}
