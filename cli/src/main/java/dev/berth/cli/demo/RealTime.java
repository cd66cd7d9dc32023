package dev.berth.cli.demo;

import dev.berth.simulator.world.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The wall clock for a world: one thread of its own runs what is due, in the order of instants and
/// then of queueing. (A `ScheduledExecutorService` would swap events of the same instant: it counts
/// delays from the nanosecond of the call.) A task that throws is logged and lost.
public final class RealTime implements Time, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RealTime.class);

  private record Event(Instant when, long sequence, Runnable what) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final PriorityQueue<Event> queue =
      new PriorityQueue<>(Comparator.comparing(Event::when).thenComparing(Event::sequence));
  private final Thread thread = new Thread(this::run, "berth-demo-world");
  private long sequence;
  private boolean closed;

  public RealTime() {
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public void at(Instant when, Runnable what) {
    lock.lock();
    try {
      queue.add(new Event(when, sequence++, what));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Nothing more happens; what is running ends.
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try {
      while (true) {
        Runnable due = next();
        try {
          due.run();
        } catch (RuntimeException ours) {
          LOG.atError().setCause(ours).log("event of the demo's world failed");
        }
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private Runnable next() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new InterruptedException("closed");
        }
        var first = queue.peek();
        if (first == null) {
          changed.await();
          continue;
        }
        long nanos = Duration.between(instant(), first.when()).toNanos();
        if (nanos <= 0) {
          return queue.remove().what();
        }
        changed.await(nanos, TimeUnit.NANOSECONDS);
      }
    } finally {
      lock.unlock();
    }
  }
}
