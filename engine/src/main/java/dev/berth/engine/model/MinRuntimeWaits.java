package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Since when groups wait because a min-runtime protects pods that could be evicted for them.
///
/// @param since by group
public record MinRuntimeWaits(SortedMap<GroupKey, Instant> since) {
  /// None waits.
  public static final MinRuntimeWaits NONE = new MinRuntimeWaits(Collections.emptySortedMap());

  public MinRuntimeWaits {
    since = Collections.unmodifiableSortedMap(new TreeMap<>(since));
  }

  /// @return `MAX` where it does not
  public Instant of(GroupKey group) {
    return since.getOrDefault(group, Instant.MAX);
  }
}
