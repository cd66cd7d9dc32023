package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What queues used in the past, as plain numbers that a status can keep.
///
/// @param until the moment up to which it counts; `MIN` = it counts nothing yet
/// @param fractions by queue and resource: decayed past use / capacity. Absent = 0; what is no
///   number, or negative, is left out
public record Usage(Instant until, SortedMap<QueueName, SortedMap<Resource, Double>> fractions) {
  public static final Usage NONE = new Usage(Instant.MIN, new TreeMap<>());

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

  public double of(QueueName queue, Resource resource) {
    return fractions.getOrDefault(queue, NOTHING).getOrDefault(resource, 0.0);
  }
}
