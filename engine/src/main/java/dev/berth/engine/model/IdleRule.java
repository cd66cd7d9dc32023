package dev.berth.engine.model;

import java.time.Duration;
import java.util.Comparator;

/// What a queue says of workloads whose GPUs do nothing: its own and those of the queues below it.
///
/// Each rule on the way up holds by itself, so that a queue below can add a rule and take none
/// away. It holds for work that is not preemptible, too: it takes no room for another, it ends what
/// makes no use of what it has.
///
/// @param queue whose rule it is
/// @param after a workload is idle once all of its GPUs were below for so long; zero = no rule
/// @param below percent: a GPU whose utilisation is less is idle
/// @param warning how long a workload is told before it is evicted
/// @param evicts whether it is evicted; else it is only reported
public record IdleRule(
    QueueName queue, Duration after, int below, Duration warning, boolean evicts) {
  /// No rule.
  public static final IdleRule NONE =
      new IdleRule(QueueName.NONE, Duration.ZERO, 0, Duration.ZERO, false);

  /// What evicts before what only reports, and of that what evicts first.
  public static final Comparator<IdleRule> STRICTEST =
      Comparator.<IdleRule>comparingInt(each -> each.evicts() ? 0 : 1)
          .thenComparing(each -> each.evicts() ? each.warning() : Duration.ZERO);

  /// Percent, where a rule says none.
  public static final int BELOW = 5;

  /// Where a rule says none.
  public static final Duration WARNING = Duration.ofMinutes(15);

  /// Utilisation is known by the minute.
  public static final Duration SHORTEST = Duration.ofMinutes(1);

  /// What a Prometheus keeps is rarely much more.
  public static final Duration LONGEST = Duration.ofDays(7);

  public boolean isNone() {
    return after.isZero();
  }

  /// `the idle rule of queue research, 1h below 5 %`.
  public String words() {
    return "the idle rule of queue "
        + queue
        + ", "
        + DurationWords.of(after)
        + " below "
        + below
        + " %";
  }
}
