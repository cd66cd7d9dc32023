package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.wire.PreemptAnswer;
import dev.berth.extender.wire.PreemptQuestion;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Which of kube-scheduler's proposals would help, for a pod that is not Berth's to plan.
///
/// A node stays if the pod would fit, as the ledger counts, once the proposed victims have left it.
/// Berth adds no victims: which pods a planned or waiting pod displaces is the planner's decision,
/// so for those nothing stays. A node proposed without victims (from Kubernetes 1.38 on) stays if
/// it fits as it is.
public final class PreemptVerb {
  private final PodClassifier cases;
  private final Supplier<Snapshot> snapshots;
  private final UngatedPodPlanner ungated;
  private final VerbContext context;

  public PreemptVerb(
      PodClassifier cases,
      Supplier<Snapshot> snapshots,
      UngatedPodPlanner ungated,
      VerbContext context) {
    this.cases = cases;
    this.snapshots = snapshots;
    this.ungated = ungated;
    this.context = context;
  }

  /// A lookup: no I/O, no change.
  public PreemptAnswer answer(PreemptQuestion question)
      throws UnreadableQuestion, NotReady, NotOurs {
    return switch (context.classify(OutcomeCounter.Verb.PREEMPT, cases, question.pod())) {
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
    var snapshot = snapshots.get();
    var kept = new TreeMap<NodeName, Victims>();
    question
        .proposed()
        .forEach((node, victims) -> {
          if (ungated.fitsWithout(snapshot, pod, node, new TreeSet<>(victims.pods()))) {
            kept.put(node, victims);
          }
        });
    return new PreemptAnswer(kept);
  }
}
