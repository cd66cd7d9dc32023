package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.GroupSpecResolver;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.PodUid;
import java.util.Collection;
import java.util.Map;

/// Which pods owners are looked up for. Any thread.
final class GroupablePods {
  private final LedgerReader ledger;
  private final Collection<String> schedulers;

  /// @param schedulers names whose pods are Berth's
  GroupablePods(LedgerReader ledger, Collection<String> schedulers) {
    this.ledger = ledger;
    this.schedulers = schedulers;
  }

  boolean isOurs(Map<String, ?> pod) {
    return pod.get("spec") instanceof Map<?, ?> spec
        && spec.get("schedulerName") instanceof String scheduler
        && schedulers.contains(scheduler);
  }

  /// Whether the ledger, which heard of it before this process, has not taken it: that pod is gone,
  /// or was seen later.
  boolean isLate(KubeObject pod, Map<String, ?> object) {
    return ledger
        .pod(new PodUid(pod.uid()))
        .filter(known -> known.version() == 0 || isVersion(known.version(), object))
        .isEmpty();
  }

  private static boolean isVersion(long version, Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
        && Long.toString(version).equals(metadata.get("resourceVersion"));
  }

  /// A pod that names a group of Berth, or has no owner. One that another scheduler bound is looked
  /// at all the same, for the sake of younger pods of its owners: it may have been named there. A
  /// pod with a plan of Berth's is not, as tenants may edit owners, and would strand gangs of
  /// others with it.
  boolean isLeftToItself(KubeObject pod) {
    if (GroupSpecResolver.ourGroup(pod).isNone()) {
      return pod.owners().isEmpty() && GroupSpecResolver.named(pod).isEmpty();
    }
    return ledger
        .pod(new PodUid(pod.uid()))
        .filter(known -> known.isBound() && known.written().plan().isNone())
        .isEmpty();
  }
}
