package dev.berth.engine.action;

import dev.berth.engine.model.Reason;
import dev.berth.engine.placement.PlacementOutcome;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.Optional;

/// Gives a reason to the waiting groups that have none so far: they were to have a place in this
/// round, or still had one, and lost it to a plan that precedes them. Nothing else changes.
public final class ReportUnplaced implements Action {
  @Override
  public void run(Round round) {
    var session = round.session();
    for (Group group : session.index().involved()) {
      if (group.isWaiting() && session.reason(group).isEmpty() && waitsInVain(group)) {
        group.next().ifPresent(step -> session.waits(group, reason(round, group, step)));
      }
    }
  }

  /// A member has waited before this round or lost its plan in it, and no member got a place.
  private static boolean waitsInVain(Group group) {
    boolean waits = false;
    for (MemberState seat : group.seats()) {
      if (seat.isNew()) {
        return false;
      }
      waits |= seat.was() == MemberState.Was.WAITING || seat.isWithdrawn();
    }
    return waits;
  }

  private static Reason reason(Round round, Group group, PlacementStep step) {
    Session session = round.session();
    Optional<Reason> refusal = QueueRefusal.of(session, group, step);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    try (Statement _ = session.open()) {
      return switch (round.blocks().place(step, group.isBelowMinimum())) {
        case PlacementOutcome.Refused(Reason reason) -> reason;
        // it would find a place now: the next round gives it one
        case PlacementOutcome.Placed() ->
            new Reason.NotProven(Reason.Sought.NODES, 0, session.room().nodes());
      };
    }
  }
}
