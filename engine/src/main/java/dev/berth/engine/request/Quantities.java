package dev.berth.engine.request;

import dev.berth.engine.model.Resource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalLong;

/// Quantities of Kubernetes: `500m`, `2`, `1.5`, `4Gi`, `1e3`. Rounded up (away from zero), as
/// Kubernetes does; empty where the text is no quantity or more than a long holds.
public final class Quantities {
  /// The way out of a problem with one.
  static final String RULE =
      "a quantity looks like \"500m\", \"2\" or \"4Gi\", and is at most 9223372036854775807.";

  private static final int LONGEST = 64;

  private Quantities() {}

  /// In the unit in which the model counts the resource: `cpu` in thousandths, everything else
  /// whole.
  public static OptionalLong amount(Resource resource, String text) {
    return resource.equals(Resource.CPU) ? milli(text) : units(text);
  }

  public static OptionalLong units(String text) {
    return scaled(text, 1);
  }

  /// In thousandths.
  public static OptionalLong milli(String text) {
    return scaled(text, 1000);
  }

  private static OptionalLong scaled(String text, long scale) {
    int at = 0;
    long number = 0;
    int length = text.length();
    while (at < length && at < 15 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      number = number * 10 + text.charAt(at++) - '0';
    }
    if (at > 0 && at == length) {
      return OptionalLong.of(number * scale); // at most 10^15 · 1000
    }
    if (at > 0 && at == length - 1 && text.charAt(at) == 'm') {
      return OptionalLong.of(scale == 1000 ? number : (number + 999) / 1000);
    }
    if (at > 0 && length - at <= 2) {
      long factor = factor(text, at);
      if (factor > 0
          && Math.multiplyHigh(number * scale, factor) == 0
          && number * scale * factor >= 0) {
        return OptionalLong.of(number * scale * factor);
      }
    }
    return exact(text)
        .map(value -> value.multiply(BigDecimal.valueOf(scale)).setScale(0, RoundingMode.UP))
        .filter(value -> value.toBigInteger().bitLength() <= 63)
        .map(value -> OptionalLong.of(value.longValue()))
        .orElse(OptionalLong.empty());
  }

  /// What a suffix of whole multiples stands for; 0 where it is none.
  private static long factor(String text, int at) {
    boolean binary = text.length() - at == 2;
    if (binary && text.charAt(at + 1) != 'i') {
      return 0;
    }
    int power =
        switch (text.charAt(at)) {
          case 'k' -> binary ? 0 : 1;
          case 'K' -> binary ? 1 : 0;
          case 'M' -> 2;
          case 'G' -> 3;
          case 'T' -> 4;
          case 'P' -> 5;
          case 'E' -> 6;
          default -> 0;
        };
    long factor = power == 0 ? 0 : 1;
    for (int i = 0; i < power; i++) {
      factor *= binary ? 1024 : 1000;
    }
    return factor;
  }

  /// The value without any rounding; empty where the text is no quantity, or beyond all measure.
  static Optional<BigDecimal> exact(String text) {
    int at = 0;
    int length = text.length();
    if (length == 0 || length > LONGEST) {
      return Optional.empty();
    }
    if (text.charAt(0) == '+' || text.charAt(0) == '-') {
      at++;
    }
    int digits = 0;
    int points = 0;
    while (at < length && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      if (text.charAt(at++) == '.') {
        points++;
      } else {
        digits++;
      }
    }
    if (digits == 0 || points > 1) {
      return Optional.empty();
    }
    var number = new BigDecimal(text.substring(0, at));
    return at == length ? Optional.of(number) : suffixed(number, text, at);
  }

  private static Optional<BigDecimal> suffixed(BigDecimal number, String text, int at) {
    String suffix = text.substring(at);
    return switch (suffix) {
      case "n" -> Optional.of(number.movePointLeft(9));
      case "u" -> Optional.of(number.movePointLeft(6));
      case "m" -> Optional.of(number.movePointLeft(3));
      default -> {
        long factor = suffix.length() <= 2 ? factor(text, at) : 0;
        yield factor > 0
            ? Optional.of(number.multiply(BigDecimal.valueOf(factor)))
            : withExponent(number, suffix);
      }
    };
  }

  private static Optional<BigDecimal> withExponent(BigDecimal number, String suffix) {
    if (suffix.length() < 2 || suffix.length() > 5 || "eE".indexOf(suffix.charAt(0)) < 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1))));
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
