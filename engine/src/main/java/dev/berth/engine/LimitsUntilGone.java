package dev.berth.engine;

import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What limits say of what was planned as long as the victims are there. A group that is within the
/// limits beside them does not wait. Any other group waits until they were evicted, which may be
/// refused; and then until so many are gone that the limits hold for what runs.
///
/// A queue's quota limits its non-preemptible work in the same way: of that, only non-preemptible
/// pods that leave are awaited.
///
/// Counted once for a plan in which any group gets a place, over the groups that lose a pod and the
/// pods that are deleted: O(their members × depth of the tree).
final class LimitsUntilGone {
  private final Session session;
  private final QueueTree queues;

  /// Empty = not counted yet.
  private Optional<Counted> counted = Optional.empty();

  /// A pod that leaves.
  ///
  /// @param queue of its group
  /// @param mayBorrow whether its group is preemptible
  /// @param more than is allocated, as long as it is there; by resource
  private record Going(PodUid pod, int queue, boolean mayBorrow, long[] more) {}

  /// By queue and resource, beside what is allocated: what the victims have that are still to be
  /// evicted, what all leaving pods have, and of these the non-preemptible; and the leaving pods,
  /// in the order in which they are awaited.
  private record Counted(
      long[][] unasked, long[][] there, long[][] nonPreemptible, List<Going> going) {}

  private LimitsUntilGone(Session session) {
    this.session = session;
    queues = session.queues();
  }

  /// @param session in which everything is planned
  static LimitsUntilGone of(Session session) {
    return new LimitsUntilGone(session);
  }

  private Counted counted() {
    var all = counted.orElseGet(this::count);
    counted = Optional.of(all);
    return all;
  }

  private Counted count() {
    var going = new ArrayList<Going>();
    for (MemberState seat : session.ending()) {
      add(seat, session.charges().untilGone(seat), going);
    }
    int ending = going.size();
    for (Group group : session.index().unasked()) {
      add(group, going);
    }
    for (Group group : session.index().touched()) {
      if (group.seats().stream().noneMatch(MemberState::isToBeAsked)) {
        add(group, going); // else it is among those before
      }
    }
    var asked = going.subList(ending, going.size());
    var fixed = going.stream().filter(each -> !each.mayBorrow()).toList();
    return new Counted(sum(asked), sum(going), sum(fixed), going);
  }

  private void add(Group group, List<Going> into) {
    for (MemberState seat : group.seats()) {
      add(seat, session.charges().untilAsked(seat), into);
    }
  }

  private void add(MemberState seat, Charge there, List<Going> into) {
    Charge then = session.charges().now(seat);
    var more = new long[queues.width()];
    long any = 0;
    for (int r = 0; r < more.length; r++) {
      more[r] = Math.max(0, there.of(r) - then.of(r));
      any |= more[r];
    }
    if (any > 0 && seat.group().queue() != QueueTree.NONE) {
      var group = seat.group();
      into.add(new Going(seat.pod().uid(), group.queue(), group.mayBorrow(), more));
    }
  }

  private long[][] sum(List<Going> going) {
    var sum = new long[queues.size()][queues.width()];
    for (Going each : going) {
      for (int q : queues.chain(each.queue())) {
        for (int r = 0; r < queues.width(); r++) {
          sum[q][r] = Charge.sum(sum[q][r], each.more()[r]);
        }
      }
    }
    return sum;
  }

  /// Whether a group has new places that a limit allows only once others are on their way.
  boolean needOthersToLeave(Group group) {
    var unasked = counted().unasked();
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        if (unasked[q][r] > 0 && asks(group, r) && over(q, r, unasked) > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// Which pods must be gone before the limits hold for what runs together with the new places of a
  /// group, as few as that, in a fixed order. Pods that come to leave later keep it waiting no
  /// longer.
  List<PodUid> awaitedBy(Group group) {
    var there = counted().there();
    var awaited = new LinkedHashSet<PodUid>();
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        if (there[q][r] > 0 && asks(group, r)) {
          await(q, r, over(q, r, there), false, awaited);
          await(q, r, group.mayBorrow() ? 0 : overQuota(q, r), true, awaited);
        }
      }
    }
    return List.copyOf(awaited);
  }

  /// @param fixed whether non-preemptible pods alone count
  private void await(int q, int r, long over, boolean fixed, Set<PodUid> into) {
    long left = over;
    for (Going each : counted().going()) {
      if (left <= 0) {
        return;
      }
      if (each.more()[r] > 0
          && !(fixed && each.mayBorrow())
          && Arrays.stream(queues.chain(each.queue())).anyMatch(it -> it == q)) {
        into.add(each.pod());
        left -= each.more()[r];
      }
    }
  }

  /// By how much a queue would be above its limit with these.
  private long over(int q, int r, long[][] beside) {
    long limit = queues.limit(q, r);
    return limit == Queue.UNLIMITED ? 0 : Charge.sum(queues.allocated(q, r), beside[q][r]) - limit;
  }

  /// By how much the non-preemptible work of a queue would be above its quota with that which
  /// leaves.
  private long overQuota(int q, int r) {
    long quota = queues.quota(q, r);
    return quota == Queue.UNLIMITED || !queues.isMeasured(q, r)
        ? 0
        : Charge.sum(queues.nonPreemptible(q, r), counted().nonPreemptible()[q][r]) - quota;
  }

  private boolean asks(Group group, int r) {
    for (MemberState seat : group.seats()) {
      if (seat.isPlaced() && session.charges().now(seat).of(r) > 0) {
        return true;
      }
    }
    return false;
  }
}
