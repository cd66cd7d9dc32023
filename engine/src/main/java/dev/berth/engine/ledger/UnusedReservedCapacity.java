package dev.berth.engine.ledger;

import dev.berth.engine.ledger.FailureCounts.Failed;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.Pauses;
import dev.berth.engine.model.Workload;
import java.time.Instant;

/// Plans that ended unbound while kube-scheduler waited, or after it had waited, for a volume that
/// did not come. It keeps the room meanwhile, and no eviction can free it. The workload borrows
/// nothing for a while after each ([FailureCounts]); since workloads are cheap to create anew, all
/// of a namespace does from the fifth on.
///
/// Nothing makes up for it: a plan that is bound had its volume, whatever others waited for. What a
/// queue is owed it gets all the same.
final class UnusedReservedCapacity {
  /// So many workloads of a namespace may keep room in vain before others of it borrow no more.
  private static final int FREE = 4;

  private final FailureCounts<Workload> workloads = new FailureCounts<>();
  private final FailureCounts<String> namespaces = new FailureCounts<>();

  void fails(Workload workload, Instant now) {
    String namespace = workload.namespace();
    if (workloads.find(workload).isEmpty()) {
      fails(namespaces, namespace, namespace, FREE, now);
    }
    fails(workloads, workload, "", 0, now);
  }

  private static <K> void fails(
      FailureCounts<K> counts, K key, String namespace, int free, Instant now) {
    int failures = 1 + counts.find(key).map(Failed::failures).orElse(0);
    int steps = Math.max(failures - free, 0);
    var until = now.plus(FailureCounts.pause(steps));
    counts.fails(key, new Failed(now, 0, steps, new Backoff(namespace, failures, "", until)));
  }

  boolean forgetUntil(Instant now) {
    return workloads.forgetUntil(now) | namespaces.forgetUntil(now);
  }

  Pauses pauses() {
    return new Pauses(workloads.pauses(), namespaces.pauses());
  }
}
