package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the status of a queue keeps of its past use.
///
/// @param version of the object
/// @param until the moment up to which it counts; `EPOCH` = it keeps nothing
/// @param fractions decayed past use / capacity, by resource
public record PastUse(
    QueueName queue, long version, Instant until, SortedMap<Resource, Double> fractions) {
  public PastUse {
    fractions = Collections.unmodifiableSortedMap(new TreeMap<>(fractions));
  }
}
