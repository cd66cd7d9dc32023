package dev.berth.simulator.world;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The pods that kube-scheduler has still to place, as its own queue keeps them: active, in
/// backoff, unschedulable until something happens, gated, or in flight (in a cycle or being bound).
///
/// The head of the backoff queue is popped early when nothing is active, except after errors
/// (SchedulerPopFromBackoffQ).
final class SchedulingQueue {
  enum Place {
    ACTIVE,
    BACKOFF,
    ERROR_BACKOFF,
    UNSCHEDULABLE,
    GATED,
    IN_FLIGHT
  }

  /// One pod and where it waits.
  static final class Entry {
    private Map<String, ?> pod;
    private RequestedAmounts demand;
    private Place place = Place.ACTIVE;
    private long sequence;
    private int attempts;
    private Instant backoffUntil = Instant.EPOCH;
    private boolean movedMeanwhile;

    private Entry(Map<String, ?> pod) {
      this.pod = pod;
      this.demand = RequestedAmounts.of(pod);
    }

    Map<String, ?> pod() {
      return pod;
    }

    RequestedAmounts demand() {
      return demand;
    }

    Place place() {
      return place;
    }

    String uid() {
      return ObjectTree.uid(pod);
    }

    long priority() {
      return ObjectTree.number(pod, 0, "spec", "priority");
    }

    String nominated() {
      return ObjectTree.text(pod, "status", "nominatedNodeName");
    }
  }

  private static final Comparator<Entry> BY_PRIORITY =
      Comparator.comparingLong(Entry::priority).reversed().thenComparingLong(e -> e.sequence);
  private static final Comparator<Entry> BY_BACKOFF =
      Comparator.comparing((Entry e) -> e.backoffUntil).thenComparingLong(e -> e.sequence);

  private final Duration firstBackoff;
  private final Duration longestBackoff;
  private final TreeMap<String, Entry> entries = new TreeMap<>();
  private long sequence;

  SchedulingQueue(Duration firstBackoff, Duration longestBackoff) {
    this.firstBackoff = firstBackoff;
    this.longestBackoff = longestBackoff;
  }

  Optional<Entry> find(String uid) {
    return Optional.ofNullable(entries.get(uid));
  }

  /// Pods with a nominated node, for the room that is kept for them.
  List<Entry> nominatedTo(String node) {
    var found = new ArrayList<Entry>();
    for (var entry : entries.values()) {
      if (entry.nominated().equals(node)) {
        found.add(entry);
      }
    }
    return found;
  }

  /// A pod without node was added or changed.
  void seen(Map<String, ?> pod, Instant now) {
    var known = entries.get(ObjectTree.uid(pod));
    if (known == null) {
      var entry = new Entry(pod);
      entries.put(entry.uid(), entry);
      if (PodRules.isGated(pod)) {
        entry.place = Place.GATED;
      } else {
        activate(entry);
      }
      return;
    }
    known.pod = pod;
    known.demand = RequestedAmounts.of(pod);
    if (known.place == Place.GATED) {
      if (!PodRules.isGated(pod)) {
        activate(known); // straight, without backoff
      }
    } else {
      wake(known, now);
    }
  }

  void forget(String uid) {
    entries.remove(uid);
  }

  /// Something happened that might make unschedulable pods schedulable.
  void wakeAll(Instant now) {
    entries.values().forEach(entry -> wake(entry, now));
  }

  private void wake(Entry entry, Instant now) {
    switch (entry.place) {
      case UNSCHEDULABLE -> {
        if (entry.backoffUntil.isAfter(now)) {
          entry.place = Place.BACKOFF;
        } else {
          activate(entry);
        }
      }
      case IN_FLIGHT -> entry.movedMeanwhile = true;
      case ACTIVE, BACKOFF, ERROR_BACKOFF, GATED -> {}
    }
  }

  private void activate(Entry entry) {
    entry.place = Place.ACTIVE;
    entry.sequence = sequence++;
  }

  /// The next pod to try; it is in flight from here.
  Optional<Entry> pop(Instant now) {
    for (var entry : entries.values()) {
      boolean waits = entry.place == Place.BACKOFF || entry.place == Place.ERROR_BACKOFF;
      if (waits && !entry.backoffUntil.isAfter(now)) {
        activate(entry);
      }
    }
    var next = best(Place.ACTIVE, BY_PRIORITY).or(() -> best(Place.BACKOFF, BY_BACKOFF));
    next.ifPresent(entry -> {
      entry.place = Place.IN_FLIGHT;
      entry.movedMeanwhile = false;
      entry.attempts++;
    });
    return next;
  }

  private Optional<Entry> best(Place place, Comparator<Entry> order) {
    return entries.values().stream().filter(entry -> entry.place == place).min(order);
  }

  /// No node was found.
  void unschedulable(Entry entry, Instant now) {
    entry.backoffUntil = now.plus(backoff(entry.attempts));
    entry.place = entry.movedMeanwhile ? Place.BACKOFF : Place.UNSCHEDULABLE;
  }

  /// The attempt, or the bind, ended in an error.
  void failed(Entry entry, Instant now) {
    entry.backoffUntil = now.plus(backoff(entry.attempts));
    entry.place = Place.ERROR_BACKOFF;
  }

  private Duration backoff(int attempts) {
    var backoff = firstBackoff;
    for (int i = 1; i < attempts && backoff.compareTo(longestBackoff) < 0; i++) {
      backoff = backoff.multipliedBy(2);
    }
    return backoff.compareTo(longestBackoff) > 0 ? longestBackoff : backoff;
  }

  /// When to look again although nothing happens; `Instant.MAX` = never.
  Instant nextLook() {
    return entries.values().stream()
        .filter(e -> e.place == Place.ERROR_BACKOFF || e.place == Place.BACKOFF)
        .map(e -> e.backoffUntil)
        .min(Comparator.naturalOrder())
        .orElse(Instant.MAX);
  }
}
