package dev.berth.engine.ledger.pods;

import java.util.List;

/// What an event makes of a state.
///
/// @param next the state after it
/// @param effects in the order in which they are executed; none = nothing follows
public record Transition(PodState next, List<Effect> effects) {
  public Transition {
    effects = List.copyOf(effects);
  }

  static Transition to(PodState next, Effect... effects) {
    return new Transition(next, List.of(effects));
  }
}
