package dev.berth.extender.verbs;

import dev.berth.extender.barrier.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Gathers many triggers into one look, a little later and on the thread of the timer.
final class Coalescer {
  private final Timer later;
  private final Duration length;
  private final Runnable look;
  private final AtomicBoolean scheduled = new AtomicBoolean();

  Coalescer(Timer later, Duration length, Runnable look) {
    this.later = later;
    this.length = length;
    this.look = look;
  }

  /// Cheap; any thread.
  void trigger() {
    if (scheduled.compareAndSet(false, true)) {
      later.at(
          later.instant().plus(length),
          () -> {
            scheduled.set(false); // a trigger from here on is one for the next look
            look.run();
          });
    }
  }
}
