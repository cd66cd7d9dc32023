package dev.berth.engine.placement;

import dev.berth.engine.model.Reason;

/// What came of trying to place a block.
public sealed interface Outcome {
  /// All of it has a place.
  record Placed() implements Outcome {}

  /// None of it has.
  record Refused(Reason reason) implements Outcome {}

  default boolean isPlaced() {
    return switch (this) {
      case Placed() -> true;
      case Refused _ -> false;
    };
  }
}
