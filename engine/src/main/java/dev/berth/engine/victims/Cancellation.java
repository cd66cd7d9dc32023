package dev.berth.engine.victims;

import java.util.function.BooleanSupplier;

/// Whether a plan ends early, because something else is due.
///
/// A request cuts searches short, as a spent budget does. The whole plan is dropped only as long as
/// no wide search found victims: what they came to is not lost.
///
/// Of one plan, and of one thread at a time.
public final class Cancellation {
  private final BooleanSupplier due;
  private boolean requested;
  private boolean kept;
  private boolean dropped;

  /// @param due whether something else is due by now; asked often
  public Cancellation(BooleanSupplier due) {
    this.due = due;
  }

  /// Something else is due. Stays true once it is.
  boolean isRequested() {
    requested = requested || due.getAsBoolean();
    return requested;
  }

  /// Whether the plan is dropped: actions stop where they are. Stays true once it is.
  public boolean dropsPlan() {
    dropped = dropped || !kept && isRequested();
    return dropped;
  }

  /// A search found victims: the plan is worth its end.
  void keepsPlan() {
    kept = true;
  }
}
