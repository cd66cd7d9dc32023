package dev.berth.extender.verbs;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Pod;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.NodeNames;
import dev.berth.extender.wire.PrioritizeAnswer;
import dev.berth.extender.wire.UnreadableQuestion;

/// Which nodes are better: packing and topology, for pods that are not planned and ask for devices.
/// For all others Berth has no preference. kube-scheduler does not ask when one node is left.
public final class PrioritizeVerb {
  private final VerbParts parts;

  public PrioritizeVerb(VerbParts parts) {
    this.parts = parts;
  }

  /// A lookup: no I/O, no change.
  public PrioritizeAnswer answer(FilterQuestion question)
      throws UnreadableQuestion, NotReady, NotOurs {
    var nodes = question.nodes();
    return switch (parts.classify(OutcomeCounter.Verb.PRIORITIZE, question.pod())) {
      case PodClassification.Ungated(Pod pod) -> scored(pod, nodes);
      case PodClassification.Foreign(Pod pod) ->
          pod.asks().request().devices() instanceof DeviceRequest.None
              ? PrioritizeAnswer.indifferent(nodes)
              : scored(pod, nodes);
      case PodClassification.Planned _,
          PodClassification.Bound _,
          PodClassification.Over _,
          PodClassification.Queued _ ->
          PrioritizeAnswer.indifferent(nodes);
      case PodClassification.Unserved(String sentence) -> throw new NotOurs(sentence);
    };
  }

  private PrioritizeAnswer scored(Pod pod, NodeNames nodes) {
    return new PrioritizeAnswer(
        nodes, parts.ungated().scores(parts.snapshots().get(), pod, nodes.list()));
  }
}
