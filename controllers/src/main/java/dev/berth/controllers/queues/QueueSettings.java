package dev.berth.controllers.queues;

import java.time.Duration;

/// @param queuePause shortest time between two status writes of one queue
/// @param usageStep past use alone is written when it moved by this part of the cluster
/// @param usagePeriod and otherwise so often: that much a restart may forget
public record QueueSettings(Duration queuePause, double usageStep, Duration usagePeriod) {
  public static final QueueSettings DEFAULT =
      new QueueSettings(Duration.ofSeconds(5), 0.01, Duration.ofMinutes(10));
}
