package dev.berth.cli.counterfactual;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What came into a cluster while a log was written, whatever Berth decided.
///
/// @param settings of the planner
/// @param usage what queues had used when the log began
/// @param events what changed of nodes, topologies, budgets, namespaces, pods of other schedulers
///   and queues, in the order of time; those of the beginning are the cluster as it was then
/// @param queues each as it was last in the log
/// @param workloads in the order in which they were seen
/// @param span when the log was written
/// @param leftOut workloads that cannot be played
record LoggedTraffic(
    PlannerSettings settings,
    Usage usage,
    List<Event> events,
    SortedMap<QueueName, Queue> queues,
    List<LoggedWorkload> workloads,
    Span span,
    int leftOut) {
  LoggedTraffic {
    events = List.copyOf(events);
    queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
    workloads = List.copyOf(workloads);
  }

  record Event(Instant at, Fact fact) {}

  /// @param snapshots of which it was taken: a moment is known no more exactly than these follow
  ///   each other
  /// @param longestGap between two of them
  /// @param settingsChanged whether the planner had other settings later, which are not played
  record Span(
      Instant begin, Instant end, long snapshots, Duration longestGap, boolean settingsChanged) {}
}
