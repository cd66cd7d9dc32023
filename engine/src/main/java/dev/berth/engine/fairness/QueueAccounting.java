package dev.berth.engine.fairness;

import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueFlaws;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/// The state of the queues in a session as it is now, for reports. Nothing is counted here but
/// workloads; all amounts are those of [Session], [QueueTree] and [Shares].
public final class QueueAccounting {
  private final Session session;
  private final QueueTree queues;
  private final Shares shares;
  private final long[] pending;
  private final long[] running;

  private QueueAccounting(Session session, Shares shares) {
    this.session = session;
    this.queues = session.queues();
    this.shares = shares;
    this.pending = new long[queues.size()];
    this.running = new long[queues.size()];
    session.groups().forEach(this::count);
  }

  /// @param shares of the same session
  public static Accounts of(Session session, Shares shares) {
    return new QueueAccounting(session, shares).accounts();
  }

  private void count(Group group) {
    boolean lives = false;
    for (MemberState seat : group.seats()) {
      lives |= seat.isPlaced() || seat.isPending();
    }
    for (int q : queues.chain(lives ? group.queue() : QueueTree.NONE)) {
      pending[q] += group.isBelowMinimum() ? 1 : 0;
      running[q] += group.isBelowMinimum() ? 0 : 1;
    }
  }

  private Accounts accounts() {
    var total = new TreeMap<Resource, Long>();
    for (int r = 0; r < queues.width(); r++) {
      total.put(queues.resource(r), shares.total(r));
    }
    var accounts = new ArrayList<Account>();
    for (int q = 0; q < queues.size(); q++) {
      accounts.add(account(q));
    }
    return new Accounts(total, accounts, groups());
  }

  private TreeMap<GroupKey, SortedMap<Resource, Long>> groups() {
    var groups = new TreeMap<GroupKey, SortedMap<Resource, Long>>();
    for (Group group : session.groups()) {
      if (group.group().origin() == PodGroup.Origin.OBJECT) {
        var charge = session.charges().now(group.seats());
        var told = new TreeMap<Resource, Long>();
        for (int r = 0; r < charge.size(); r++) {
          if (charge.of(r) > 0) {
            told.put(queues.resource(r), charge.of(r));
          }
        }
        if (!told.isEmpty()) {
          groups.put(group.key(), told);
        }
      }
    }
    return groups;
  }

  private Account account(int q) {
    return new Account(
        queues.queue(q),
        told(q, r -> queues.allocated(q, r)),
        told(q, r -> queues.nonPreemptible(q, r)),
        told(q, r -> shares.requested(q, r)),
        told(q, r -> shares.share(q, r)),
        Amounts.of(told(q, r -> beyondQuota(q, r))),
        pending[q],
        running[q],
        flaws(q));
  }

  private TreeMap<Resource, Long> told(int q, IntToLongFunction amount) {
    var told = new TreeMap<Resource, Long>();
    for (int r = 0; r < queues.width(); r++) {
      if (queues.tells(q, r)) {
        told.put(queues.resource(r), amount.applyAsLong(r));
      }
    }
    return told;
  }

  private long beyondQuota(int q, int r) {
    long quota = queues.quota(q, r);
    return quota == Queue.UNLIMITED ? 0 : Math.max(0, queues.allocated(q, r) - quota);
  }

  private List<Reason> flaws(int q) {
    return QueueFlaws.of(queues, q).map(List::of).orElse(List.of());
  }
}
