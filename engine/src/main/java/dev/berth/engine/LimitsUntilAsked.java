package dev.berth.engine;

import dev.berth.engine.model.Queue;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Queues;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import java.util.Optional;

/// What limits say of what was planned as long as nobody of those who are to leave was asked: they
/// may refuse to, and whoever is within the limits beside them need not wait for that.
///
/// Counted once for a plan in which anybody gets a place, over the groups that lose somebody:
/// O(their members × depth of the tree).
final class LimitsUntilAsked {
  private final Session session;
  private final Queues queues;

  /// By queue and resource: what those have beside what is allocated; empty = not counted yet.
  private Optional<long[][]> counted = Optional.empty();

  private LimitsUntilAsked(Session session) {
    this.session = session;
    queues = session.queues();
  }

  /// @param session in which everything is planned
  static LimitsUntilAsked of(Session session) {
    return new LimitsUntilAsked(session);
  }

  private long[][] beside() {
    var beside = counted.orElseGet(this::count);
    counted = Optional.of(beside);
    return beside;
  }

  private long[][] count() {
    var beside = new long[queues.size()][queues.width()];
    for (Group group : session.unasked()) {
      count(group, beside);
    }
    for (Group group : session.touched()) {
      if (group.seats().stream().noneMatch(Seat::isToBeAsked)) {
        count(group, beside); // else it is among those before
      }
    }
    return beside;
  }

  private void count(Group group, long[][] beside) {
    for (Seat seat : group.seats()) {
      Charge there = session.chargeUntilAsked(seat);
      Charge then = session.charge(seat);
      for (int q : queues.chain(group.queue())) {
        for (int r = 0; r < queues.width(); r++) {
          long more = Math.max(0, there.of(r) - then.of(r));
          beside[q][r] = Charge.sum(beside[q][r], more);
        }
      }
    }
  }

  /// Whether a group has new places that a limit allows only once others are on their way.
  boolean needOthersToLeave(Group group) {
    var beside = beside();
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        long limit = queues.limit(q, r);
        if (limit != Queue.UNLIMITED
            && beside[q][r] > 0
            && asks(group, r)
            && Charge.sum(queues.allocated(q, r), beside[q][r]) > limit) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean asks(Group group, int r) {
    for (Seat seat : group.seats()) {
      if (seat.isPlaced() && session.charge(seat).of(r) > 0) {
        return true;
      }
    }
    return false;
  }
}
