package dev.berth.engine.victims;

import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Reason;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Step;
import java.util.List;

/// A bound that spares trials which cannot hold, as too few devices would be free.
///
/// Counts whole devices for claimants that ask for whole ones, and thousandths otherwise: what is
/// free or being left, and what the victims would leave at most (a share leaves at most its
/// device).
final class Freed {
  private final Room room;
  private final long need;
  private final long free;
  private final int single;

  Freed(Session session, Group claimant, Step step) {
    this.room = session.room();
    long wanted = 0;
    for (Seat seat : step.all()) {
      wanted += seat.shape().isShare() ? 0 : seat.shape().devices().count();
    }
    need = wanted;
    long there = 0;
    for (int n = 0; n < room.nodes() && need > 0; n++) {
      there += there(n);
    }
    free = there;
    boolean forRoom =
        session.reason(claimant).filter(reason -> reason instanceof Reason.NoRoom).isPresent();
    single = forRoom && step.all().size() == 1 ? (int) Math.min(need, Integer.MAX_VALUE) : 0;
  }

  private long there(int n) {
    return room.device(n) < 0 ? 0 : Math.max(0, room.freeSoon(n, room.device(n)));
  }

  boolean mayDo(List<Chosen> victims) {
    return need == 0 || free + leftBy(victims, -1) >= need;
  }

  /// As above; a single member that found no room elsewhere must find it on a node of a victim.
  boolean mayDo(List<Chosen> victims, int node) {
    if (!mayDo(victims)) {
      return false;
    }
    if (single == 0 || there(node) + leftBy(victims, node) >= single) {
      return true;
    }
    for (Chosen victim : victims) {
      for (Seat seat : victim.piece().seats()) {
        int other = seat.now().node();
        if (other != node && other >= 0 && there(other) + leftBy(victims, other) >= single) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whole devices at most.
  ///
  /// @param node of which only; -1 = of all
  private static long leftBy(List<Chosen> victims, int node) {
    long left = 0;
    for (Chosen victim : victims) {
      for (Seat seat : victim.piece().seats()) {
        if (node < 0 || seat.now().node() == node) {
          left += seat.shape().devices().count();
        }
      }
    }
    return left;
  }
}
