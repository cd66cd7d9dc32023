package dev.berth.simulator.scenario;

import java.time.Duration;
import java.util.Locale;

/// Durations as people say them.
final class DurationText {
  private DurationText() {}

  /// `0.12 s`, `1 min 5.30 s`.
  static String words(Duration span) {
    long minutes = span.toMinutes();
    double seconds = span.minusMinutes(minutes).toMillis() / 1e3;
    return (minutes == 0 ? "" : minutes + " min ") + String.format(Locale.ROOT, "%.2f s", seconds);
  }
}
