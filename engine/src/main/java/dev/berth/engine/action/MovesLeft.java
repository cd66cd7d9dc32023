package dev.berth.engine.action;

import dev.berth.engine.model.Moves;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;

/// How many pods may still be moved in a round.
final class MovesLeft {
  private MovesLeft() {}

  /// Not where work is to be spread: it would be moved back together.
  static boolean mayMove(Strategy strategy) {
    return strategy.gpu() != Spread.SPREAD && strategy.cpu() != Spread.SPREAD;
  }

  /// Without those that the round moves already.
  static int in(Session session) {
    var moves = session.snapshot().moves();
    int moved = 0;
    if (moves != Moves.NONE) {
      for (Group group : session.index().touched()) {
        for (MemberState seat : group.seats()) {
          moved += seat.isVictim() ? 1 : 0;
        }
      }
    }
    return moves.left() - moved;
  }
}
