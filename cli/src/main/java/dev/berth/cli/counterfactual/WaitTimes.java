package dev.berth.cli.counterfactual;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// How long workloads waited in one play, by nearest rank. Those that did not start by its end
/// waited longest, for a time that is not known: a rank that falls on one of them is [#NOT_YET].
///
/// @param median [#NONE] = no workload arrived
/// @param p90 as above
record WaitTimes(Duration median, Duration p90) {
  static final Duration NOT_YET = Duration.ofSeconds(Long.MAX_VALUE);
  static final Duration NONE = Duration.ofSeconds(-1);

  /// @param played those that waited from when they came
  static WaitTimes of(List<PlayedWorkload> played) {
    var waits = played.stream().map(WaitTimes::of).sorted().toList();
    return new WaitTimes(rank(waits, 50), rank(waits, 90));
  }

  private static Duration of(PlayedWorkload played) {
    Instant arrived = played.logged().arrived();
    return played.hasStarted() ? Duration.between(arrived, played.started()) : NOT_YET;
  }

  private static Duration rank(List<Duration> sorted, int percent) {
    return sorted.isEmpty()
        ? NONE
        : sorted.get(Math.max(0, Math.ceilDiv(sorted.size() * percent, 100) - 1));
  }

  static String text(Duration wait) {
    if (wait.equals(NONE)) {
      return "-";
    }
    if (wait.equals(NOT_YET)) {
      return "not by the end";
    }
    if (wait.toMinutes() == 0) {
      return wait.toSeconds() + "s";
    }
    if (wait.toHours() == 0) {
      return wait.toMinutes() + "m" + (wait.toSecondsPart() == 0 ? "" : wait.toSecondsPart() + "s");
    }
    return wait.toHours() + "h" + (wait.toMinutesPart() == 0 ? "" : wait.toMinutesPart() + "m");
  }
}
