package dev.berth.controllers.loop;

import java.time.Duration;

/// Pauses that double, up to a longest one.
///
/// @param first above zero
/// @param longest no less than the first
public record Backoff(Duration first, Duration longest) {
  /// Far more than any pause needs, and no overflow.
  private static final int MOST_DOUBLINGS = 20;

  /// The pause after so many failures in a row.
  ///
  /// @param failures 1 or more
  public Duration after(int failures) {
    return atMost(first.multipliedBy(1L << Math.clamp(failures - 1, 0, MOST_DOUBLINGS)));
  }

  /// The pause that follows another one.
  public Duration next(Duration pause) {
    return atMost(pause.multipliedBy(2));
  }

  private Duration atMost(Duration pause) {
    return pause.compareTo(longest) > 0 ? longest : pause;
  }
}
