package dev.berth.engine.model;

import java.time.Duration;
import java.util.Locale;

/// Durations as manifests write them.
final class DurationWords {
  private DurationWords() {}

  /// `12h`, `1h30m`, `0.5s`.
  static String of(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
