package dev.berth.simulator.world;

import java.time.Duration;

/// A profile of kube-scheduler, as `manifests/` configures it.
///
/// @param name `schedulerName` of its pods
/// @param cycle how long one scheduling cycle takes
/// @param write how long a write of its own takes: conditions, bindings without extender
/// @param firstBackoff doubles with every attempt
/// @param weight of the extender's scores
/// @param bindTimeout how long its plugin VolumeBinding waits for volumes of a pod before it binds;
///   zero = a pod is bound beside claims that wait for it
public record SchedulerSettings(
    String name,
    Duration cycle,
    Duration write,
    Duration firstBackoff,
    Duration longestBackoff,
    int weight,
    Duration bindTimeout) {
  public static final SchedulerSettings BERTH =
      new SchedulerSettings(
          "berth",
          Duration.ofMillis(2),
          Duration.ofMillis(5),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          15,
          Duration.ZERO);

  /// A profile without extender, beside Berth's.
  public static SchedulerSettings named(String name) {
    return new SchedulerSettings(
        name,
        BERTH.cycle,
        BERTH.write,
        BERTH.firstBackoff,
        Duration.ofSeconds(10),
        1,
        Duration.ZERO);
  }

  /// The same, waiting for volumes.
  public SchedulerSettings waitingForVolumes(Duration longest) {
    return new SchedulerSettings(name, cycle, write, firstBackoff, longestBackoff, weight, longest);
  }

  boolean waitsForVolumes() {
    return bindTimeout.isPositive();
  }
}
