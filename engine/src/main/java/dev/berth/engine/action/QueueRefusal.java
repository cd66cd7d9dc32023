package dev.berth.engine.action;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.AskingMembers;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.Session;
import java.util.List;
import java.util.Optional;

/// Why its queues refuse the next step of a group, with the members that were counted.
final class QueueRefusal {
  private QueueRefusal() {}

  static Optional<Reason> of(Session session, Group group, PlacementStep step) {
    return QueueLimits.refusal(session.queues(), group, step.least())
        .map(reason -> told(reason, members(group, step)));
  }

  private static Reason told(Reason reason, AskingMembers members) {
    return switch (reason) {
      case Reason.OverLimit over -> over.of(members).besides(told(over.besides(), members));
      case Reason.NonPreemptibleOverQuota over ->
          over.of(members).besides(told(over.besides(), members));
      default -> reason;
    };
  }

  private static List<Reason> told(List<Reason> reasons, AskingMembers members) {
    return reasons.stream().map(reason -> told(reason, members)).toList();
  }

  private static AskingMembers members(Group group, PlacementStep step) {
    int placed = 0;
    int waiting = 0;
    for (MemberState seat : group.seats()) {
      placed += seat.isPlaced() ? 1 : 0;
      waiting += seat.isWaiting() ? 1 : 0;
    }
    int count = step.all().size();
    return placed == 0 && waiting == 1
        ? AskingMembers.ALL
        : new AskingMembers(count, placed + waiting, placed == 0, areAlike(step));
  }

  /// Of one role, and without claims, which several may share.
  private static boolean areAlike(PlacementStep step) {
    var first = step.all().getFirst().podClass();
    return step.parts().isEmpty()
        && !first.chargeVaries()
        && step.all().stream()
            .allMatch(seat ->
                seat.podClass().id() == first.id() && seat.pod().traits().claims().isEmpty());
  }
}
