package dev.berth.engine.action;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.IdleEnds;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;

/// Ends groups whose GPUs do nothing, where a queue says so, once they were told for long enough
/// ([IdleEnd]): all running members leave together, for no beneficiary.
///
/// A group whose pod was chosen as a victim, or that got another member in this plan, is looked at
/// again in the next one.
public final class EvictIdle implements Action {
  private final IdleEnds idle;

  /// @param idle of the groups of the session, as they were before this plan
  public EvictIdle(IdleEnds idle) {
    this.idle = idle;
  }

  @Override
  public void run(Round round) {
    for (GroupKey key : idle.groups()) {
      round.session().group(key).ifPresent(group -> look(round.session(), group));
    }
  }

  private static void look(Session session, Group group) {
    var leaves = IdleEnd.of(group, session.queues()::named, session.now()).leavesAt();
    if (leaves.isAfter(session.now())) {
      session.looksAgain(leaves);
    } else if (!group.isLosing() && !group.hasNewPlaces()) {
      evict(session, group);
    }
  }

  private static void evict(Session session, Group group) {
    try (Statement statement = session.open()) {
      for (MemberState seat : group.seats()) {
        boolean asked = seat.pod().life().runsOn(); // another eviction would change nothing
        if (seat.runs() && !asked) {
          statement.evict(seat, Cause.IDLE, group.key());
        }
      }
      statement.keep();
    }
  }
}
