package dev.berth.extender.rest;

import dev.berth.extender.bounds.ClientQuota;
import dev.berth.extender.bounds.ClientQuota.Answer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Places for work, by [ClientQuota], and a line before them: the first to come is the first, but
/// for parties that have their part. Any thread.
final class ClientQueue {
  private final ClientQuota places;
  private final int mostOfParty;
  private final ArrayDeque<Waiter> line = new ArrayDeque<>(); // guarded by this

  private record Waiter(String party, Semaphore admitted) {}

  /// @param places in all
  /// @param mostOfParty of a named party, that wait
  ClientQueue(int places, int mostOfParty) {
    this.places = new ClientQuota(places);
    this.mostOfParty = mostOfParty;
  }

  /// Waits for a place. On a virtual thread, as it blocks.
  ///
  /// @param party empty = a viewer of everything
  /// @return whether it has one, to be left
  boolean take(String party, Duration patience) throws InterruptedException {
    var waiter = new Waiter(party, new Semaphore(0));
    synchronized (this) {
      if (places.take(party, 1) == Answer.TAKEN) {
        return true;
      }
      if (!party.isEmpty() && waiting(party) >= mostOfParty) {
        return false;
      }
      line.add(waiter);
    }
    try {
      return waiter.admitted.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)
          || !gaveUp(waiter);
    } catch (InterruptedException stopping) {
      if (!gaveUp(waiter)) {
        leave(party);
      }
      throw stopping;
    }
  }

  private long waiting(String party) {
    return line.stream().filter(each -> each.party.equals(party)).count();
  }

  /// @return whether it still waited
  private synchronized boolean gaveUp(Waiter waiter) {
    return line.removeIf(each -> each == waiter);
  }

  synchronized void leave(String party) {
    places.leave(party, 1);
    for (var each = line.iterator(); each.hasNext(); ) {
      var waiter = each.next();
      if (places.take(waiter.party, 1) == Answer.TAKEN) {
        each.remove();
        waiter.admitted.release();
      }
    }
  }
}
