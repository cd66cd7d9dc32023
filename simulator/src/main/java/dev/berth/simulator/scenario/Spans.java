package dev.berth.simulator.scenario;

import java.time.Duration;
import java.util.Locale;

/// Durations as people say them.
final class Spans {
  private Spans() {}

  /// `0.1 s`, `12.0 s`, `1 min 5 s`.
  static String words(Duration span) {
    return span.compareTo(Duration.ofMinutes(1)) < 0
        ? String.format(Locale.ROOT, "%.2f s", span.toMillis() / 1e3)
        : span.toMinutes() + " min " + span.toSecondsPart() + " s";
  }
}
