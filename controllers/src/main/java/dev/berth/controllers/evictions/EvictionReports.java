package dev.berth.controllers.evictions;

import dev.berth.engine.model.Decision.Victim;
import java.util.function.Consumer;

/// What is told of evictions: events of victims and of those for whom they leave, and for pods that
/// wait why the API server refuses to evict a victim.
///
/// @param left hears of each victim that the API server agreed to evict or delete; must not block
public record EvictionReports(
    EvictionEvents events, EvictionRefusals refusals, Consumer<Victim> left) {
  /// Nobody else hears.
  public EvictionReports(EvictionEvents events, EvictionRefusals refusals) {
    this(events, refusals, _ -> {});
  }
}
