package dev.berth.engine.session;

import dev.berth.engine.model.PodUid;
import java.util.Set;

/// One node as it is now, to ask how it would be if some of its pods left. Nothing changes in the
/// session.
public final class NodeCopy {
  private final int node;
  private final FreeCapacity room;

  /// @param n its number in the session
  public NodeCopy(Session session, int n) {
    node = n;
    room = new FreeCapacity(session.room(), n);
  }

  /// The node, under index 0.
  public FreeCapacity room() {
    return room;
  }

  /// Those pods of a step that are on this node leave.
  public void leave(EvictionUnit unit) {
    for (MemberState seat : unit.seats()) {
      if (seat.now().node() == node) {
        room.leave(seat.podClass(), here(seat));
      }
    }
  }

  /// Those of these pods that are on this node leave, whichever group they are of.
  public void leave(Session session, Set<PodUid> pods) {
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (seat.now().node() == node && pods.contains(seat.pod().uid())) {
          room.leave(seat.podClass(), here(seat));
        }
      }
    }
  }

  /// The reverse of [#leave].
  public void stay(EvictionUnit unit) {
    for (MemberState seat : unit.seats()) {
      if (seat.now().node() == node) {
        room.stay(seat.podClass(), here(seat));
      }
    }
  }

  private static Assignment here(MemberState seat) {
    return new Assignment(0, seat.now().slots(), seat.now().millis());
  }
}
