package dev.berth.engine.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;

/// That the GPUs of a group do nothing, as they were measured.
///
/// @param rule by which it is idle
/// @param since since when at the latest all of its GPUs are below; `MAX` = it is not idle
/// @param gpus that it has, or has a share of; MIG instances count as one each
/// @param millis thousandths of GPUs that are idle with it
public record Idleness(IdleRule rule, Instant since, int gpus, long millis) {
  /// It is busy, or not known to be idle.
  public static final Idleness NONE = new Idleness(IdleRule.NONE, Instant.MAX, 0, 0);

  /// Its object, or a pod, says that it is idle, and nothing was measured yet since this process
  /// began: what is said stays.
  public static final Idleness UNKNOWN = new Idleness(IdleRule.NONE, Instant.EPOCH, 0, 0);

  /// Whether nothing was measured that counts.
  public boolean isNone() {
    return rule.isNone();
  }

  /// The same since another moment, if that is earlier.
  public Idleness sinceAtLeast(Instant other) {
    return !isNone() && other.isBefore(since) ? new Idleness(rule, other, gpus, millis) : this;
  }

  /// What an object says of it: the condition `Idle`.
  ///
  /// @param since since when it says so; `EPOCH` = it does not; [#RECALLED] = it did, and does not
  ///   any more
  /// @param ofEviction whether it says that pods are evicted; else it only reports
  public record Notice(Instant since, boolean ofEviction) {
    public static final Notice NONE = new Notice(Instant.EPOCH, false);

    /// The word of a status that a group was idle, and is not by now.
    public static final Notice RECALLED = new Notice(Instant.MAX, false);

    /// The condition on a PodGroup.
    public static final String CONDITION = "Idle";

    /// The condition on pods that no PodGroup of Berth tells of.
    public static final String POD_CONDITION = "berth.dev/Idle";

    /// The reason of the condition where it only reports.
    public static final String REPORTED = "GpusIdle";

    /// The reason of the condition where pods are evicted.
    public static final String EVICTED = "GpusIdleNearEviction";

    /// The reason of the condition once it is not idle.
    public static final String BUSY = "GpusNotIdle";

    /// What a group says of itself; where it says nothing, its pods, the last of them to say so.
    public static Notice of(Notice group, Stream<Notice> pods) {
      return group.isGiven()
          ? group
          : pods.filter(Notice::isGiven).max(Comparator.comparing(Notice::since)).orElse(NONE);
    }

    /// Whether an object says that it is idle.
    public boolean isGiven() {
      return !since.equals(Instant.EPOCH) && !since.equals(Instant.MAX);
    }

    /// From when on what it announces may be done; `MAX` = it announces no eviction.
    public Instant dueAt(Duration warning) {
      return isGiven() && ofEviction ? since.plus(warning) : Instant.MAX;
    }
  }
}
