package dev.berth.engine.action;

import java.time.Duration;

/// How room is kept for a group that comes first and does not fit yet.
///
/// @param reservations whether it has a reservation in time where the expected runtimes of running
///   pods tell when it starts: a group that would delay it waits
/// @param after how long it has waited before devices are held for it, where they do not tell
/// @param hold how long they are held at first; zero = never
/// @param most of the devices that may be held at most: a group that needs more gathers none
public record BackfillSettings(boolean reservations, Duration after, Duration hold, int most) {
  /// Nothing is held for a guess.
  public static final BackfillSettings DEFAULT =
      new BackfillSettings(true, Duration.ofMinutes(10), Duration.ZERO, 25);

  public BackfillSettings {
    if (after.isNegative() || hold.isNegative() || most < 1 || most > 100) {
      throw new IllegalArgumentException(
          "backfill.after is "
              + after
              + " and backfill.hold is "
              + hold
              + ", but neither may be negative; backfill.most is "
              + most
              + ", but must be from 1 to 100 percent");
    }
  }
}
