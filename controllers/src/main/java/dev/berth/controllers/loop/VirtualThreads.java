package dev.berth.controllers.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One virtual thread per task, and one timer thread that only starts them.
public final class VirtualThreads implements Workers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualThreads.class);

  private final InstantSource time;
  private final Duration patience;
  private final ExecutorService tasks;
  private final ScheduledThreadPoolExecutor timer;

  /// @param name begins the names of the threads
  /// @param patience how long [#close] waits for what is under way before it interrupts it
  public VirtualThreads(String name, InstantSource time, Duration patience) {
    this.time = time;
    this.patience = patience;
    this.tasks =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory());
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name(name + "-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public void run(Runnable task) {
    try {
      tasks.execute(() -> guarded(task));
    } catch (RejectedExecutionException closing) {
      LOG.atDebug().log("task left out: closing");
    }
  }

  @Override
  public void at(Instant when, Runnable task) {
    try {
      var _ = timer.schedule(() -> run(task), nanosUntil(time, when), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException closing) {
      LOG.atDebug().log("task left out: closing");
    }
  }

  @Override
  public InstantSource time() {
    return time;
  }

  @Override
  public double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }

  /// Starts nothing more, lets what runs finish, then interrupts it.
  @Override
  public void close() {
    timer.shutdownNow();
    tasks.shutdown();
    try {
      if (!tasks.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        tasks.shutdownNow();
      }
    } catch (InterruptedException hurry) {
      tasks.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /// Not below 0; a century at the most, which is far enough and fits a long of nanoseconds.
  static long nanosUntil(InstantSource time, Instant when) {
    Instant now = time.instant();
    Instant farthest = now.plus(Duration.ofDays(36_500));
    Instant until = when.isAfter(farthest) ? farthest : when.isBefore(now) ? now : when;
    return Duration.between(now, until).toNanos();
  }

  static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | AssertionError internalError) {
      LOG.atError().setCause(internalError).log("internal error in a task");
    }
  }
}
