package dev.berth.controllers.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/// Workers on one thread and a clock that the test turns. Chance takes nothing away from a pause.
public final class HandCranked implements Workers {
  private record Task(Instant when, long order, Runnable task) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparing(Task::when).thenComparing(Task::order));
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long order;

  @Override
  public void run(Runnable task) {
    at(now, task);
  }

  @Override
  public void at(Instant when, Runnable task) {
    tasks.add(new Task(when.isBefore(now) ? now : when, order++, task));
  }

  @Override
  public InstantSource time() {
    return () -> now;
  }

  @Override
  public double chance() {
    return 0.999_999_999;
  }

  /// The same workers with another clock.
  public Workers withClock(InstantSource clock) {
    return new Workers() {
      @Override
      public void run(Runnable task) {
        HandCranked.this.run(task);
      }

      @Override
      public void at(Instant when, Runnable task) {
        HandCranked.this.at(when, task);
      }

      @Override
      public InstantSource time() {
        return clock;
      }

      @Override
      public double chance() {
        return HandCranked.this.chance();
      }
    };
  }

  /// Time that the task takes which runs now.
  public void takes(Duration time) {
    now = now.plus(time);
  }

  /// Runs all that is due within that time, and ends there.
  public void turn(Duration by) {
    Instant end = now.plus(by);
    for (Task next = tasks.peek(); next != null && !next.when().isAfter(end); next = tasks.peek()) {
      tasks.remove();
      now = next.when().isBefore(now) ? now : next.when();
      next.task().run();
    }
    now = end.isBefore(now) ? now : end;
  }
}
