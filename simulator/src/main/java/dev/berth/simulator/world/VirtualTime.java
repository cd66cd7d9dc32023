package dev.berth.simulator.world;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/// Time that passes only by events: one queue, one thread, no waiting.
public final class VirtualTime implements Time {
  private record Event(Instant when, long sequence, Runnable what) {}

  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparing(Event::when).thenComparing(Event::sequence));
  private Instant now;
  private long sequence;
  private long happened;
  private Runnable afterEach = () -> {};

  public VirtualTime(Instant start) {
    this.now = start;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public void at(Instant when, Runnable what) {
    queue.add(new Event(when.isBefore(now) ? now : when, sequence++, what));
  }

  /// Called after every event: the place for invariants.
  public void afterEach(Runnable check) {
    afterEach = check;
  }

  /// How many events have happened.
  public long happened() {
    return happened;
  }

  /// Runs everything up to `now + span`, and ends there.
  public void runFor(Duration span) {
    Instant end = now.plus(span);
    while (!queue.isEmpty() && !queue.element().when().isAfter(end)) {
      step();
    }
    now = end;
  }

  /// Runs until the condition holds, looked at after every event.
  ///
  /// @return whether it held within `longest`
  public boolean runUntil(BooleanSupplier condition, Duration longest) {
    Instant end = now.plus(longest);
    while (!condition.getAsBoolean()) {
      if (queue.isEmpty() || queue.element().when().isAfter(end)) {
        now = end;
        return condition.getAsBoolean();
      }
      step();
    }
    return true;
  }

  private void step() {
    var event = queue.remove();
    now = event.when();
    happened++;
    event.what().run();
    afterEach.run();
  }
}
