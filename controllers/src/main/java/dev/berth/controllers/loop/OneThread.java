package dev.berth.controllers.loop;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/// All tasks on one platform thread of their own. A renewal of the lease must not wait until the
/// planner gives back the carrier of a virtual thread. Ends with the process.
public final class OneThread implements Workers {
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
    var _ =
        thread.schedule(
            () -> VirtualThreads.guarded(task),
            VirtualThreads.nanosUntil(time, when),
            TimeUnit.NANOSECONDS);
  }

  @Override
  public InstantSource time() {
    return time;
  }

  @Override
  public double chance() {
    return ThreadLocalRandom.current().nextDouble();
  }
}
