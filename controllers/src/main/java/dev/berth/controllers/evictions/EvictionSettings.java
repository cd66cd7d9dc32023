package dev.berth.controllers.evictions;

import dev.berth.engine.PlannerSettings;
import java.time.Duration;

/// @param perSecond evictions that may be asked for, lasting
/// @param burst and at once
/// @param budgetTimeout how long an eviction that a disruption budget or the API server refuses is
///   retried before the victim is given up and its preemptor is planned anew
/// @param blockedCooldown how long a victim that was given up is not chosen again
/// @param graceMargin how long a victim may be there still when its grace is over, before Berth
///   says so
/// @param stalenessGracePeriod of groups that say nothing: how long they may run below their
///   minimum; negative = for ever
public record EvictionSettings(
    double perSecond,
    int burst,
    Duration budgetTimeout,
    Duration blockedCooldown,
    Duration graceMargin,
    Duration stalenessGracePeriod) {
  public static final EvictionSettings DEFAULT =
      new EvictionSettings(
          200,
          1000,
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          PlannerSettings.DEFAULT.stalenessGracePeriod());
}
