package dev.berth.engine.action;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;

/// Ends groups that have run for their max-runtime ([MaxRuntime]): all running members leave
/// together, for no beneficiary.
///
/// A group whose pod was chosen as a victim, or that got another member in this plan, is looked at
/// again in the next one.
public final class EvictOverdue implements Action {
  @Override
  public void run(Round round) {
    var session = round.session();
    for (Group group : session.index().mortal()) {
      var most = MaxRuntime.of(group.group(), session.queues()::named);
      var end = group.end(most, session.now());
      session.looksAgain(end);
      if (!end.isAfter(session.now()) && !group.isLosing() && !group.hasNewPlaces()) {
        evict(session, group);
      }
    }
  }

  private static void evict(Session session, Group group) {
    try (Statement statement = session.open()) {
      for (MemberState seat : group.seats()) {
        boolean asked = seat.pod().life().runsOn(); // another eviction would change nothing
        if (seat.runs() && !asked) {
          statement.evict(seat, Cause.MAX_RUNTIME, group.key());
        }
      }
      statement.keep();
    }
  }
}
