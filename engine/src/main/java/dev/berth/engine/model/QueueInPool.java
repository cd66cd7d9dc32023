package dev.berth.engine.model;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a queue has in one node pool, in the place of what it has in each. What is empty is as in
/// each.
///
/// @param quota deserved, as of [Queue#quota]
/// @param zeroQuota as of [Queue#zeroQuota]; counts where there is a quota
/// @param limit as of [Queue#limit]
/// @param weight as of [Queue#weight]
public record QueueInPool(
    Optional<Amounts> quota,
    SortedSet<Resource> zeroQuota,
    Optional<SortedMap<Resource, Long>> limit,
    Optional<SortedMap<Resource, Double>> weight) {
  public QueueInPool {
    zeroQuota = Collections.unmodifiableSortedSet(new TreeSet<>(zeroQuota));
    limit = limit.map(it -> Collections.unmodifiableSortedMap(new TreeMap<>(it)));
    weight = weight.map(it -> Collections.unmodifiableSortedMap(new TreeMap<>(it)));
  }
}
