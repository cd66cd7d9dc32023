package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Since when groups wait because a min-runtime protects pods that could be evicted for them.
///
/// @param since for the pods of each queue by itself: a wait for one of them is none for another
public record MinRuntimeWaits(SortedMap<MinRuntimeWait, Instant> since) {
  /// None waits.
  public static final MinRuntimeWaits NONE = new MinRuntimeWaits(Collections.emptySortedMap());

  public MinRuntimeWaits {
    since = Collections.unmodifiableSortedMap(new TreeMap<>(since));
  }

  /// Since when a group waits, by queue; empty where it does not.
  public Map<QueueName, Instant> of(GroupKey group) {
    if (since.isEmpty()) {
      return Map.of();
    }
    var of = new HashMap<QueueName, Instant>();
    var first = new MinRuntimeWait(group, QueueName.NONE);
    for (var entry : since.tailMap(first).entrySet()) {
      if (!entry.getKey().group().equals(group)) {
        break;
      }
      of.put(entry.getKey().queue(), entry.getValue());
    }
    return of;
  }

  /// @return `MAX` where it does not
  public Instant of(GroupKey group, QueueName queue) {
    return since.isEmpty()
        ? Instant.MAX
        : since.getOrDefault(new MinRuntimeWait(group, queue), Instant.MAX);
  }
}
