package dev.berth.engine;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.placement.Strategy;
import java.time.Duration;

/// How the planner decides.
///
/// @param strategy which of the nodes that would do is taken
/// @param stalenessGrace how long a gang may run below its minimum; negative = for ever
/// @param defaultQueue the queue of pods that name none: in a cluster without any Queue it has no
///   limits
public record PlannerSettings(Strategy strategy, Duration stalenessGrace, QueueName defaultQueue) {
  public static final PlannerSettings DEFAULT =
      new PlannerSettings(Strategy.DEFAULT, Duration.ofSeconds(60), new QueueName("default"));

  public PlannerSettings {
    if (stalenessGrace.isZero()) {
      throw new IllegalArgumentException(
          "stalenessGrace is 0, but must be more (a gang that starts would be stale at once),"
              + " or negative (never)");
    }
  }

  public PlannerSettings with(Strategy other) {
    return new PlannerSettings(other, stalenessGrace, defaultQueue);
  }
}
