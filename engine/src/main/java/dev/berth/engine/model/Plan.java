package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What should happen, decided from one snapshot. At most one decision per group; a group without
/// one keeps what it has.
///
/// @param nextLook when time alone changes something (a protection, a delay or a max-runtime ends),
///   so that another plan is due; `MAX` = never
/// @param searches whether a search for victims was cut short: another plan goes on with it, though
///   nothing changes
/// @param trials how many sets of victims were tried for it
/// @param minRuntimeWaits groups that would get victims but for a min-runtime, by reclaim or
///   preemption, and of which queue
public record Plan(
    long snapshot,
    Instant at,
    List<Decision> decisions,
    Instant nextLook,
    boolean searches,
    long trials,
    SortedSet<MinRuntimeWait> minRuntimeWaits) {
  public Plan {
    decisions = List.copyOf(decisions);
    minRuntimeWaits = Collections.unmodifiableSortedSet(new TreeSet<>(minRuntimeWaits));
  }

  /// Time alone changes nothing.
  public Plan(long snapshot, Instant at, List<Decision> decisions) {
    this(snapshot, at, decisions, Instant.MAX);
  }

  /// No search goes on.
  public Plan(long snapshot, Instant at, List<Decision> decisions, Instant nextLook) {
    this(snapshot, at, decisions, nextLook, false, 0, Collections.emptySortedSet());
  }

  /// The groups that it makes wait, why, and behind which.
  public SortedMap<GroupKey, Decision.Wait> waits() {
    var waits = new TreeMap<GroupKey, Decision.Wait>();
    for (Decision decision : decisions) {
      if (decision instanceof Decision.Wait wait) {
        waits.put(wait.group(), wait);
      }
    }
    return waits;
  }
}
