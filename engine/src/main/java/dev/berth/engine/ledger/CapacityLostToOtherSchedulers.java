package dev.berth.engine.ledger;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.KeptRoom;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// Plans whose victims left, and whose room pods of another scheduler took before the Binding. What
/// is free of it by then was taken back from queues that had borrowed it. These queues leave as
/// much room free for a while, until the workload starts: else they would have it back before the
/// other pods go, and the workload, which backs off, would have to evict them once more. More than
/// that they may borrow: else a pod of one GPU could idle all GPUs of a cluster.
final class CapacityLostToOtherSchedulers {
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private static final String WORDS = "others took room for which pods of this queue were evicted";

  private final LinkedHashMap<Workload, Taken> taken = new LinkedHashMap<>(); // oldest first

  private record Taken(SortedSet<QueueName> losers, long gpus, Instant until) {}

  void fails(EvictingClaim claim, Instant now) {
    taken.remove(claim.workload());
    if (!claim.losers().isEmpty()) {
      taken.put(claim.workload(), new Taken(claim.losers(), claim.gpus(), now.plus(PAUSE)));
    }
  }

  /// A pod of it is bound.
  ///
  /// @return whether a queue may borrow again
  boolean ends(Workload workload) {
    return taken.remove(workload) != null;
  }

  /// @return whether any queue may borrow again
  boolean forgetUntil(Instant now) {
    boolean any = false;
    while (!taken.isEmpty() && !taken.firstEntry().getValue().until.isAfter(now)) {
      taken.pollFirstEntry();
      any = true;
    }
    return any;
  }

  SortedMap<QueueName, KeptRoom> pauses() {
    if (taken.isEmpty()) {
      return Collections.emptySortedMap();
    }
    var pauses = new TreeMap<QueueName, KeptRoom>();
    for (Taken each : taken.values()) { // the latest last
      var kept = new KeptRoom(new Backoff("", 1, WORDS, each.until), each.gpus);
      each.losers.forEach(queue -> pauses.merge(queue, kept, CapacityLostToOtherSchedulers::both));
    }
    return pauses;
  }

  private static KeptRoom both(KeptRoom one, KeptRoom later) {
    boolean isCounted = one.gpus() > 0 && later.gpus() > 0;
    return new KeptRoom(later.backoff(), isCounted ? one.gpus() + later.gpus() : 0);
  }
}
