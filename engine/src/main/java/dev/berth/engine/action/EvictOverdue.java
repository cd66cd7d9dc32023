package dev.berth.engine.action;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.RuntimeEnd;
import dev.berth.engine.session.RuntimeEnds;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.time.Duration;

/// Ends groups that have run for their max-runtime ([MaxRuntime]) and were warned for long enough
/// ([RuntimeEnd]): all running members leave together, for no beneficiary.
///
/// A group whose pod was chosen as a victim, or that got another member in this plan, is looked at
/// again in the next one.
public final class EvictOverdue implements Action {
  private final RuntimeEnds endings;
  private final Duration warning;

  /// @param endings of the groups of the session, as they were before this plan
  /// @param warning how long groups are warned before; zero = they are not, unless a queue says it
  public EvictOverdue(RuntimeEnds endings, Duration warning) {
    this.endings = endings;
    this.warning = warning;
  }

  @Override
  public void run(Round round) {
    var session = round.session();
    session.looksAgain(endings.next(session.now()));
    for (GroupKey key : endings.due(session.now())) {
      session.group(key).ifPresent(group -> look(session, group));
    }
  }

  private void look(Session session, Group group) {
    var rule = MaxRuntime.of(group.group(), session.queues()::named);
    var ending = RuntimeEnd.of(group, rule, warning, session.now());
    if (!ending.leavesAt().isAfter(session.now()) && !group.isLosing() && !group.hasNewPlaces()) {
      evict(session, group);
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
