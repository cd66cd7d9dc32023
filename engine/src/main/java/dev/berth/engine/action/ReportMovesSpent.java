package dev.berth.engine.action;

import dev.berth.engine.model.Moves;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NothingToTakeBack;
import dev.berth.engine.session.Group;
import java.util.Optional;

/// Reports it to the groups for which others might be moved, once no more of them may be moved for
/// now ([Moves]). Nothing else changes.
public final class ReportMovesSpent implements Action {
  @Override
  public void run(Round round) {
    var session = round.session();
    var moves = session.snapshot().moves();
    if (!MovesLeft.mayMove(round.strategy()) || MovesLeft.in(session) > 0) {
      return;
    }
    for (Group group : session.waiting()) {
      if (group.isPreemptible() && MinRuntimes.mayTakeVictims(session, group)) {
        session
            .reason(group)
            .flatMap(ReportMovesSpent::room)
            .filter(NoRoom::mayBeMade)
            .ifPresent(room -> session.waits(group, new Reason.MovesSpent(room, moves.more())));
      }
    }
  }

  private static Optional<NoRoom> room(Reason reason) {
    return switch (reason) {
      case NoRoom room -> Optional.of(room);
      case NothingToTakeBack(var room, _) -> Optional.of(room);
      default -> Optional.empty();
    };
  }
}
