package dev.berth.engine.action;

import dev.berth.engine.model.Reason;
import dev.berth.engine.placement.PlacementOutcome;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Says of groups that a limit or quota refuses where no node would have room for them either:
/// another limit alone does not help them. Nothing else changes.
///
/// Room is looked for as the round leaves it, for [#MOST] different steps of a round; the groups
/// beyond are told the limit or quota alone.
public final class ReportMissingCapacity implements Action {
  private static final int MOST = 64;

  /// Steps that find room, or none, alike.
  private record StepClass(int podClass, int members, boolean together) {}

  @Override
  public void run(Round round) {
    var session = round.session();
    var known = new HashMap<StepClass, Optional<Reason>>(); // looked up only
    int looks = 0;
    for (Group group : session.refused()) {
      var refusal = session.reason(group).filter(ReportMissingCapacity::isOfQueue);
      var step = refusal.isPresent() ? group.next() : Optional.<PlacementStep>empty();
      if (step.isEmpty()) {
        continue;
      }
      var alike =
          new StepClass(
              step.get().all().getFirst().podClass().id(),
              step.get().all().size(),
              group.isBelowMinimum());
      boolean isAlike = round.blocks().areAlike(step.get());
      var room = isAlike ? known.get(alike) : null;
      if (room == null && looks++ < MOST) {
        room = noRoom(round, group, step.get());
        if (isAlike) {
          known.put(alike, room);
        }
      }
      if (room != null && room.isPresent() && !room.get().equals(refusal.get())) {
        session.waits(group, told(refusal.get(), room.get()));
      }
    }
  }

  private static boolean isOfQueue(Reason reason) {
    return reason instanceof Reason.OverLimit || reason instanceof Reason.NonPreemptibleOverQuota;
  }

  private static Optional<Reason> noRoom(Round round, Group group, PlacementStep step) {
    Session session = round.session();
    try (Statement _ = session.open()) {
      return switch (round.blocks().place(step, group.isBelowMinimum())) {
        case PlacementOutcome.Refused(Reason reason) -> Optional.of(reason);
        case PlacementOutcome.Placed() -> Optional.empty();
      };
    }
  }

  /// Where no node is ever large enough, no limit helps: that is told first.
  private static Reason told(Reason refusal, Reason room) {
    if (room instanceof Reason.NeverFits never) {
      return never.besides(refusal);
    }
    return switch (refusal) {
      case Reason.OverLimit over -> over.besides(and(over.besides(), room));
      case Reason.NonPreemptibleOverQuota over -> over.besides(and(over.besides(), room));
      default -> refusal;
    };
  }

  private static List<Reason> and(List<Reason> others, Reason room) {
    var all = new ArrayList<>(others);
    if (room instanceof Reason.NoRoom || isOfQueue(room)) { // by what nodes charge
      all.add(room);
    }
    return all;
  }
}
