package dev.berth.controllers.cycle;

import java.time.Duration;

/// How often consolidation may move what runs.
///
/// @param maxMovesPerHour pods in any hour, of the whole cluster; 0 = none
/// @param cooldown how long a workload stays where it is after one of its pods was moved
public record MoveSettings(int maxMovesPerHour, Duration cooldown) {
  public static final MoveSettings DEFAULT = new MoveSettings(256, Duration.ofHours(1));
}
