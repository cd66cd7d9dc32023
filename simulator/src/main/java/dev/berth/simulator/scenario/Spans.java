package dev.berth.simulator.scenario;

import java.time.Duration;
import java.util.Locale;

/// Durations as people say them.
final class Spans {
  private Spans() {}

  /// `0.12 s`, `1 min`, `1 min 5 s`.
  static String words(Duration span) {
    if (span.compareTo(Duration.ofMinutes(1)) < 0) {
      return String.format(Locale.ROOT, "%.2f s", span.toMillis() / 1e3);
    }
    String seconds = span.toSecondsPart() == 0 ? "" : " " + span.toSecondsPart() + " s";
    return span.toMinutes() + " min" + seconds;
  }
}
