package dev.berth.engine.fairness;

import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.Optional;
import java.util.PriorityQueue;

/// Whose turn it is: the waiting group that comes next, asked anew before every choice.
///
/// So far all queues are one line, in [WorkloadOrder]: shares of queues do not count yet.
public final class QueueOrder {
  private final PriorityQueue<Group> line = new PriorityQueue<>(WorkloadOrder.FIRST_TO_LAST);

  private QueueOrder(Session session) {
    line.addAll(session.waiting());
  }

  public static QueueOrder over(Session session) {
    return new QueueOrder(session);
  }

  /// Takes the next group out of the line; empty when all have had their turn.
  public Optional<Group> next() {
    return Optional.ofNullable(line.poll());
  }

  /// A group whose step succeeded stands in line again as long as somebody in it waits. While it
  /// stands there it does not change.
  public void again(Group group) {
    if (group.isWaiting()) {
      line.add(group);
    }
  }
}
