package dev.berth.engine.fairness;

import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// The ordinary order ([QueueOrder]) for several actions one after the other. As long as no pod
/// gets or loses a place in between, the same groups have the same order, and it is looked up once.
public final class Orders {
  private static final long NEVER = -1;

  private final Session session;
  private final Shares shares;

  private long version = NEVER; // of queues, for which the following holds
  private List<Group> groups = List.of();
  private List<Group> known = new ArrayList<>(); // the order as far as it was asked for
  private QueueOrder rest; // stands behind those

  public Orders(Session session, Shares shares) {
    this.session = session;
    this.shares = shares;
    rest = QueueOrder.of(session, shares, groups);
  }

  /// @param waiting the groups that are to have a turn; not to be changed afterwards
  public Cursor over(List<Group> waiting) {
    if (version != now() || !areSame(groups, waiting)) {
      version = now();
      groups = waiting;
      known = new ArrayList<>();
      rest = QueueOrder.of(session, shares, waiting);
    }
    return new Cursor(known, version, waiting);
  }

  private long now() {
    return session.queues().version();
  }

  private static boolean areSame(List<Group> some, List<Group> others) {
    boolean same = some.size() == others.size();
    for (int i = 0; same && i < some.size(); i++) {
      same = some.get(i) == others.get(i);
    }
    return same;
  }

  /// Whose turn it is, for one action.
  public final class Cursor {
    private final List<Group> order;
    private final long since;
    private final List<Group> waiting;
    private int at;
    private Optional<QueueOrder> own = Optional.empty();

    private Cursor(List<Group> order, long since, List<Group> waiting) {
      this.order = order;
      this.since = since;
      this.waiting = waiting;
    }

    /// Takes the next group out of the line; empty when all have had their turn.
    public Optional<Group> next() {
      if (own.isEmpty() && (now() != since || order != known)) {
        goOnAlone();
      }
      if (own.isPresent()) {
        return own.get().next();
      }
      if (at == order.size()) {
        var next = rest.next();
        next.ifPresent(order::add);
        at += next.isPresent() ? 1 : 0;
        return next;
      }
      return Optional.of(order.get(at++));
    }

    /// A group whose step succeeded is lined up again as long as a member of it waits. While it is
    /// lined up it does not change.
    public void again(Group group) {
      if (own.isEmpty()) {
        goOnAlone();
      }
      own.orElseThrow().again(group);
    }

    /// Something changed: what comes is not what the others were told.
    private void goOnAlone() {
      if (order == known && at == order.size()) {
        own = Optional.of(rest);
        version = NEVER;
      } else {
        var behind = new ArrayList<>(waiting);
        var had = new HashSet<>(order.subList(0, at)); // by identity
        behind.removeIf(had::contains);
        var others = QueueOrder.of(session, shares, behind);
        others.after(order.subList(0, at));
        own = Optional.of(others);
      }
    }
  }
}
