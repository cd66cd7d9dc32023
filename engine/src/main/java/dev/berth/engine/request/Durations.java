package dev.berth.engine.request;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/// Durations as Go writes them: `90s`, `1h30m`, `1.5h`, `-1s`, `0`.
public final class Durations {
  /// The way out of a problem with one.
  static final String RULE = "a duration looks like \"90s\", \"10m\" or \"1h30m\".";

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final int LONGEST = 64;

  private Durations() {}

  /// Empty where the text is no duration, or longer than 292 years.
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String rest = negative || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (rest.isEmpty() || rest.length() > LONGEST) {
      return Optional.empty();
    }
    var nanos = BigDecimal.ZERO;
    int at = 0;
    while (at < rest.length()) {
      int number = at;
      int digits = 0;
      int points = 0;
      while (at < rest.length() && (rest.charAt(at) == '.' || isDigit(rest.charAt(at)))) {
        if (rest.charAt(at++) == '.') {
          points++;
        } else {
          digits++;
        }
      }
      int unit = at;
      while (at < rest.length() && rest.charAt(at) != '.' && !isDigit(rest.charAt(at))) {
        at++;
      }
      long factor = nanosOf(rest.substring(unit, at));
      if (digits == 0 || points > 1 || factor == 0) {
        return Optional.empty();
      }
      nanos =
          nanos.add(
              new BigDecimal(rest.substring(number, unit)).multiply(BigDecimal.valueOf(factor)));
    }
    if (nanos.compareTo(MOST) > 0) {
      return Optional.empty();
    }
    return Optional.of(Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue()));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static long nanosOf(String unit) {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "µs", "μs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> 1_000_000_000;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      default -> 0;
    };
  }

  /// A duration under `key`; zero where there is none, or none that can be meant.
  static Duration read(ManifestTree tree, String key, boolean mayBeNegative) {
    String text = tree.text(key);
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    var duration = parse(text.trim());
    if (duration.isEmpty() || duration.get().isNegative() && !mayBeNegative) {
      tree.problem(key, text, RULE);
      return Duration.ZERO;
    }
    return duration.get();
  }
}
