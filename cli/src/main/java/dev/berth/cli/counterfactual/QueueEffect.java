package dev.berth.cli.counterfactual;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What other queues come to for the workloads of one queue, or of all.
///
/// @param queue empty = all of them
/// @param workloads that came while the log was written, or waited when it began
/// @param ranBefore workloads that ran when it began, and so do not wait
/// @param sooner workloads that start sooner
/// @param later workloads that start later
/// @param begins workloads that start by the end, and did not before
/// @param fails workloads that do not start by the end, and did before
record QueueEffect(
    String queue,
    int workloads,
    int ranBefore,
    int sooner,
    int later,
    int begins,
    int fails,
    Side before,
    Side after) {

  private static final double MILLIS_OF_AN_HOUR = 1000.0 * 3_600_000;

  /// @param gpuMillis thousandths of GPUs × milliseconds
  static double hours(double gpuMillis) {
    return gpuMillis / MILLIS_OF_AN_HOUR;
  }

  /// One of the two plays.
  ///
  /// @param waiting workloads that had not started when it ended
  /// @param evictions of pods
  record Side(WaitTimes waits, int waiting, int evictions, double gpuHours) {
    static Side of(List<PlayedWorkload> played) {
      var came = played.stream().filter(each -> !each.logged().ranBefore()).toList();
      return new Side(
          WaitTimes.of(came),
          (int) came.stream().filter(each -> !each.hasStarted()).count(),
          played.stream().mapToInt(PlayedWorkload::evictions).sum(),
          hours(played.stream().mapToDouble(PlayedWorkload::gpuMillis).sum()));
    }
  }

  /// A workload in both plays.
  record Pair(PlayedWorkload before, PlayedWorkload after) {
    /// @param near what counts as the same moment
    boolean startsSooner(Duration near) {
      return before.hasStarted() && after.started().isBefore(before.started().minus(near));
    }

    /// @param near what counts as the same moment
    boolean startsLater(Duration near) {
      return before.hasStarted()
          && after.hasStarted()
          && after.started().isAfter(before.started().plus(near));
    }

    boolean begins() {
      return !before.hasStarted() && after.hasStarted();
    }

    boolean fails() {
      return before.hasStarted() && !after.hasStarted();
    }

    boolean isOther() {
      return !before.started().equals(after.started()) || before.evictions() != after.evictions();
    }
  }

  static QueueEffect of(String queue, List<Pair> pairs) {
    return of(queue, pairs, Duration.ZERO);
  }

  /// @param near what counts as the same moment
  static QueueEffect of(String queue, List<Pair> pairs, Duration near) {
    int ranBefore = 0;
    int sooner = 0;
    int later = 0;
    int begins = 0;
    int fails = 0;
    var before = new ArrayList<PlayedWorkload>();
    var after = new ArrayList<PlayedWorkload>();
    for (Pair each : pairs) {
      ranBefore += each.before.logged().ranBefore() ? 1 : 0;
      sooner += each.startsSooner(near) ? 1 : 0;
      later += each.startsLater(near) ? 1 : 0;
      begins += each.begins() ? 1 : 0;
      fails += each.fails() ? 1 : 0;
      before.add(each.before);
      after.add(each.after);
    }
    return new QueueEffect(
        queue,
        pairs.size() - ranBefore,
        ranBefore,
        sooner,
        later,
        begins,
        fails,
        Side.of(before),
        Side.of(after));
  }
}
