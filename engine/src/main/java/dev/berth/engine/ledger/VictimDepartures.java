package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.PendingEvictions;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Which pods have to leave before a plan may go on: its victims, those of other plans below the
/// same limit, and deleted pods that count towards that limit until they are gone.
final class VictimDepartures {
  private final PodRecords pods;
  private final LimitHeadroom limits;

  VictimDepartures(PodRecords pods, LimitHeadroom limits) {
    this.pods = pods;
    this.limits = limits;
  }

  /// Plans with closed gates that wait for evictions.
  List<PendingEvictions> pendingEvictions(Collection<PodUid> planned) {
    var all = new ArrayList<PendingEvictions>(0);
    for (PodUid uid : planned) {
      pods.find(uid)
          .filter(PodRecord::isBehindItsGate)
          .flatMap(this::pendingEvictions)
          .ifPresent(all::add);
    }
    return all;
  }

  private Optional<PendingEvictions> pendingEvictions(PodRecord entry) {
    boolean hasRoom = entry.charge.node().holdsNow(entry);
    var leaving = new LinkedHashSet<PodRecord>();
    var left = new ArrayList<PodUid>();
    for (PodRecord victim : entry.victims) {
      boolean gone = victim.charge.node() == NodeUsage.NOWHERE;
      if (gone) {
        left.add(victim.pod.uid());
      }
      if (!gone && (!hasRoom || entry.minds() || LimitHeadroom.isToBeAsked(victim))) {
        leaving.add(victim);
      }
    }
    if (entry.afterOthers) {
      leaving.addAll(limits.toBeAskedFor(entry));
    }
    entry.awaited.forEach((other, plan) -> {
      if (mayRun(other, plan)) {
        leaving.add(other);
      }
    });
    if (hasRoom && leaving.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PendingEvictions(
            entry.account().key,
            entry.pod.uid(),
            entry.plan().placement().node(),
            leaving.stream().map(victim -> victim.pod).toList(),
            left));
  }

  boolean othersMadeWay(PodRecord entry) {
    return (!entry.minds() || haveLeft(entry.victims))
        && areAllEvictionsAsked(entry)
        && entry.awaited.entrySet().stream()
            .noneMatch(other -> mayRun(other.getKey(), other.getValue()));
  }

  /// A victim may leave because of a limit, even if there is room beside it. So it counts until it
  /// is evicted, for its preemptor and for all plans that the limit admits only then: once the
  /// preemptor is bound, the victim would no longer be evicted.
  private boolean areAllEvictionsAsked(PodRecord entry) {
    for (PodRecord victim : entry.victims) {
      if (LimitHeadroom.isToBeAsked(victim)) {
        return false;
      }
    }
    return !entry.afterOthers || !limits.isAnyToBeAskedFor(entry);
  }

  /// A kubelet that responds ends a deleted pod within its grace, even if finalizers keep the
  /// object.
  ///
  /// @param plan that it may run by; `NONE` = it is bound
  private static boolean mayRun(PodRecord entry, WrittenPlan plan) {
    var node = entry.charge.node();
    return node != NodeUsage.NOWHERE
        && node.isReady()
        && (plan.isNone() || entry.plan().equals(plan));
  }

  private static boolean haveLeft(List<PodRecord> victims) {
    for (PodRecord victim : victims) {
      if (victim.charge.node() != NodeUsage.NOWHERE) {
        return false;
      }
    }
    return true;
  }
}
