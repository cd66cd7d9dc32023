package dev.berth.controllers.evictions;

import dev.berth.engine.model.Decision.Victim;
import java.util.function.Consumer;

/// What is told of evictions: events of victims and of their preemptors, and for waiting pods why
/// the API server refuses to evict a victim.
///
/// @param left hears of each victim that the API server agreed to evict or delete; must not block
public record EvictionReports(
    EvictionEvents events, EvictionRefusals refusals, Consumer<Victim> left) {
  /// Without a further listener.
  public EvictionReports(EvictionEvents events, EvictionRefusals refusals) {
    this(events, refusals, _ -> {});
  }
}
