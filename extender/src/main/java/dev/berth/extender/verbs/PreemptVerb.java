package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.extender.wire.PreemptAnswer;
import dev.berth.extender.wire.PreemptQuestion;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which of kube-scheduler's proposals would help, for a pod that is not Berth's to plan.
///
/// A node stays if the pod would fit, as the ledger counts, once the proposed victims have left it.
/// Berth adds no victims: which pods a planned or waiting pod displaces is the planner's decision,
/// so for those nothing stays. A node proposed without victims (from Kubernetes 1.38 on) stays if
/// it fits as it is.
public final class PreemptVerb {
  private final VerbParts parts;

  public PreemptVerb(VerbParts parts) {
    this.parts = parts;
  }

  /// A lookup: no I/O, no change.
  public PreemptAnswer answer(PreemptQuestion question)
      throws UnreadableQuestion, NotReady, NotOurs {
    return switch (parts.classify(OutcomeCounter.Verb.PREEMPT, question.pod())) {
      case PodClassification.Ungated(Pod pod) -> narrowed(pod, question);
      case PodClassification.Foreign(Pod pod) -> narrowed(pod, question);
      case PodClassification.Planned _,
          PodClassification.Bound _,
          PodClassification.Over _,
          PodClassification.Queued _ ->
          PreemptAnswer.none();
      case PodClassification.Unserved(String sentence) -> throw new NotOurs(sentence);
    };
  }

  private PreemptAnswer narrowed(Pod pod, PreemptQuestion question) {
    var snapshot = parts.snapshots().get();
    var kept = new TreeMap<NodeName, Victims>();
    question
        .proposed()
        .forEach((node, victims) -> {
          if (parts.ungated().fitsWithout(snapshot, pod, node, new TreeSet<>(victims.pods()))) {
            kept.put(node, victims);
          }
        });
    return new PreemptAnswer(kept);
  }
}
