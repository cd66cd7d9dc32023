package dev.berth.controllers.loop;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// Keys that may wait: each is handed on at its time or later, as a budget that all share allows.
/// Lanes, such as namespaces, take turns. Adding a key twice is adding it once. Any thread.
public final class PacedLine<K extends Comparable<K>> {
  private record Place<K extends Comparable<K>>(Instant notBefore, K key) {}

  private final TokenBucket budget;
  private final Function<K, String> laneOf;
  private final Workers workers;
  private final Consumer<K> next;

  // All below: guarded by this.
  private final HashSet<K> keys = new HashSet<>(); // looked up only
  private final TreeSet<Place<K>> later =
      new TreeSet<>(
          Comparator.<Place<K>, Instant>comparing(Place::notBefore).thenComparing(Place::key));
  private final LinkedHashMap<String, ArrayDeque<K>> ready = new LinkedHashMap<>();
  private Instant nextLook = Instant.MAX;

  /// @param perSecond keys handed on, lasting; five seconds' worth at once
  /// @param laneOf waits for nothing
  /// @param next called by whoever adds, or by a worker, without a lock of this line
  public PacedLine(
      double perSecond, Function<K, String> laneOf, Workers workers, Consumer<K> next) {
    this.budget = new TokenBucket(perSecond, (int) Math.max(1, perSecond * 5), workers.time());
    this.laneOf = laneOf;
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
      K key = later.removeFirst().key;
      ready.computeIfAbsent(laneOf.apply(key), _ -> new ArrayDeque<>()).add(key);
    }
    var taken = new ArrayList<K>();
    while (!ready.isEmpty() && budget.tryTake()) {
      var turn = ready.pollFirstEntry();
      K key = turn.getValue().removeFirst();
      if (!turn.getValue().isEmpty()) {
        ready.put(turn.getKey(), turn.getValue());
      }
      keys.remove(key);
      taken.add(key);
    }
    lookAgain();
    return taken;
  }

  private void lookAgain() {
    if (ready.isEmpty() && later.isEmpty()) {
      return;
    }
    Instant when = ready.isEmpty() ? later.getFirst().notBefore : budget.next();
    if (when.isBefore(nextLook)) {
      nextLook = when;
      workers.at(when, this::look);
    }
  }
}
