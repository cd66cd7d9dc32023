package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A queue and the queues above it.
public final class QueueChain {
  private QueueChain() {}

  /// The queue first, then its parent, and so on. What is missing, and what comes again on a way up
  /// that leads in a circle, ends the way.
  ///
  /// @param queues a lookup by name
  public static List<Queue> of(QueueName leaf, Function<QueueName, Optional<Queue>> queues) {
    var chain = new ArrayList<Queue>(4);
    var at = queues.apply(leaf);
    while (at.isPresent() && !hasSame(chain, at.get())) {
      chain.add(at.get());
      at = parent(at, queues);
    }
    return chain;
  }

  private static boolean hasSame(List<Queue> chain, Queue queue) {
    for (Queue each : chain) {
      if (each == queue) {
        return true;
      }
    }
    return false;
  }

  private static Optional<Queue> parent(
      Optional<Queue> queue, Function<QueueName, Optional<Queue>> queues) {
    return queue.map(Queue::parent).filter(name -> !name.isNone()).flatMap(queues);
  }
}
