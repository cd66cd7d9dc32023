package dev.berth.controllers.autoscaling;

import java.time.Duration;

/// @param enabled whether anything is asked of autoscalers
/// @param after how long a group waits for capacity before it is asked for
/// @param most placeholders at once
public record AutoscalingSettings(boolean enabled, Duration after, int most) {
  public static final AutoscalingSettings DEFAULT =
      new AutoscalingSettings(false, Duration.ofSeconds(10), 100);
}
