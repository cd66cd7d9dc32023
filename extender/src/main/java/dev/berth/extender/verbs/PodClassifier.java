package dev.berth.extender.verbs;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Tells which [PodClassification] a pod is: a lookup in the ledger, or for a pod that the watch
/// has not brought yet what its own manifest says.
public final class PodClassifier {
  private final LedgerReader ledger;
  private final Function<Map<String, Object>, Pod> manifests;
  private final ServedSchedulers answered;

  /// @param manifests reads a whole pod from the plain tree of its JSON
  public PodClassifier(
      LedgerReader ledger,
      Function<Map<String, Object>, Pod> manifests,
      ServedSchedulers answered) {
    this.ledger = ledger;
    this.manifests = manifests;
    this.answered = answered;
  }

  /// Why there is no answer for a pod; empty = there is one.
  Optional<String> refusal(Pod pod) {
    return answered.refusal(pod);
  }

  PodClassification of(AskedPod asked) throws UnreadableQuestion {
    Optional<Standing> standing = ledger.standing(asked.uid());
    if (standing.isPresent() && !(standing.get() instanceof Standing.Waiting)) {
      return placed(standing.get());
    }
    Optional<Pod> known = ledger.pod(asked.uid());
    return known.isPresent() ? unplaced(known.get()) : unplaced(manifests.apply(asked.tree()));
  }

  /// A pod that the ledger knows.
  PodClassification of(Pod pod) {
    Optional<Standing> standing = ledger.standing(pod.uid());
    return standing.isPresent() && !(standing.get() instanceof Standing.Waiting)
        ? placed(standing.get())
        : unplaced(pod);
  }

  /// Whether `filter` leaves a pod that the ledger knows to the engine: it is Berth's, ungated,
  /// without a plan, and a group of one.
  public boolean isUngated(Pod pod) {
    return of(pod) instanceof PodClassification.Ungated;
  }

  private static PodClassification placed(Standing standing) {
    return switch (standing) {
      case Standing.Planned(var plan, _) -> new PodClassification.Planned(plan);
      case Standing.Bound(var placement) -> new PodClassification.Bound(placement.node());
      case Standing.Leaving(var placement, _, _) -> new PodClassification.Bound(placement.node());
      case Standing.Over _, Standing.Awaited _ -> new PodClassification.Over();
      case Standing.Waiting _ -> throw new IllegalStateException("waits, so it has no place");
    };
  }

  private PodClassification unplaced(Pod pod) {
    if (pod.scheduler().equals(WellKnownNames.PLACEHOLDER)) {
      return new PodClassification.Queued();
    }
    var refusal = answered.refusal(pod);
    if (refusal.isPresent()) {
      return new PodClassification.Unserved(refusal.get());
    }
    if (!answered.isOurs(pod)) {
      return new PodClassification.Foreign(pod);
    }
    boolean wasGated = pod.isGated() || !pod.written().plan().isNone();
    return wasGated || isInGang(pod)
        ? new PodClassification.Queued()
        : new PodClassification.Ungated(pod);
  }

  private boolean isInGang(Pod pod) {
    return ledger
        .groupOf(pod.uid())
        .map(PodGroup::single)
        .map(single -> !single)
        .orElse(!pod.belonging().group().isNone() || pod.belonging().minMember() > 1);
  }
}
