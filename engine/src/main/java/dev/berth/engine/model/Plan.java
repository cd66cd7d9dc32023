package dev.berth.engine.model;

import java.time.Instant;
import java.util.List;

/// What should happen, decided from one snapshot. At most one decision per group; a group without
/// one keeps what it has.
public record Plan(long snapshot, Instant at, List<Decision> decisions) {
  public Plan {
    decisions = List.copyOf(decisions);
  }
}
