package dev.berth.simulator.world;

import java.time.Duration;

/// A profile of kube-scheduler, as `manifests/` configures it.
///
/// @param name `schedulerName` of its pods
/// @param cycle how long one scheduling cycle takes
/// @param write how long a write of its own takes: conditions, bindings without extender
/// @param firstBackoff doubles with every attempt
/// @param weight of the extender's scores
public record SchedulerSettings(
    String name,
    Duration cycle,
    Duration write,
    Duration firstBackoff,
    Duration longestBackoff,
    int weight) {
  public static final SchedulerSettings BERTH =
      new SchedulerSettings(
          "berth",
          Duration.ofMillis(2),
          Duration.ofMillis(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          15);

  /// A profile without extender, beside ours.
  public static SchedulerSettings named(String name) {
    return new SchedulerSettings(
        name, BERTH.cycle, BERTH.write, BERTH.firstBackoff, Duration.ofSeconds(10), 1);
  }
}
