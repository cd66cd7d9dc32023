package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.LossBound;
import dev.berth.engine.session.PlacementStep;
import java.util.List;

/// What an action has to say on a trial in which its preemptor found its place.
public interface TrialCondition {
  /// @param chosen the chosen victims, in victim order; the session shows which of them found a
  ///   place again
  boolean holds(List<ChosenUnit> chosen);

  /// Whether what holds is kept at once. If not, it is kept only where nothing better is found.
  default boolean isWelcome(List<ChosenUnit> chosen) {
    return true;
  }

  /// The same as long as only some of the preemptor's members are sought a place for.
  default TrialCondition on(PlacementStep part) {
    return this;
  }

  /// Whether it holds only where every victim finds a place again.
  default boolean losesNothing() {
    return false;
  }

  /// How many pods it would move at most.
  default int mostMoves() {
    return Integer.MAX_VALUE;
  }

  /// How much it would let them lose at most.
  default LossBound allowance() {
    return LossBound.EVERYTHING;
  }
}
