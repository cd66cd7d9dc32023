package dev.berth.engine.model;

import java.time.Instant;
import java.util.Locale;

/// Where a workload stands, as the status of a PodGroup, the REST API, the pages and the command
/// line say it.
public enum WorkloadPhase {
  /// Nothing is decided.
  PENDING,
  /// It waits, and a reason says why.
  QUEUED,
  /// Members have places.
  PLANNED,
  /// Its minimum is bound.
  STARTING,
  /// Its minimum runs.
  RUNNING,
  /// All members have ended.
  FINISHED;

  /// `Queued`, as the API writes it.
  public String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  /// @return [#PENDING] for what is no word of it
  public static WorkloadPhase of(String word) {
    for (var phase : values()) {
      if (phase.word().equals(word)) {
        return phase;
      }
    }
    return PENDING;
  }

  /// Of a group whose status tells whether it is stale.
  ///
  /// @param isWaiting whether the planner has a reason why it waits
  public static WorkloadPhase of(PodGroup group, boolean isWaiting) {
    boolean isStale = !group.spec().staleSince().equals(Instant.EPOCH);
    return of(group, MemberCounts.of(group), isStale, isWaiting);
  }

  /// @param isStale whether what runs of it is below its minimum, which in a tree numbers alone do
  ///   not tell
  /// @param isWaiting whether the planner has a reason why it waits
  public static WorkloadPhase of(
      PodGroup group, MemberCounts members, boolean isStale, boolean isWaiting) {
    if (group.members().isEmpty()) {
      return PENDING;
    }
    var completions = group.spec().completions();
    if (members.ended() == members.total() && (completions.isNone() || completions.isDone())) {
      return FINISHED;
    }
    int succeeded =
        completions.isNone()
            ? members.succeededOf(group)
            : members.bound() > 0 ? completions.coming() : 0;
    int needed = Math.max(1, group.spec().required());
    if (!isStale && members.running() + succeeded >= needed) {
      return RUNNING;
    }
    if (!isStale && members.bound() + succeeded >= needed) {
      return STARTING;
    }
    if (members.planned() > 0) {
      return PLANNED;
    }
    return isWaiting || members.bound() > 0 ? QUEUED : PENDING;
  }
}
