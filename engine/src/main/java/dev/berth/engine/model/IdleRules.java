package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The idle rules that hold in a queue.
public final class IdleRules {
  private IdleRules() {}

  /// Its own first, then that of its parent, and so on.
  ///
  /// @param queues a lookup by name
  public static List<IdleRule> in(QueueName leaf, Function<QueueName, Optional<Queue>> queues) {
    var rules = new ArrayList<IdleRule>(2);
    for (Queue queue : QueueChain.of(leaf, queues)) {
      if (!queue.idle().isNone()) {
        rules.add(queue.idle());
      }
    }
    return rules;
  }
}
