package dev.berth.bench.http;

import dev.berth.simulator.world.Time;
import dev.berth.simulator.world.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// Virtual time beside threads of a server: they may read it and queue events at any moment, and
/// every event runs on the thread that made this object.
final class SharedTime implements Time {
  private record Event(Instant when, Runnable what) {}

  private final Thread owner = Thread.currentThread();
  private final VirtualTime time;
  private final ConcurrentLinkedQueue<Event> fromOthers = new ConcurrentLinkedQueue<>();
  private volatile Instant seenByOthers;

  SharedTime(Instant start) {
    time = new VirtualTime(start);
    seenByOthers = start;
    time.afterEach(this::publish);
  }

  private void publish() {
    seenByOthers = time.instant();
  }

  @Override
  public Instant instant() {
    return Thread.currentThread() == owner ? time.instant() : seenByOthers;
  }

  @Override
  public void at(Instant when, Runnable what) {
    if (Thread.currentThread() == owner) {
      time.at(when, what);
    } else {
      fromOthers.add(new Event(when, what));
    }
  }

  /// Whether a server's thread has queued an event that no run has taken over yet.
  boolean isAsked() {
    return !fromOthers.isEmpty();
  }

  /// Runs everything up to `now + span`, and ends there.
  void runFor(Duration span) {
    takeOver();
    time.runFor(span);
    publish();
  }

  /// Runs until the condition holds, looked at after every event.
  ///
  /// @return whether it held within `longest`
  boolean runUntil(BooleanSupplier condition, Duration longest) {
    boolean held =
        time.runUntil(
            () -> {
              takeOver();
              return condition.getAsBoolean();
            },
            longest);
    publish();
    return held;
  }

  private void takeOver() {
    for (Event event = fromOthers.poll(); event != null; event = fromOthers.poll()) {
      time.at(event.when(), event.what());
    }
  }
}
