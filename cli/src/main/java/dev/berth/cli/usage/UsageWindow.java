package dev.berth.cli.usage;

import dev.berth.cli.decisions.DecisionLogException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/// The time that is asked for: from its beginning up to its end, which does not belong to it.
///
/// @param from `MIN` = from the beginning of the log
/// @param to `MAX` = up to the end of the log
public record UsageWindow(Instant from, Instant to) {
  public static final UsageWindow ALL = new UsageWindow(Instant.MIN, Instant.MAX);

  /// @param from a time, or a day, of which the first moment in UTC is meant; empty = the beginning
  /// @param to the same; empty = the end
  /// @throws DecisionLogException where one is neither, or they are not in order
  public static UsageWindow parse(Optional<String> from, Optional<String> to)
      throws DecisionLogException {
    var window =
        new UsageWindow(
            from.isEmpty() ? Instant.MIN : moment("--from", from.get()),
            to.isEmpty() ? Instant.MAX : moment("--to", to.get()));
    if (!window.from.isBefore(window.to)) {
      throw new DecisionLogException(
          "--from is "
              + window.from
              + " and --to is "
              + window.to
              + ", but must be later: --to itself does not count any more");
    }
    return window;
  }

  private static Instant moment(String option, String text) throws DecisionLogException {
    try {
      return text.contains("T")
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException neither) {
      throw new DecisionLogException(
          option
              + " is \""
              + text
              + "\", but must be a day like 2026-01-31, which begins at midnight in UTC, or a time"
              + " like 2026-01-31T12:00:00Z");
    }
  }

  long fromMillis() {
    return from.equals(Instant.MIN) ? Long.MIN_VALUE : from.toEpochMilli();
  }

  long toMillis() {
    return to.equals(Instant.MAX) ? Long.MAX_VALUE : to.toEpochMilli();
  }
}
