package dev.berth.extender.verbs;

import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.UnreadableQuestion;

/// What all verbs share: whether they are open, and the counter of outcomes.
public record VerbContext(Readiness readiness, OutcomeCounter tally) {
  /// Counts a question of a verb whose answer has no field for an error, and says what its pod is.
  ///
  /// @throws NotReady before the ledger is rebuilt, and without the lease
  PodClassification classify(OutcomeCounter.Verb verb, PodClassifier cases, AskedPod pod)
      throws UnreadableQuestion, NotReady {
    var missing = readiness.missing();
    if (missing.isPresent()) {
      tally.counted(verb, VerbOutcome.NOT_READY);
      throw new NotReady(missing.get());
    }
    PodClassification is = cases.of(pod);
    tally.counted(verb, is.outcome());
    return is;
  }
}
