package dev.berth.engine.action;

import java.time.Duration;
import java.time.Instant;

/// When devices are held for a group that waits: from `after` on for `hold`, then not for as long,
/// then both for twice as long, and so on. So at most half of the time is spent holding, and
/// however long those ahead of it run, one of its times is longer.
///
/// @param from the beginning of the time that runs at the moment, or of the next one
/// @param until its end
record HoldTimes(Instant from, Instant until) {
  private static final Duration LONGEST = Duration.ofDays(3650);

  /// @param hold more than zero
  static HoldTimes of(Instant created, Duration after, Duration hold, Instant now) {
    Instant from = created.plus(after);
    Duration length = hold;
    while (!from.plus(length).isAfter(now) && length.compareTo(LONGEST) < 0) {
      from = from.plus(length).plus(length);
      length = length.multipliedBy(2);
    }
    return new HoldTimes(from, from.plus(length));
  }

  boolean isOn(Instant now) {
    return !from.isAfter(now) && until.isAfter(now);
  }
}
