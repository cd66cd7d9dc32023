package dev.berth.engine.fairness;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Usage;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;

/// The shares of all queues, divided for each resource on its own, from the root downwards;
/// children divide what their parent got. Divided once a round: they stand still while *allocated*
/// follows every step of the plan.
///
/// Queues and resources by their number in [Session#queues]. Broken queues have share 0 and disturb
/// no other. O(queues × resources), and one pass over the nodes where these changed.
public final class Shares {
  private static final long DEVICE = 1000;

  private final QueueTree queues;
  private final long[] total;
  private final long[][] share;
  private final long[][] requested;

  private Shares(Session session, FairShareSettings settings) {
    queues = session.queues();
    total = Capacity.of(session);
    share = new long[queues.size()][queues.width()];
    requested = new long[queues.size()][queues.width()];
    for (int q = 0; q < queues.size(); q++) {
      for (int r = 0; r < queues.width(); r++) {
        requested[q][r] = Charge.sum(queues.allocated(q, r), queues.pending(q, r));
      }
    }
    divide(session, settings);
  }

  /// Shares in the session as it is now.
  public static Shares of(Session session, FairShareSettings settings) {
    return new Shares(session, settings);
  }

  private void divide(Session session, FairShareSettings settings) {
    divideAmong(queues.roots(), total, session, settings);
    var parents = new ArrayDeque<Integer>();
    for (int q : queues.roots()) {
      parents.add(q);
    }
    while (!parents.isEmpty()) {
      int parent = parents.remove();
      divideAmong(queues.children(parent), share[parent], session, settings);
      for (int q : queues.children(parent)) {
        parents.add(q);
      }
    }
  }

  private void divideAmong(
      int[] siblings, long[] amounts, Session session, FairShareSettings settings) {
    for (int r = 0; r < queues.width() && siblings.length > 0; r++) {
      var claims = new ArrayList<FairShareClaim>(siblings.length);
      for (int q : siblings) {
        claims.add(claim(q, r, session.snapshot().usage()));
      }
      long unit = queues.resource(r).isGpuOfQueues() ? DEVICE : 1;
      var shares = FairShare.divide(amounts[r], unit, settings.k(), claims);
      for (int i = 0; i < siblings.length; i++) {
        share[siblings[i]][r] = shares[i];
      }
    }
  }

  private FairShareClaim claim(int q, int r, Usage usage) {
    var queue = queues.queue(q);
    return new FairShareClaim(
        queue.name(),
        queue.created(),
        queue.priority(),
        queues.quota(q, r),
        queues.limit(q, r),
        requested[q][r],
        queues.weight(q, r),
        usage.of(queue.name(), queues.resource(r)));
  }

  /// What the queue is owed now.
  public long share(int queue, int resource) {
    return share[queue][resource];
  }

  /// What the queue may have before it has more than it should: the limit if the quota is
  /// unlimited, else min(limit, max(quota, share)). [Queue#UNLIMITED] where nothing bounds it.
  public long allocatable(int queue, int resource) {
    long quota = queues.quota(queue, resource);
    long limit = queues.limit(queue, resource);
    return quota == Queue.UNLIMITED
        ? limit
        : Math.min(limit, Math.max(quota, share[queue][resource]));
  }

  /// What there is to divide.
  public long total(int resource) {
    return total[resource];
  }

  /// Allocated + pending of all workloads of the queue and of those below it. All pending pods
  /// count, also of groups that cannot start. Terminating pods do not, but for those that leave for
  /// others and come back. Limits of descendants are not applied.
  public long requested(int queue, int resource) {
    return requested[queue][resource];
  }
}
