package dev.berth.engine.session;

import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether a queue and its ancestors have room for more: within their limits, and work that stays
/// for good within their quotas.
public final class QueueLimits {
  private QueueLimits() {}

  /// The first level, from the leaf to the root, that has no room for `charge` more of a group.
  public static Optional<Reason> refusal(QueueTree queues, Group group, Charge charge) {
    boolean mayBorrow = group.mayBorrow();
    for (int q : queues.chain(group.queue())) {
      for (int r = 0; r < queues.width(); r++) {
        long asked = charge.of(r);
        if (isBeyondLimit(queues, q, r, asked)) {
          return Optional.of(
              new Reason.OverLimit(
                  queues.queue(q).name(),
                  queues.resource(r),
                  queues.allocated(q, r),
                  asked,
                  queues.limit(q, r),
                  beyondLimit(queues, q, r + 1, charge)));
        }
        if (!mayBorrow && isBeyondQuota(queues, q, r, asked)) {
          return Optional.of(
              new Reason.NonPreemptibleOverQuota(
                  queues.queue(q).name(),
                  queues.resource(r),
                  queues.nonPreemptible(q, r),
                  asked,
                  queues.quota(q, r),
                  beyondQuota(queues, q, r + 1, charge),
                  stays(group)));
        }
      }
    }
    return Optional.empty();
  }

  private static Reason.Stays stays(Group group) {
    var said = group.group();
    return new Reason.Stays(
        said.preemptibilitySource(), said.priority(), group.isSemiPreemptible());
  }

  private static List<Reason.Excess> beyondLimit(QueueTree queues, int q, int from, Charge charge) {
    var more = new ArrayList<Reason.Excess>();
    for (int r = from; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondLimit(queues, q, r, asked)) {
        more.add(
            new Reason.Excess(
                queues.resource(r), queues.allocated(q, r), asked, queues.limit(q, r)));
      }
    }
    return more;
  }

  private static List<Reason.Excess> beyondQuota(QueueTree queues, int q, int from, Charge charge) {
    var more = new ArrayList<Reason.Excess>();
    for (int r = from; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondQuota(queues, q, r, asked)) {
        more.add(
            new Reason.Excess(
                queues.resource(r), queues.nonPreemptible(q, r), asked, queues.quota(q, r)));
      }
    }
    return more;
  }

  /// Whether non-preemptible work would stay within quota on every level.
  public static boolean keepNonPreemptibleQuota(QueueTree queues, int leaf, Charge charge) {
    for (int q : queues.chain(leaf)) {
      for (int r = 0; r < queues.width(); r++) {
        if (isBeyondQuota(queues, q, r, charge.of(r))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isBeyondLimit(QueueTree queues, int q, int r, long asked) {
    return asked > 0 && Charge.sum(queues.allocated(q, r), asked) > queues.limit(q, r);
  }

  /// Of work that stays for good.
  private static boolean isBeyondQuota(QueueTree queues, int q, int r, long asked) {
    return asked > 0
        && queues.isMeasured(q, r)
        && Charge.sum(queues.nonPreemptible(q, r), asked) > queues.quota(q, r);
  }
}
