package dev.berth.engine;

import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeMap;

/// Who is ahead of each group that waits: those before it in the ordinary order who wait for the
/// same. Where a limit or a quota stands in its way these are the groups of that queue and below
/// it, else all groups.
///
/// One pass over those who wait: O(groups × depth of the tree).
final class QueuePosition {
  private final QueueTree queues;
  private final IdentityHashMap<Group, Ahead> ahead = new IdentityHashMap<>(); // looked up only
  private final Tail everybody = new Tail();
  private final TreeMap<Integer, Tail> byQueue = new TreeMap<>();

  /// Those who stand in a line so far.
  private static final class Tail {
    private final List<GroupKey> first = new ArrayList<>();
    private int count;

    void add(GroupKey key) {
      count++;
      if (first.size() < Ahead.NAMED) {
        first.add(key);
      }
    }

    Ahead seen() {
      return new Ahead(first, count);
    }
  }

  private QueuePosition(Session session) {
    queues = session.queues();
    for (Group group : session.refused()) {
      if (!group.hasNewPlaces()) {
        session.reason(group).ifPresent(reason -> stand(group, reason));
      }
    }
  }

  static QueuePosition of(Session session) {
    return new QueuePosition(session);
  }

  private void stand(Group group, Reason reason) {
    ahead.put(group, line(reason).seen());
    everybody.add(group.key());
    for (int q : queues.chain(group.queue())) {
      tail(q).add(group.key());
    }
  }

  private Tail line(Reason reason) {
    if (reason instanceof Reason.OverLimit over) {
      return tail(queues.find(over.queue()));
    }
    return reason instanceof Reason.NonPreemptibleOverQuota over
        ? tail(queues.find(over.queue()))
        : everybody;
  }

  private Tail tail(int queue) {
    return byQueue.computeIfAbsent(queue, _ -> new Tail());
  }

  Ahead of(Group group) {
    return ahead.getOrDefault(group, Ahead.NOBODY);
  }
}
