package dev.berth.engine.session;

import dev.berth.engine.model.Standing;
import java.util.List;

/// What queues are charged for members: where they are, where they were when the session began, or
/// as long as they are still there.
public final class MemberCharges {
  private final FreeCapacity room;
  private final QueueTree queues;

  MemberCharges(FreeCapacity room, QueueTree queues) {
    this.room = room;
    this.queues = queues;
  }

  /// What queues are charged for members that have a place.
  public Charge now(List<MemberState> placed) {
    var sum = queues.nothing();
    for (MemberState seat : placed) {
      sum = sum.plus(now(seat));
    }
    return sum;
  }

  /// What queues are charged for a member; nothing where it has no place.
  public Charge now(MemberState seat) {
    return seat.isPlaced() ? at(seat, seat.now()) : queues.nothing();
  }

  /// What queues were charged for a member where it was when the session began; as long as it
  /// waited, what it counted then.
  public Charge atOrigin(MemberState seat) {
    return at(seat, seat.origin());
  }

  /// What queues would be charged for a member that is deleted, as long as it is there.
  public Charge untilGone(MemberState seat) {
    return seat.isEnding() && seat.member().standing() instanceof Standing.Leaving(var at, _, _)
        ? at(seat, room.assignment(at))
        : queues.nothing();
  }

  /// What queues are to be charged for a member as long as it is where it was when the session
  /// began, even if it is to leave; nothing where it has no place yet, or is on its way.
  public Charge untilAsked(MemberState seat) {
    if (seat.isToBeAsked() && seat.member().standing() instanceof Standing.Leaving(var at, _, _)) {
      return at(seat, room.assignment(at));
    }
    if (seat.was() == MemberState.Was.TENTATIVE) {
      return at(seat, seat.promised()); // it may be too late to withdraw its plan
    }
    return seat.origin().isSomewhere() ? atOrigin(seat) : queues.nothing();
  }

  /// What queues would be charged for it there; on no node, what it counts as long as it waits.
  Charge at(MemberState seat, Assignment assignment) {
    return assignment.isOnTheMap()
        ? seat.podClass().chargeOn(room.kind(assignment.node()))
        : seat.podClass().asked();
  }
}
