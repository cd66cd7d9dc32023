package dev.berth.cli.counterfactual;

import dev.berth.engine.model.PodGroup;
import java.time.Instant;
import java.util.List;

/// A workload of a log: a gang, or a pod that is planned alone.
///
/// @param group as it was when it was first planned
/// @param arrived when the first of its pods came
/// @param ranBefore whether it ran when the log began
/// @param started when the log shows the first of its pods on a node; `MAX` = never
/// @param full when as many of its pods had got a place as it needs; `MAX` = never
record LoggedWorkload(
    PodGroup group,
    Instant arrived,
    boolean ranBefore,
    Instant started,
    Instant full,
    List<LoggedTask> tasks) {
  LoggedWorkload {
    tasks = List.copyOf(tasks);
  }

  /// When the last of its pods was deleted, if none of them ever ran; `MAX` = one did, or waits
  /// still.
  Instant withdrawn() {
    return tasks.stream().map(LoggedTask::cancelled).max(Instant::compareTo).orElse(Instant.MAX);
  }
}
