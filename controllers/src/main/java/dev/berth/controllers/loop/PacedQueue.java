package dev.berth.controllers.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
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
  private final HashMap<K, Instant> keys = new HashMap<>(); // not before; looked up only
  private final TreeSet<Place<K>> later =
      new TreeSet<>(
          Comparator.<Place<K>, Instant>comparing(Place::notBefore).thenComparing(Place::key));
  private final Lanes<K> ready;
  private final HashMap<K, Long> places = new HashMap<>(); // in ready; looked up only
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
      if (keys.putIfAbsent(key, notBefore) != null) {
        return;
      }
      later.add(new Place<>(notBefore, key));
    }
    handOn();
  }

  /// A key waits no more, as what it stands for is gone: else it would be kept until its turn.
  /// Without effect for one that does not wait.
  public synchronized void remove(K key) {
    var notBefore = keys.remove(key);
    if (notBefore != null && !later.remove(new Place<>(notBefore, key))) {
      Optional.ofNullable(places.remove(key)).ifPresent(place -> ready.remove(key, place));
    }
  }

  /// Keys that wait.
  public synchronized int size() {
    return keys.size();
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
      K key = later.removeFirst().key;
      places.put(key, ready.put(key));
    }
    var taken = new ArrayList<K>();
    while (ready.hasNext() && budget.tryTake()) {
      K key = ready.next();
      ready.done(key);
      keys.remove(key);
      places.remove(key);
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
