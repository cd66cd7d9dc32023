package dev.berth.cli.counterfactual;

import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import java.time.Duration;
import java.time.Instant;

/// One pod of a log with those that came in its stead after it was evicted: work that is to run
/// once from its start to its end.
///
/// @param offered as it waited last before it got a place; of one that ran from the beginning, as
///   it was first seen
/// @param arrived when it was first seen without another's gate
/// @param first where it ran when the log began; none = it waited, or came later
/// @param started of one that ran when the log began, since when; `MAX` else
/// @param run how long it ran, or [#UNKNOWN]
/// @param ending what became of it when it had run so long
/// @param cancelled when it was deleted before it ran; `MAX` = it was not
/// @param observed what became of it in the log
record LoggedTask(
    Pod offered,
    Instant arrived,
    Placement first,
    Instant started,
    Duration run,
    Ending ending,
    Instant cancelled,
    Observed observed) {
  /// @param started when the first of its pods got a place; `MAX` = none did
  /// @param evictions pods in whose stead another came
  /// @param gpuMillis thousandths of GPUs × milliseconds that its pods had, while the log was
  ///   written
  /// @param runsOn whether it ran when the log ended
  record Observed(Instant started, int evictions, double gpuMillis, boolean runsOn) {}

  /// It waited or ran when the log ended, or was evicted for good: it may have had to run for
  /// longer.
  static final Duration UNKNOWN = Duration.ofSeconds(Long.MAX_VALUE);

  enum Ending {
    SUCCEEDED,
    FAILED,
    /// It was deleted, or its end was not seen.
    GONE
  }

  boolean isRunKnown() {
    return !run.equals(UNKNOWN);
  }

  /// Whether another pod comes in its stead where it is evicted.
  boolean isMadeAnew() {
    return !offered.belonging().owner().isNone();
  }
}
