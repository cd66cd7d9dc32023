package dev.berth.cli.counterfactual;

import java.time.Instant;

/// What a play came to for one workload.
///
/// @param started when the first of its pods got a place, or when the play began if it ran then;
///   `MAX` = not by the end
/// @param evictions of its pods
/// @param moves those of them after which consolidation had a place for the pod elsewhere
/// @param gpuMillis thousandths of GPUs × milliseconds that its pods had
/// @param isCut whether it still ran at the end
record PlayedWorkload(
    LoggedWorkload logged,
    Instant started,
    int evictions,
    int moves,
    double gpuMillis,
    boolean isCut) {
  boolean hasStarted() {
    return !started.equals(Instant.MAX);
  }
}
