package dev.berth.cli.counterfactual;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which queues of a file are other than in a log.
final class QueueChanges {
  private QueueChanges() {}

  /// Those that differ in anything but what the API server writes, at any moment of the log.
  static SortedMap<QueueName, Queue> among(
      SortedMap<QueueName, Queue> queues, LoggedTraffic traffic) {
    var changed = new TreeMap<QueueName, Queue>();
    for (Queue queue : queues.values()) {
      boolean isSame = traffic.queues().containsKey(queue.name());
      var like = queue;
      for (LoggedTraffic.Event event : traffic.events()) {
        if (event.fact() instanceof Fact.QueueSeen(var logged)
            && logged.name().equals(queue.name())) {
          like = queue.of(logged.version(), logged.generation(), logged.created());
          isSame &= like.equals(logged);
        }
      }
      if (!isSame) {
        changed.put(queue.name(), like);
      }
    }
    return changed;
  }
}
