package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/// What consolidation did not long ago, and so may not do now.
///
/// @param left how many pods may be moved at this moment
/// @param more when more pods may be moved than `left` by time alone; `MAX` = never
/// @param resting workloads that were moved, and stay where they are for a while; looked up only
/// @param until when the first of these changes by time alone; `MAX` = never
public record Moves(int left, Instant more, Set<Workload> resting, Instant until) {
  /// Nothing was moved.
  public static final Moves NONE = new Moves(Integer.MAX_VALUE, Instant.MAX, Set.of(), Instant.MAX);

  public Moves {
    resting = Collections.unmodifiableSet(new LinkedHashSet<>(resting));
  }

  public boolean rests(PodGroup group) {
    return !resting.isEmpty()
        && !group.members().isEmpty()
        && resting.contains(group.members().getFirst().pod().workload());
  }
}
