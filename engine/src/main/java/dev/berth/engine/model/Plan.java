package dev.berth.engine.model;

import java.time.Instant;
import java.util.List;

/// What should happen, decided from one snapshot. At most one decision per group; a group without
/// one keeps what it has.
///
/// @param nextLook when time alone changes something (a protection, a delay or a max-runtime ends),
///   so that another plan is due; `MAX` = never
public record Plan(long snapshot, Instant at, List<Decision> decisions, Instant nextLook) {
  public Plan {
    decisions = List.copyOf(decisions);
  }

  /// Time alone changes nothing.
  public Plan(long snapshot, Instant at, List<Decision> decisions) {
    this(snapshot, at, decisions, Instant.MAX);
  }
}
