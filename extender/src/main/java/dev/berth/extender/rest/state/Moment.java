package dev.berth.extender.rest.state;

import java.time.Instant;
import java.util.Locale;

/// Something that became of a workload.
///
/// @param pods how many of its pods
/// @param cause why they were evicted; empty = they were not
public record Moment(Instant at, What what, int pods, String cause) {
  public enum What {
    /// It was created, and its pods wait behind their gates.
    GATED,
    /// Places were decided for pods.
    PLANNED,
    /// Plans were withdrawn.
    WITHDRAWN,
    /// Bindings were written.
    BOUND,
    /// Containers run.
    RUNNING,
    /// Pods are to leave.
    EVICTED,
    /// Pods succeeded or failed.
    ENDED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
