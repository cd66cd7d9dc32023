package dev.berth.controllers.groups;

import java.time.Duration;

/// @param pause shortest time between two status writes of one group, lasting; three may come at
///   once
/// @param podReasonDelay a pod tells why it waits once it has waited so long
/// @param eventsPerSecond events told at the most, lasting: of PodGroups, and as many of pods
/// @param conditionsPerSecond conditions of pods written at the most, lasting
/// @param forecastsPerSecond statuses of PodGroups written for another forecast alone at the most,
///   lasting
/// @param stalenessGracePeriod of groups that say nothing: how long they may run below their
///   minimum; negative = for ever
public record GroupSettings(
    Duration pause,
    Duration podReasonDelay,
    double eventsPerSecond,
    double conditionsPerSecond,
    double forecastsPerSecond,
    Duration stalenessGracePeriod) {
  public static final GroupSettings DEFAULT =
      new GroupSettings(
          Duration.ofMillis(500), Duration.ofSeconds(3), 20, 20, 5, Duration.ofSeconds(60));
}
