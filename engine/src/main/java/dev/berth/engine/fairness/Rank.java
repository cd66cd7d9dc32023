package dev.berth.engine.fairness;

import dev.berth.engine.model.Queue;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.QueueTree;

/// How a queue stands among its siblings with one workload; the first difference decides:
///
/// 1. not over its fair share before over it (over: allocated more than its share in all
///    resources);
/// 2. within quota in all resources with this workload;
/// 3. higher queue priority;
/// 4. with this workload, uses no resource of which its allocatable share is zero;
/// 5. smaller dominant share with the workload: the largest of allocated / allocatable share;
/// 6. smaller dominant share without it;
/// 7. smaller allocatable share: nowhere more and somewhere less;
/// 8. older queue, then name.
///
/// @param dominantWith an unlimited share counts as the cluster's total, a share of zero makes the
///   allocated amount, in devices, cores or bytes, a thousandfold
record Rank(
    int queue,
    boolean over,
    boolean withinQuota,
    int priority,
    boolean clean,
    double dominantWith,
    double dominantWithout) {
  /// Not looked at yet.
  static final Rank NONE = new Rank(-1, false, false, 0, false, 0, 0);

  /// Of a queue whose next step is to be placed.
  static Rank toPlace(QueueTree queues, Shares shares, int q, Charge step) {
    return of(queues, shares, q, step, 1);
  }

  /// Of a queue with victims: rules 2 and 4 look at what is allocated.
  ///
  /// @param leaving those chosen already in this queue, and the next one
  static Rank toLeave(QueueTree queues, Shares shares, int q, Charge leaving) {
    return of(queues, shares, q, leaving, -1);
  }

  private static Rank of(QueueTree queues, Shares shares, int q, Charge change, int sign) {
    boolean over = true;
    boolean withinQuota = true;
    boolean clean = true;
    double with = 0;
    double without = 0;
    for (int r = 0; r < queues.width(); r++) {
      long now = queues.allocated(q, r);
      long then = now + sign * change.of(r);
      long judged = sign > 0 ? then : now;
      long share = shares.share(q, r);
      long allocatable = shares.allocatable(q, r);
      if (!queues.isBasic(r) && judged == 0 && share == 0) {
        continue; // a resource that only others name
      }
      over &= now > share;
      withinQuota &= judged <= queues.quota(q, r);
      clean &= judged <= 0 || allocatable > 0;
      with = Math.max(with, ratio(queues, shares, r, then, allocatable));
      without = Math.max(without, ratio(queues, shares, r, now, allocatable));
    }
    return new Rank(q, over, withinQuota, queues.queue(q).priority(), clean, with, without);
  }

  private static double ratio(QueueTree queues, Shares shares, int r, long amount, long share) {
    if (amount <= 0) {
      return 0;
    }
    if (share == 0) {
      return 1000.0 * amount / (queues.resource(r).isGpuOfQueues() ? 1000 : 1);
    }
    long whole = share == Queue.UNLIMITED ? shares.total(r) : share;
    return whole == 0 ? 1000.0 * amount : (double) amount / whole;
  }

  /// Negative where `a` comes first; [OrderRule#of] tells the rule.
  static int compare(QueueTree queues, Shares shares, Rank a, Rank b) {
    int measured = measured(a, b);
    if (measured != 0) {
      return measured;
    }
    int smaller = smallerShare(queues, shares, a.queue, b.queue);
    if (smaller != 0) {
      return OrderRule.ALLOCATABLE.answer(smaller);
    }
    int older = queues.queue(a.queue).created().compareTo(queues.queue(b.queue).created());
    return older != 0
        ? OrderRule.QUEUE_AGE.answer(older)
        : OrderRule.QUEUE_NAME.answer(Integer.compare(a.queue, b.queue));
  }

  private static int measured(Rank a, Rank b) {
    if (a.over != b.over) {
      return OrderRule.QUEUE_OVER_SHARE.answer(Boolean.compare(a.over, b.over));
    }
    if (a.withinQuota != b.withinQuota) {
      return OrderRule.QUEUE_QUOTA.answer(Boolean.compare(b.withinQuota, a.withinQuota));
    }
    if (a.priority != b.priority) {
      return OrderRule.QUEUE_PRIORITY.answer(Integer.compare(b.priority, a.priority));
    }
    if (a.clean != b.clean) {
      return OrderRule.QUEUE_NO_SHARE.answer(Boolean.compare(b.clean, a.clean));
    }
    int with = Double.compare(a.dominantWith, b.dominantWith);
    return with != 0
        ? OrderRule.SHARE_WITH.answer(with)
        : OrderRule.SHARE_WITHOUT.answer(Double.compare(a.dominantWithout, b.dominantWithout));
  }

  Precedence.Standpoint told(QueueTree queues) {
    return new Precedence.Standpoint(
        queues.queue(queue).name(),
        over,
        withinQuota,
        priority,
        clean,
        dominantWith,
        dominantWithout);
  }

  private static int smallerShare(QueueTree queues, Shares shares, int a, int b) {
    boolean less = false;
    boolean more = false;
    for (int r = 0; r < queues.width(); r++) {
      less |= shares.allocatable(a, r) < shares.allocatable(b, r);
      more |= shares.allocatable(a, r) > shares.allocatable(b, r);
    }
    return less == more ? 0 : less ? -1 : 1;
  }
}
