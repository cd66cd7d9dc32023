package dev.berth.engine;

import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The groups ahead of each group that waits: those before it in the ordinary order that wait for
/// the same. Where a limit or a quota stands in its way these are the groups that the same queue
/// refuses, where it waits for room all that do. What waits for its own members, or for a
/// correction, is ahead of none, and none is ahead of it.
///
/// One pass over the groups that wait: O(groups).
final class QueuePosition {
  private final QueueTree queues;
  private final IdentityHashMap<Group, Ahead> ahead = new IdentityHashMap<>(); // looked up only
  private final Tail forRoom = new Tail();
  private final TreeMap<Integer, Tail> limits = new TreeMap<>(); // by queue
  private final TreeMap<Integer, Tail> quotas = new TreeMap<>(); // by queue

  /// The groups in a line so far.
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
    line(reason)
        .ifPresent(line -> {
          ahead.put(group, line.seen());
          line.add(group.key());
        });
  }

  private Optional<Tail> line(Reason reason) {
    return switch (reason) {
      case Reason.OverLimit over -> Optional.of(tail(limits, over.queue()));
      case Reason.NonPreemptibleOverQuota over -> Optional.of(tail(quotas, over.queue()));
      case Reason.NoRoom room -> room.mayBeMade() ? Optional.of(forRoom) : Optional.empty();
      case Reason.Starting _ -> Optional.empty();
      default -> reason.startsByItself() ? Optional.of(forRoom) : Optional.empty();
    };
  }

  private Tail tail(TreeMap<Integer, Tail> lines, QueueName queue) {
    return lines.computeIfAbsent(queues.find(queue), _ -> new Tail());
  }

  Ahead of(Group group) {
    return ahead.getOrDefault(group, Ahead.NONE);
  }
}
