package dev.berth.engine.fairness;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Instant;

/// One queue's case.
///
/// @param quota [Queue#UNLIMITED] = the whole amount
/// @param limit [Queue#UNLIMITED] = none
/// @param request allocated + pending
/// @param weight over-quota weight; 0 = gets none
/// @param usage decayed past use / capacity
record FairShareClaim(
    QueueName name,
    Instant created,
    int priority,
    long quota,
    long limit,
    long request,
    double weight,
    double usage) {
  FairShareClaim {
    if (!(weight >= 0 && weight <= 1e9 && usage >= 0)) {
      throw new IllegalArgumentException(name + " has weight " + weight + ", usage " + usage);
    }
  }

  long requestable() {
    return Math.max(0, Math.min(limit, request));
  }
}
