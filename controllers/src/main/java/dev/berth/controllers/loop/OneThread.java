package dev.berth.controllers.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All tasks on one platform thread of their own. A renewal of the lease must not wait until the
/// planner gives back the carrier of a virtual thread.
public final class OneThread implements Workers, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OneThread.class);

  private final InstantSource time;
  private final ScheduledThreadPoolExecutor thread;

  /// @param name of the thread
  public OneThread(String name, InstantSource time) {
    this.time = time;
    this.thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().daemon().name(name).factory());
  }

  @Override
  public void run(Runnable task) {
    at(time.instant(), task);
  }

  @Override
  public void at(Instant when, Runnable task) {
    long nanos = Math.max(0, Duration.between(time.instant(), when).toNanos());
    try {
      var _ = thread.schedule(() -> guarded(task), nanos, TimeUnit.NANOSECONDS);
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

  @Override
  public void close() {
    thread.shutdownNow();
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | AssertionError mistake) {
      LOG.atError().setCause(mistake).log("a task failed by our mistake");
    }
  }
}
