package dev.berth.engine.placement;

import dev.berth.engine.model.Reason;

/// What came of trying to place a block.
public sealed interface PlacementOutcome {
  /// All of it has a place.
  record Placed() implements PlacementOutcome {}

  /// None of it has.
  record Refused(Reason reason) implements PlacementOutcome {}

  default boolean isPlaced() {
    return switch (this) {
      case Placed() -> true;
      case Refused _ -> false;
    };
  }
}
