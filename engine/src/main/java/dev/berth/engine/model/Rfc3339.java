package dev.berth.engine.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;

/// Points in time as Kubernetes and Berth write them. Nearly all are `2026-01-01T12:00:00Z`, some
/// with a fraction; for these it is several times faster than the JDK's parser, which reads all
/// others.
public final class Rfc3339 {
  private static final String SHAPE = "0000-00-00T00:00:00";

  private Rfc3339() {}

  /// @throws DateTimeException where the text is no point in time
  public static Instant parse(String text) {
    return isPlain(text) ? plain(text) : Instant.parse(text);
  }

  private static boolean isPlain(String text) {
    int end = text.length() - 1;
    int seconds = SHAPE.length();
    if (end < seconds || text.charAt(end) != 'Z') {
      return false;
    }
    for (int i = 0; i < seconds; i++) {
      char c = text.charAt(i);
      char expected = SHAPE.charAt(i);
      if (expected == '0' ? !isDigit(c) : c != expected) {
        return false;
      }
    }
    return hasPlainFraction(text, seconds, end)
        && number(text, 11, 2) < 24
        && number(text, 14, 2) < 60
        && number(text, 17, 2) < 60;
  }

  /// None, or a point and up to nine digits.
  private static boolean hasPlainFraction(String text, int point, int end) {
    if (point == end) {
      return true;
    }
    if (text.charAt(point) != '.' || end == point + 1 || end > point + 10) {
      return false;
    }
    for (int i = point + 1; i < end; i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static Instant plain(String text) {
    long day =
        LocalDate.of(number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)).toEpochDay();
    long second =
        day * 86_400 + number(text, 11, 2) * 3600L + number(text, 14, 2) * 60 + number(text, 17, 2);
    return Instant.ofEpochSecond(second, nanos(text));
  }

  private static long nanos(String text) {
    int from = SHAPE.length() + 1;
    int count = Math.max(0, text.length() - 1 - from);
    int nanos = number(text, from, count);
    for (int i = count; i < 9; i++) {
      nanos *= 10;
    }
    return nanos;
  }

  private static int number(String text, int from, int count) {
    int number = 0;
    for (int i = from; i < from + count; i++) {
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
