package dev.berth.extender.barrier;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// [Timer] on the wall clock: one daemon thread. What it runs must not block.
public final class WallClockTimer implements Timer, AutoCloseable {
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor executor;

  public WallClockTimer(InstantSource clock) {
    this.clock = clock;
    this.executor =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().daemon().name("berth-alarm").unstarted(task));
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Instant instant() {
    return clock.instant();
  }

  @Override
  public void at(Instant when, Runnable what) {
    long nanos = Math.max(0, Duration.between(clock.instant(), when).toNanos());
    var _ = executor.schedule(what, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
