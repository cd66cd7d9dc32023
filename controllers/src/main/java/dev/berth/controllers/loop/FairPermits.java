package dev.berth.controllers.loop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Permits for calls under way, of which there are so many: a semaphore at which lanes, such as
/// namespaces, take turns. First come first served within a lane; a lane of hundreds does not stand
/// before the others. Any thread.
public final class FairPermits {
  private static final class Waiter {
    private final String lane;
    private final CountDownLatch granted = new CountDownLatch(1);
    private boolean hasGone; // guarded by the permits

    Waiter(String lane) {
      this.lane = lane;
    }
  }

  // Both: guarded by this.
  private final Lanes<Waiter> waiting = new Lanes<>(waiter -> waiter.lane, Integer.MAX_VALUE);
  private int free;

  public FairPermits(int permits) {
    this.free = permits;
  }

  public void acquire(String lane) throws InterruptedException {
    var waiter = enter(lane);
    try {
      waiter.granted.await();
    } catch (InterruptedException stopping) {
      leave(waiter);
      throw stopping;
    }
  }

  /// @return whether a permit was had within that time
  public boolean tryAcquire(String lane, Duration patience) throws InterruptedException {
    var waiter = enter(lane);
    try {
      if (waiter.granted.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return true;
      }
    } catch (InterruptedException stopping) {
      leave(waiter);
      throw stopping;
    }
    return isGrantedAtLast(waiter);
  }

  private synchronized Waiter enter(String lane) {
    var waiter = new Waiter(lane);
    if (free > 0) {
      free--;
      waiter.granted.countDown();
    } else {
      waiting.add(waiter);
    }
    return waiter;
  }

  /// A permit that came meanwhile goes to the next.
  private synchronized void leave(Waiter waiter) {
    if (isGrantedAtLast(waiter)) {
      release();
    }
  }

  /// Else it waits no more.
  private synchronized boolean isGrantedAtLast(Waiter waiter) {
    boolean granted = waiter.granted.getCount() == 0;
    waiter.hasGone = !granted;
    return granted;
  }

  public synchronized void release() {
    while (waiting.hasNext()) {
      var next = waiting.next();
      waiting.done(next);
      if (!next.hasGone) {
        next.granted.countDown();
        return;
      }
    }
    free++;
  }
}
