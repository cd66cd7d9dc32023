package dev.berth.controllers.evictions;

import java.time.Duration;

/// @param perSecond evictions that may be asked for, lasting
/// @param burst and at once
/// @param patience how long a disruption budget may say no before the victim is given up
public record EvictionSettings(double perSecond, int burst, Duration patience) {
  public static final EvictionSettings DEFAULT =
      new EvictionSettings(200, 1000, Duration.ofSeconds(60));
}
