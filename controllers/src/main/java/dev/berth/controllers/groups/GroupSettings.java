package dev.berth.controllers.groups;

import java.time.Duration;

/// @param pause shortest time between two status writes of one group, lasting; three may come at
///   once
/// @param singleWaits a pod that is a group of one gets an event once it has waited so long
/// @param eventsPerSecond events told at the most, lasting; more are dropped and counted
public record GroupSettings(Duration pause, Duration singleWaits, double eventsPerSecond) {
  public static final GroupSettings DEFAULT =
      new GroupSettings(Duration.ofMillis(500), Duration.ofSeconds(3), 20);
}
