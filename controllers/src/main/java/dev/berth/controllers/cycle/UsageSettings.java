package dev.berth.controllers.cycle;

import dev.berth.engine.fairness.FairShareSettings;
import java.time.Duration;

/// @param fairShare how past use counts
/// @param queuePause shortest time between two looks at how queues stand
/// @param usageStep past use that moved by this part of the cluster is worth another plan
public record UsageSettings(FairShareSettings fairShare, Duration queuePause, double usageStep) {
  public static final UsageSettings DEFAULT =
      new UsageSettings(FairShareSettings.DEFAULT, Duration.ofSeconds(5), 0.01);
}
