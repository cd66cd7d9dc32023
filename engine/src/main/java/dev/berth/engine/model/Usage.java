package dev.berth.engine.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What queues used in the past, as plain numbers that a status can keep.
///
/// @param until the moment up to which it counts; `MIN` = it counts nothing yet
/// @param fractions by queue and resource: decayed past use / capacity. Absent = 0; what is no
///   number, or negative, is left out
public record Usage(Instant until, SortedMap<QueueName, SortedMap<Resource, Double>> fractions) {
  public static final Usage NONE = new Usage(Instant.MIN, new TreeMap<>());

  /// Less is nothing: a status does not keep the traces of years ago.
  private static final double LEAST = 1e-9;

  private static final SortedMap<Resource, Double> NOTHING =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  public Usage {
    var checked = new TreeMap<QueueName, SortedMap<Resource, Double>>();
    fractions.forEach((queue, used) -> {
      var ofQueue = new TreeMap<>(used);
      ofQueue.values().removeIf(fraction -> !(fraction > 0 && fraction < Double.MAX_VALUE));
      if (!ofQueue.isEmpty()) {
        checked.put(queue, Collections.unmodifiableSortedMap(ofQueue));
      }
    });
    fractions = Collections.unmodifiableSortedMap(checked);
  }

  /// What statuses kept, each up to another moment, brought to one: it decays by the time that
  /// passed since, as if nothing had been used. What is kept of a time to come counts as it is.
  public static Usage of(Instant now, List<PastUse> kept, Duration halfLife) {
    var fractions = new TreeMap<QueueName, SortedMap<Resource, Double>>();
    for (PastUse past : kept) {
      var one = new TreeMap<QueueName, SortedMap<Resource, Double>>();
      one.put(past.queue(), past.fractions());
      var idle = new TreeMap<QueueName, SortedMap<Resource, Double>>();
      idle.put(past.queue(), NOTHING);
      fractions.putAll(new Usage(past.until(), one).advance(now, idle, halfLife).fractions());
    }
    return new Usage(now, fractions);
  }

  /// What one queue used, by resource.
  public SortedMap<Resource, Double> of(QueueName queue) {
    return fractions.getOrDefault(queue, NOTHING);
  }

  /// Whether any fraction differs by so much.
  public boolean differs(Usage other, double step) {
    return exceeds(other, step) || other.exceeds(this, step);
  }

  private boolean exceeds(Usage other, double step) {
    for (var queue : fractions.entrySet()) {
      for (var used : queue.getValue().entrySet()) {
        if (used.getValue() - other.of(queue.getKey(), used.getKey()) >= step) {
          return true;
        }
      }
    }
    return false;
  }

  public double of(QueueName queue, Resource resource) {
    return fractions.getOrDefault(queue, NOTHING).getOrDefault(resource, 0.0);
  }

  /// The same up to a later moment: `u · 2^(−dt / halfLife) + use · (1 − 2^(−dt / halfLife))`. The
  /// first call only starts the clock. A clock that goes back changes nothing.
  ///
  /// @param use by queue and resource, allocated / capacity since the last call; queues that are
  ///   not in it are forgotten
  public Usage advance(
      Instant now,
      SortedMap<QueueName, ? extends SortedMap<Resource, Double>> use,
      Duration halfLife) {
    if (until.equals(Instant.MIN)) {
      return new Usage(now, fractions);
    }
    if (!now.isAfter(until)) {
      return this;
    }
    double keeps = StrictMath.pow(2, -seconds(Duration.between(until, now)) / seconds(halfLife));
    var next = new TreeMap<QueueName, SortedMap<Resource, Double>>();
    use.forEach((queue, used) -> {
      var fractionsNext = new TreeMap<Resource, Double>();
      fractions
          .getOrDefault(queue, NOTHING)
          .forEach((resource, past) -> fractionsNext.put(resource, past * keeps));
      used.forEach(
          (resource, part) -> fractionsNext.merge(resource, part * (1 - keeps), Double::sum));
      fractionsNext.values().removeIf(fraction -> fraction < LEAST);
      next.put(queue, fractionsNext);
    });
    return new Usage(now, next);
  }

  private static double seconds(Duration duration) {
    return duration.toSeconds() + duration.getNano() / 1e9;
  }
}
