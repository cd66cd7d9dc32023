package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
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

  /// @return `MAX` where it does not
  public Instant of(GroupKey group, QueueName queue) {
    return since.isEmpty()
        ? Instant.MAX
        : since.getOrDefault(new MinRuntimeWait(group, queue), Instant.MAX);
  }
}
