package dev.berth.engine;

import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/// Plans for which their queues have no room any more, on whatever level: a limit or a quota was
/// lowered, or a process that is gone had given them back, and they stand written on pods whose
/// gates are open. What is planned beyond them all is given back, the last plans first; what runs
/// stays. All plans of a queue that takes no workloads any more are given back, too: it is gone, is
/// no leaf, is broken, or does not take pods of that namespace.
final class OverLimitPlans {
  private final Session session;
  private final QueueTree queues;
  private final long[][] overLimit; // by queue and resource; zero or less = none
  private final long[][] overQuota; // the same, of non-preemptible work

  private OverLimitPlans(Session session) {
    this.session = session;
    queues = session.queues();
    overLimit = new long[queues.size()][queues.width()];
    overQuota = new long[queues.size()][queues.width()];
    for (int q = 0; q < queues.size(); q++) {
      for (int r = 0; r < queues.width(); r++) {
        overLimit[q][r] = queues.allocated(q, r) - queues.limit(q, r);
        overQuota[q][r] =
            queues.isMeasured(q, r) ? queues.nonPreemptible(q, r) - queues.quota(q, r) : 0;
      }
    }
  }

  /// The plans to give back, of whole groups each.
  static List<Withdrawn> of(Snapshot snapshot, QueueName defaultQueue) {
    var session = Session.over(snapshot, defaultQueue);
    var excess = new OverLimitPlans(session);
    var plans = new ArrayList<Withdrawn>();
    var last = new ArrayList<Group>();
    for (Group group : session.groups()) {
      var planned = planned(group);
      if (planned.isEmpty()) {
        continue;
      }
      if (session.queueFlaw(group).isPresent()) {
        planned.forEach(seat -> plans.add(withdrawn(seat)));
        excess.lessen(group);
      } else if (group.queue() != QueueTree.NONE) {
        last.add(group);
      }
    }
    if (!excess.isAny()) {
      return Collections.unmodifiableList(plans);
    }
    last.sort(Comparator.comparing(OverLimitPlans::until).thenComparing(Group::key).reversed());
    for (Group group : last) {
      if (excess.takesBack(group)) {
        planned(group).forEach(seat -> plans.add(withdrawn(seat)));
      }
    }
    return plans;
  }

  private boolean isAny() {
    for (int q = 0; q < overLimit.length; q++) {
      for (int r = 0; r < overLimit[q].length; r++) {
        if (overLimit[q][r] > 0 || overQuota[q][r] > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// Takes the plans of a group off what is too much, if any of it is theirs.
  private boolean takesBack(Group group) {
    Charge charge = session.charges().now(planned(group));
    boolean fixed = !group.isPreemptible();
    boolean helps = false;
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        boolean asks = charge.of(r) > 0;
        helps |= asks && (overLimit[q][r] > 0 || fixed && overQuota[q][r] > 0);
      }
    }
    if (helps) {
      lessen(group);
    }
    return helps;
  }

  /// The plans of a group are no part of it any more.
  private void lessen(Group group) {
    if (group.queue() == QueueTree.NONE) {
      return;
    }
    Charge charge = session.charges().now(planned(group));
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        overLimit[q][r] -= charge.of(r);
        overQuota[q][r] -= group.isPreemptible() ? 0 : charge.of(r);
      }
    }
  }

  private static List<MemberState> planned(Group group) {
    return group.seats().stream().filter(seat -> seat.was() == MemberState.Was.PLANNED).toList();
  }

  private static Instant until(Group group) {
    return planned(group).stream()
        .map(seat -> withdrawn(seat).plan().until())
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  private static Withdrawn withdrawn(MemberState seat) {
    if (seat.member().standing() instanceof Standing.Planned(var plan, _)) {
      return new Withdrawn(seat.pod().uid(), seat.pod().key(), plan);
    }
    throw new IllegalStateException("not planned: " + seat);
  }
}
