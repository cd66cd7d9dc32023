package dev.berth.extender.rest.state;

import dev.berth.engine.explain.Receipt.QueueAmounts;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.List;

/// What a plan decided of the pods of one queue that leave for one workload; shared by their
/// receipts.
///
/// @param at the time of the plan
/// @param victims pods that leave for that workload, of whatever queue
/// @param named the first of these, [#MOST_NAMED] at most
/// @param queues how the queue and that of the workload stand before the plan and after all of it,
///   with all above them
public record EvictionPlan(Instant at, int victims, List<Leaver> named, List<QueueAmounts> queues) {
  public static final int MOST_NAMED = 50;

  /// Stands for "not known".
  public static final EvictionPlan NONE = new EvictionPlan(Instant.MIN, 0, List.of(), List.of());

  private static final int BYTES_OF_LEAVER = 120;
  private static final int BYTES_OF_AMOUNTS = 100;

  public EvictionPlan {
    named = List.copyOf(named);
    queues = List.copyOf(queues);
  }

  /// A pod that leaves.
  ///
  /// @param isMoved it is placed elsewhere by the same plan
  public record Leaver(PodKey pod, QueueName queue, boolean isMoved) {}

  public boolean isNone() {
    return victims == 0;
  }

  /// Memory that it takes; estimated, with the names.
  long bytes() {
    long bytes = (long) BYTES_OF_AMOUNTS * queues.size();
    for (Leaver each : named) {
      bytes += BYTES_OF_LEAVER + each.pod().namespace().length() + each.pod().name().length();
    }
    return bytes;
  }
}
