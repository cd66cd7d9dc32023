package dev.berth.extender.verbs;

import dev.berth.extender.barrier.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Gathers many pokes into one look, a little later and on the alarm.
final class Coalescer {
  private final Timer later;
  private final Duration length;
  private final Runnable look;
  private final AtomicBoolean alarmed = new AtomicBoolean();

  Coalescer(Timer later, Duration length, Runnable look) {
    this.later = later;
    this.length = length;
    this.look = look;
  }

  /// Cheap; any thread.
  void poke() {
    if (alarmed.compareAndSet(false, true)) {
      later.at(
          later.instant().plus(length),
          () -> {
            alarmed.set(false); // a poke from here on is one for the next look
            look.run();
          });
    }
  }
}
