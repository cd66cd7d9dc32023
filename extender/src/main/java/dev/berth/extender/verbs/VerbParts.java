package dev.berth.extender.verbs;

import dev.berth.engine.model.Snapshot;
import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.function.Supplier;

/// What the verbs about nodes are made of: filter, prioritize and preempt.
///
/// @param pods what a pod is
/// @param snapshots the state of the cluster, as of now
/// @param ungated what would become of a pod that came without a gate
public record VerbParts(
    PodClassifier pods,
    Supplier<Snapshot> snapshots,
    UngatedPodPlanner ungated,
    VerbContext context) {
  /// Counts a question of a verb whose answer has no field for an error, and says what its pod is.
  ///
  /// @throws NotReady before the ledger is rebuilt, and without the lease
  PodClassification classify(OutcomeCounter.Verb verb, AskedPod pod)
      throws UnreadableQuestion, NotReady {
    var missing = context.readiness().missing();
    if (missing.isPresent()) {
      context.tally().counted(verb, VerbOutcome.NOT_READY);
      throw new NotReady(missing.get());
    }
    PodClassification is = pods.of(pod);
    context.tally().counted(verb, is.outcome());
    return is;
  }
}
