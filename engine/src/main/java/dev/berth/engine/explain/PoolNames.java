package dev.berth.engine.explain;

import dev.berth.engine.model.QueueName;
import java.util.Optional;

/// Node pools in sentences.
public final class PoolNames {
  private PoolNames() {}

  /// `research in pool h100`; `research` where no pool is told.
  static String of(QueueName queue, Optional<String> pool) {
    return queue + pool.map(name -> " " + in(name)).orElse("");
  }

  /// `in pool h100`; of the nodes without the label of pools, `on nodes without a pool`.
  public static String in(String pool) {
    return pool.isEmpty() ? "on nodes without a pool" : "in pool " + pool;
  }
}
