package dev.berth.engine.session;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whether a queue and its ancestors have room for more: within their limits, and work that stays
/// for good within their quotas.
public final class QueueLimits {
  private QueueLimits() {}

  /// The first level, from the leaf to the root, that has no room for `charge` more of a group,
  /// with all others besides: as long as one of them has none, room on another does not help.
  public static Optional<Reason> refusal(QueueTree queues, Group group, Charge charge) {
    for (int q : queues.chain(group.queue())) {
      if (isBeyond(queues, q, group, charge)) {
        return Optional.of(told(queues, group, charge));
      }
    }
    return Optional.empty();
  }

  private static boolean isBeyond(QueueTree queues, int q, Group group, Charge charge) {
    boolean mayBorrow = group.mayBorrow();
    for (int r = 0; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondLimit(queues, q, r, asked) || !mayBorrow && isBeyondQuota(queues, q, r, asked)) {
        return true;
      }
    }
    return false;
  }

  private static Reason told(QueueTree queues, Group group, Charge charge) {
    var all = new ArrayList<Reason>();
    for (int q : queues.chain(group.queue())) {
      var beyondLimit = beyondLimit(queues, q, charge);
      if (!beyondLimit.isEmpty()) {
        all.add(overLimit(queues.queue(q).name(), beyondLimit));
      }
      var beyondQuota =
          group.mayBorrow() ? List.<Reason.ExceededResource>of() : beyondQuota(queues, q, charge);
      if (!beyondQuota.isEmpty()) {
        all.add(overQuota(queues.queue(q).name(), beyondQuota, group));
      }
    }
    var besides = all.subList(1, all.size());
    return switch (all.getFirst()) {
      case Reason.OverLimit over -> over.besides(besides);
      case Reason.NonPreemptibleOverQuota over -> over.besides(besides);
      default -> all.getFirst();
    };
  }

  private static Reason overLimit(QueueName queue, List<Reason.ExceededResource> all) {
    var first = all.getFirst();
    return new Reason.OverLimit(
        queue,
        first.resource(),
        first.used(),
        first.asked(),
        first.most(),
        all.subList(1, all.size()));
  }

  private static Reason overQuota(QueueName queue, List<Reason.ExceededResource> all, Group group) {
    var first = all.getFirst();
    return new Reason.NonPreemptibleOverQuota(
        queue,
        first.resource(),
        first.used(),
        first.asked(),
        first.most(),
        all.subList(1, all.size()),
        stays(group));
  }

  private static Reason.Stays stays(Group group) {
    var said = group.group();
    return new Reason.Stays(
        said.preemptibilitySource(), said.priority(), group.isSemiPreemptible());
  }

  private static List<Reason.ExceededResource> beyondLimit(QueueTree queues, int q, Charge charge) {
    var more = new ArrayList<Reason.ExceededResource>();
    for (int r = 0; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondLimit(queues, q, r, asked)) {
        more.add(
            new Reason.ExceededResource(
                queues.resource(r), queues.allocated(q, r), asked, queues.limit(q, r)));
      }
    }
    return more;
  }

  private static List<Reason.ExceededResource> beyondQuota(QueueTree queues, int q, Charge charge) {
    var more = new ArrayList<Reason.ExceededResource>();
    for (int r = 0; r < queues.width(); r++) {
      long asked = charge.of(r);
      if (isBeyondQuota(queues, q, r, asked)) {
        more.add(
            new Reason.ExceededResource(
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
