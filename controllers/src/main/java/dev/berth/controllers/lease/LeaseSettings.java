package dev.berth.controllers.lease;

import java.time.Duration;

/// @param enabled off = this process is the only one there will ever be at a time
/// @param namespace of the Lease
/// @param name of the Lease
/// @param duration how long after the last renewal others wait before they take it; whole seconds
/// @param renewDeadline how long after the last renewal a leader begins writes; what lies between
///   this and `duration` is the longest that a write may take
/// @param retryPeriod between two renewals, and between two looks of a standby
public record LeaseSettings(
    boolean enabled,
    String namespace,
    String name,
    Duration duration,
    Duration renewDeadline,
    Duration retryPeriod) {
  public static final LeaseSettings DEFAULT =
      new LeaseSettings(
          true,
          "berth-system",
          "berth",
          Duration.ofSeconds(3),
          Duration.ofSeconds(2),
          Duration.ofMillis(500));

  public LeaseSettings {
    if (duration.compareTo(renewDeadline) <= 0
        || renewDeadline.compareTo(retryPeriod) <= 0
        || !retryPeriod.isPositive()
        || duration.toNanosPart() != 0) {
      throw new IllegalArgumentException(
          "lease.retryPeriod "
              + retryPeriod
              + " must be less than lease.renewDeadline "
              + renewDeadline
              + ", and that less than lease.duration "
              + duration
              + ", which must be whole seconds");
    }
  }
}
