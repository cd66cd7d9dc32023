package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// What consolidation did not long ago, and so may not do now.
///
/// @param left how many pods may be moved at this moment
/// @param resting workloads that were moved, and stay where they are for a while
/// @param until when the first of both changes by time alone; `MAX` = never
public record Moves(int left, SortedSet<String> resting, Instant until) {
  /// Nothing was moved.
  public static final Moves NONE =
      new Moves(Integer.MAX_VALUE, Collections.emptySortedSet(), Instant.MAX);

  public Moves {
    resting = Collections.unmodifiableSortedSet(new TreeSet<>(resting));
  }

  public boolean rests(PodGroup group) {
    return !resting.isEmpty() && resting.contains(workload(group));
  }

  private static String workload(PodGroup group) {
    return group.members().isEmpty() ? "" : workload(group.members().getFirst().pod());
  }

  /// What a pod belongs to that outlives it: its group, else its owner; one that has neither stands
  /// for itself.
  public static String workload(Pod pod) {
    var belonging = pod.belonging();
    if (!belonging.group().isNone()) {
      return "group " + belonging.group();
    }
    return belonging.owner().isNone() ? "pod " + pod.key() : "owner " + belonging.owner().uid();
  }
}
