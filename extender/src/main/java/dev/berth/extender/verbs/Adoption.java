package dev.berth.extender.verbs;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.extender.barrier.Later;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Takes a pod without a plan into the ledger, on the node that kube-scheduler chose for it: a pod
/// that came without a gate, or one of another scheduler.
///
/// One at a time, so that of two pods that each fit their queue's limit alone only one gets in.
public final class Adoption {
  private final Ledger ledger;
  private final Cases cases;
  private final Ungated ungated;
  private final Later later;
  private final Duration keep;

  /// @param keep how long the plan is kept until the Binding is written
  public Adoption(Ledger ledger, Cases cases, Ungated ungated, Later later, Duration keep) {
    this.ledger = ledger;
    this.cases = cases;
    this.ungated = ungated;
    this.later = later;
    this.keep = keep;
  }

  /// Assumes a plan for the pod there.
  ///
  /// @return why not, as a constant text; empty = it has a plan now
  synchronized Optional<String> adopt(Pod pod, NodeName node) {
    return switch (cases.of(pod)) {
      case Case.Planned _, Case.Bound _ -> Optional.empty(); // somebody was faster
      case Case.Over _ -> Optional.of("has finished");
      case Case.Queued _ -> Optional.of("waits in its queue");
      case Case.Alone _, Case.Foreign _ -> assume(pod, node);
    };
  }

  private Optional<String> assume(Pod pod, NodeName node) {
    var now = later.instant();
    var snapshot = ledger.snapshot(now);
    if (ungated.judge(snapshot, pod, List.of(node)).getFirst()
        instanceof Ungated.Judgement.Refused(String code, _)) {
      return Optional.of(code);
    }
    Optional<Placement> placement = ungated.placeOn(snapshot, pod, node);
    if (placement.isEmpty()) {
      return Optional.of("NoRoom");
    }
    var group =
        ledger
            .groupOf(pod.uid())
            .map(PodGroup::key)
            .orElse(new GroupKey(pod.key().namespace(), pod.key().name()));
    var reserved = new Decision.Reserved(pod.uid(), pod.key(), placement.get());
    var reserve = new Decision.Reserve(group, List.of(reserved), List.of(), List.of());
    return ledger.assume(reserve, now.plus(keep)).isPresent()
        ? Optional.empty()
        : Optional.of("NoRoom");
  }
}
