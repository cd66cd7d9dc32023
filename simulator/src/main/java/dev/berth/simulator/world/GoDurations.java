package dev.berth.simulator.world;

import java.time.Duration;

/// Durations as users of Kubernetes write them: `90s`, `1h30m`, `250ms`.
final class GoDurations {
  private GoDurations() {}

  static Duration parse(String text) {
    var sum = Duration.ZERO;
    int from = 0;
    while (from < text.length()) {
      int unit = from;
      while (unit < text.length() && isDigit(text.charAt(unit))) {
        unit++;
      }
      int end = unit;
      while (end < text.length() && !isDigit(text.charAt(end))) {
        end++;
      }
      if (unit == from) {
        throw new IllegalArgumentException("no duration like 90s or 1h30m: " + text);
      }
      long amount = Long.parseLong(text.substring(from, unit));
      sum =
          sum.plus(
              switch (text.substring(unit, end)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                case String other ->
                    throw new IllegalArgumentException("no unit of time in " + text + ": " + other);
              });
      from = end;
    }
    return sum;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
