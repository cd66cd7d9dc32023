package dev.berth.cli.usage;

import java.time.Duration;
import java.time.Instant;

/// A time of which the log says nothing: Berth did not run, or what it logged was dropped.
///
/// @param unknown GPU-time that pods may have held in it, as [UsageAmounts] has it: those that
///   ended in it, from when they were seen last, and those that came in it and do not say when
public record UsageGap(Instant from, Instant to, long unknown) {
  public Duration length() {
    return Duration.between(from, to);
  }
}
