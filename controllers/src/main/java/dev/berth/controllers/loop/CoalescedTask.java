package dev.berth.controllers.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// A task that runs once for all triggers of a while.
public final class CoalescedTask {
  private final Workers workers;
  private final Runnable task;
  private final AtomicBoolean scheduled = new AtomicBoolean();

  public CoalescedTask(Workers workers, Runnable task) {
    this.workers = workers;
    this.task = task;
  }

  /// Schedules the task, unless it is scheduled already. Cheap; any thread.
  public void trigger(Duration delay) {
    if (scheduled.compareAndSet(false, true)) {
      workers.at(workers.time().instant().plus(delay), this::run);
    }
  }

  private void run() {
    scheduled.set(false); // a trigger from here on asks for the next run
    task.run();
  }
}
