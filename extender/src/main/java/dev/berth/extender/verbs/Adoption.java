package dev.berth.extender.verbs;

import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.barrier.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What to do with a pod without a plan that is to be bound to the node that kube-scheduler chose.
///
/// A pod of Berth that came without a gate gets a plan there and then. One of another scheduler
/// gets none: the ledger keeps no place for it, it counts from the moment it is bound (until then
/// kube-scheduler itself keeps others off its place). One pod at a time, so that of two that each
/// fit their queue's limit alone only one gets in.
public final class Adoption {
  private final LedgerPlans ledger;
  private final PodClassifier cases;
  private final UngatedPodPlanner ungated;
  private final Timer later;
  private final Duration keep;

  /// @param keep how long a plan is kept until the Binding is written
  public Adoption(
      LedgerPlans ledger,
      PodClassifier cases,
      UngatedPodPlanner ungated,
      Timer later,
      Duration keep) {
    this.ledger = ledger;
    this.cases = cases;
    this.ungated = ungated;
    this.later = later;
    this.keep = keep;
  }

  sealed interface Result {
    /// The ledger has a place for it: commit.
    record Kept() implements Result {}

    /// Bind it as it is.
    record Foreign() implements Result {}

    /// @param why a constant text
    record Refused(String why) implements Result {}
  }

  /// Why no verb answers for a pod, whatever the node; empty = they do.
  Optional<String> refusal(Pod pod) {
    return cases.refusal(pod);
  }

  synchronized Result adopt(Pod pod, NodeName node) {
    return switch (cases.of(pod)) {
      case PodClassification.Planned _, PodClassification.Bound _ ->
          new Result.Kept(); // another was faster
      case PodClassification.Over _ -> new Result.Refused("has finished");
      case PodClassification.Queued _ -> new Result.Refused("waits in its queue");
      case PodClassification.Unserved(String sentence) -> new Result.Refused(sentence);
      case PodClassification.Ungated _ -> alone(pod, node);
      case PodClassification.Foreign _ ->
          refusal(ledger.snapshot(later.instant()), pod, node)
              .<Result>map(Result.Refused::new)
              .orElse(new Result.Foreign());
    };
  }

  private Result alone(Pod pod, NodeName node) {
    var now = later.instant();
    var snapshot = ledger.snapshot(now);
    var refusal = refusal(snapshot, pod, node);
    if (refusal.isPresent()) {
      return new Result.Refused(refusal.get());
    }
    boolean kept =
        ungated
            .placeOn(snapshot, pod, node)
            .flatMap(place ->
                ledger
                    .assume(
                        List.of(), List.of(reserve(pod, place)), now.plus(keep), snapshot.version())
                    .getFirst())
            .isPresent();
    return kept ? new Result.Kept() : new Result.Refused("NoRoom");
  }

  private Optional<String> refusal(Snapshot snapshot, Pod pod, NodeName node) {
    return switch (ungated.judge(snapshot, pod, List.of(node)).getFirst()) {
      case UngatedPodPlanner.Judgement.Fits() -> Optional.empty();
      case UngatedPodPlanner.Judgement.Refused(String code, _) -> Optional.of(code);
    };
  }

  private Decision.Reserve reserve(Pod pod, Placement place) {
    var group =
        ledger
            .groupOf(pod.uid())
            .map(PodGroup::key)
            .orElse(new GroupKey(pod.key().namespace(), pod.key().name()));
    var reserved = new Decision.Reserved(pod.uid(), pod.key(), place);
    return new Decision.Reserve(group, List.of(reserved), List.of(), List.of());
  }
}
