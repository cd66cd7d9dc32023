package dev.berth.controllers.loop;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Keys that may wait: each is handed on at its time or later, as a budget that all share allows,
/// who may go first goes first. Adding a key twice is adding it once. Any thread.
public final class PacedLine<K extends Comparable<K>> {
  private record Place<K extends Comparable<K>>(Instant notBefore, K key) {}

  private final TokenBucket budget;
  private final Workers workers;
  private final Consumer<K> next;

  // All below: guarded by this.
  private final HashMap<K, Place<K>> places = new HashMap<>(); // looked up only
  private final TreeSet<Place<K>> line =
      new TreeSet<>(
          Comparator.<Place<K>, Instant>comparing(Place::notBefore).thenComparing(Place::key));
  private Instant nextLook = Instant.MAX;

  /// @param perSecond keys handed on, lasting; a second's worth at once
  /// @param next called under this line's lock: it waits for nothing
  public PacedLine(double perSecond, Workers workers, Consumer<K> next) {
    this.budget = new TokenBucket(perSecond, (int) Math.max(1, perSecond), workers.time());
    this.workers = workers;
    this.next = next;
  }

  /// @param notBefore of no account for a key that stands in line
  public synchronized void add(K key, Instant notBefore) {
    if (!places.containsKey(key)) {
      var place = new Place<>(notBefore, key);
      places.put(key, place);
      line.add(place);
      handOn();
    }
  }

  private synchronized void look() {
    if (!nextLook.isAfter(workers.time().instant())) {
      nextLook = Instant.MAX;
      handOn();
    }
  }

  private void handOn() {
    var now = workers.time().instant();
    while (!line.isEmpty() && !line.getFirst().notBefore.isAfter(now) && budget.tryTake()) {
      K key = line.removeFirst().key;
      places.remove(key);
      next.accept(key);
    }
    if (!line.isEmpty()) {
      Instant first = line.getFirst().notBefore;
      Instant free = budget.next();
      Instant when = first.isAfter(free) ? first : free;
      if (when.isBefore(nextLook)) {
        nextLook = when;
        workers.at(when, this::look);
      }
    }
  }
}
