package dev.berth.controllers.kube;

import java.time.Duration;

/// @param inFlight writes at once. One HTTP/2 connection refuses too many streams: 32 to 64
/// @param attempts how often a write is tried whose outcome is unknown
/// @param budget all attempts of a write together; must stay well below the deadline of a barrier
/// @param firstPause between attempts; doubles, chance takes away up to half
public record WriteSettings(int inFlight, int attempts, Duration budget, Duration firstPause) {
  public static final WriteSettings DEFAULT =
      new WriteSettings(48, 4, Duration.ofSeconds(5), Duration.ofMillis(50));

  public WriteSettings {
    if (inFlight < 1 || attempts < 1 || !budget.isPositive() || !firstPause.isPositive()) {
      throw new IllegalArgumentException(
          "writes.inFlight "
              + inFlight
              + ", attempts "
              + attempts
              + ", budget "
              + budget
              + ", firstPause "
              + firstPause
              + " must be above zero");
    }
  }
}
