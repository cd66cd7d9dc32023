package dev.berth.engine.explain;

import java.util.OptionalLong;
import java.util.function.LongPredicate;

/// The smallest of some amounts that does.
final class Smallest {
  /// As many are tried one after the other, so that none smaller does; of more the range is halved,
  /// and the next smaller one does not.
  private static final int ONE_BY_ONE = 12;

  private Smallest() {}

  /// @param from does not do
  /// @param to the largest that is tried
  /// @param step between two amounts; `to` is tried whatever the step
  static OptionalLong between(long from, long to, long step, LongPredicate does) {
    if (to <= from) {
      return OptionalLong.empty();
    }
    long steps = (to - from + step - 1) / step;
    if (steps <= ONE_BY_ONE) {
      for (long i = 1; i <= steps; i++) {
        long amount = Math.min(to, from + i * step);
        if (does.test(amount)) {
          return OptionalLong.of(amount);
        }
      }
      return OptionalLong.empty();
    }
    if (!does.test(to)) {
      return OptionalLong.empty();
    }
    long no = 0;
    long yes = steps;
    while (yes - no > 1) {
      long middle = no + (yes - no) / 2;
      if (does.test(from + middle * step)) {
        yes = middle;
      } else {
        no = middle;
      }
    }
    return OptionalLong.of(Math.min(to, from + yes * step));
  }
}
