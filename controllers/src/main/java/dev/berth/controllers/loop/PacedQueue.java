package dev.berth.controllers.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// Keys that may wait: each is handed on at its time or later, as a budget that all share allows.
/// Lanes, such as namespaces, take turns. Adding a key twice is adding it once. Any thread.
public final class PacedQueue<K extends Comparable<K>> {
  private record Place<K extends Comparable<K>>(Instant notBefore, K key) {}

  private final TokenBucket budget;
  private final Workers workers;
  private final Consumer<K> next;

  // All below: guarded by this.
  private final HashSet<K> keys = new HashSet<>(); // looked up only
  private final TreeSet<Place<K>> later =
      new TreeSet<>(
          Comparator.<Place<K>, Instant>comparing(Place::notBefore).thenComparing(Place::key));
  private final Lanes<K> ready;
  private Instant nextLook = Instant.MAX;

  /// @param perSecond keys handed on, lasting; five seconds' worth at once
  /// @param laneOf waits for nothing
  /// @param next called by the code that adds, or by a worker, without a lock of this queue
  public PacedQueue(
      double perSecond, Function<K, String> laneOf, Workers workers, Consumer<K> next) {
    this.budget = new TokenBucket(perSecond, (int) Math.max(1, perSecond * 5), workers.time());
    this.ready = new Lanes<>(laneOf, Integer.MAX_VALUE);
    this.workers = workers;
    this.next = next;
  }

  /// @param notBefore of no account for a key that stands in line
  public void add(K key, Instant notBefore) {
    synchronized (this) {
      if (!keys.add(key)) {
        return;
      }
      later.add(new Place<>(notBefore, key));
    }
    handOn();
  }

  private void look() {
    synchronized (this) {
      if (nextLook.isAfter(workers.time().instant())) {
        return;
      }
      nextLook = Instant.MAX;
    }
    handOn();
  }

  private void handOn() {
    take().forEach(next);
  }

  private synchronized List<K> take() {
    var now = workers.time().instant();
    while (!later.isEmpty() && !later.getFirst().notBefore.isAfter(now)) {
      ready.add(later.removeFirst().key);
    }
    var taken = new ArrayList<K>();
    while (ready.hasNext() && budget.tryTake()) {
      K key = ready.next();
      ready.done(key);
      keys.remove(key);
      taken.add(key);
    }
    lookAgain();
    return taken;
  }

  private void lookAgain() {
    if (!ready.hasNext() && later.isEmpty()) {
      return;
    }
    Instant when = ready.hasNext() ? budget.next() : later.getFirst().notBefore;
    if (when.isBefore(nextLook)) {
      nextLook = when;
      workers.at(when, this::look);
    }
  }
}
