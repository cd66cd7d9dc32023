package dev.berth.engine.replay;

import java.util.function.BooleanSupplier;

/// Counts the questions whether something else is due, up to the first yes: the same planner asks
/// as often over the same snapshot.
final class Interruption implements BooleanSupplier {
  private final BooleanSupplier due;
  private long asked;
  private long at;

  Interruption(BooleanSupplier due) {
    this.due = due;
  }

  /// Answers as before.
  ///
  /// @param at as of [#at]
  static BooleanSupplier again(long at) {
    long[] left = {at};
    return () -> at > 0 && --left[0] <= 0;
  }

  @Override
  public boolean getAsBoolean() {
    asked++;
    boolean isDue = due.getAsBoolean();
    at = isDue && at == 0 ? asked : at;
    return isDue;
  }

  /// Which question was the first to be answered with yes; 0 = none was.
  long at() {
    return at;
  }
}
