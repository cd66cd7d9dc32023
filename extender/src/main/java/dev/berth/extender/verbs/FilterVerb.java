package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.wire.FilterAnswer;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.FilterVerdict;
import dev.berth.extender.wire.NodeNames;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;

/// Which nodes may take a pod. A lookup, without I/O and without a trace: kube-scheduler asks
/// tentatively, in any order and again.
///
/// A planned pod passes on its node alone, and preemption is kept off all others; a pod that waits
/// for its turn passes nowhere; a pod that came without a gate is judged by the engine; a pod of
/// another scheduler for which Berth answers passes where Berth's plans and shared devices leave it
/// room; for a pod of any other the answer is an error.
///
/// Whether a planned node was offered is reported, a refusal only where it is proven ([Unoffered]);
/// what follows from it later questions will see.
public final class FilterVerb {
  private static final FilterVerdict ELSEWHERE =
      FilterVerdict.unresolvable("berth: planned on another node");
  private static final FilterVerdict BOUND = FilterVerdict.unresolvable("berth: bound already");
  private static final FilterVerdict OVER = FilterVerdict.unresolvable("berth: has finished");
  private static final FilterVerdict QUEUED =
      FilterVerdict.unresolvable("berth: waits in its queue");

  private static final String NOT_CACHE_CAPABLE =
      "berth: set nodeCacheCapable: true for the extender in the KubeSchedulerConfiguration";

  private final VerbParts parts;
  private final Offers offers;

  public FilterVerb(VerbParts parts, Offers offers) {
    this.parts = parts;
    this.offers = offers;
  }

  /// A lookup: no I/O, and no change but that of a plan which is over.
  public FilterAnswer answer(FilterQuestion question) throws UnreadableQuestion {
    var missing = parts.context().readiness().missing();
    if (missing.isPresent()) {
      parts.context().tally().counted(OutcomeCounter.Verb.FILTER, VerbOutcome.NOT_READY);
      return FilterAnswer.error(Readiness.sentence(missing.get()));
    }
    if (question.wholeNodes()) { // it would ignore names, and then score every node as empty
      parts.context().tally().counted(OutcomeCounter.Verb.FILTER, VerbOutcome.UNREADABLE);
      return FilterAnswer.error(NOT_CACHE_CAPABLE);
    }
    PodClassification is = parts.pods().of(question.pod());
    parts.context().tally().counted(OutcomeCounter.Verb.FILTER, is.outcome());
    var nodes = question.nodes();
    return switch (is) {
      case PodClassification.Planned(WrittenPlan plan) -> planned(question, plan);
      case PodClassification.Bound(NodeName node) -> FilterAnswer.only(nodes, node, BOUND);
      case PodClassification.Over _ -> FilterAnswer.none(nodes, OVER);
      case PodClassification.Queued _ -> FilterAnswer.none(nodes, QUEUED);
      case PodClassification.Ungated(Pod pod) -> judged(pod, nodes);
      case PodClassification.Foreign(Pod pod) -> judged(pod, nodes);
      case PodClassification.Unserved(String sentence) -> FilterAnswer.error("berth: " + sentence);
    };
  }

  private FilterAnswer planned(FilterQuestion question, WrittenPlan plan)
      throws UnreadableQuestion {
    var nodes = question.nodes();
    if (offers.askedAnew(question.pod().uid())) {
      return FilterAnswer.none(nodes, QUEUED);
    }
    NodeName node = plan.placement().node();
    if (nodes.indexOf(node) >= 0) {
      offers.made(question.pod().uid());
      return FilterAnswer.only(nodes, node, ELSEWHERE);
    }
    if (Unoffered.meansRefused(question, plan)) {
      offers.refused(question.pod().uid(), plan);
    }
    return FilterAnswer.none(nodes, ELSEWHERE);
  }

  private FilterAnswer judged(Pod pod, NodeNames nodes) {
    var judgements = parts.ungated().judge(parts.snapshots().get(), pod, nodes.list());
    var refusals =
        new HashMap<UngatedPodPlanner.Judgement.Refused, FilterVerdict>(); // a handful of words
    var verdicts = new ArrayList<FilterVerdict>(nodes.size());
    for (UngatedPodPlanner.Judgement judgement : judgements) {
      verdicts.add(verdict(judgement, refusals));
    }
    return FilterAnswer.each(nodes, verdicts);
  }

  private static FilterVerdict verdict(
      UngatedPodPlanner.Judgement judgement,
      Map<UngatedPodPlanner.Judgement.Refused, FilterVerdict> refusals) {
    return switch (judgement) {
      case UngatedPodPlanner.Judgement.Fits _ -> FilterVerdict.PASSES;
      case UngatedPodPlanner.Judgement.Refused refused ->
          refusals.computeIfAbsent(refused, FilterVerb::refusal);
    };
  }

  private static FilterVerdict refusal(UngatedPodPlanner.Judgement.Refused refused) {
    String message = "berth: " + refused.words();
    return refused.othersCouldLeave()
        ? FilterVerdict.resolvable(message)
        : FilterVerdict.unresolvable(message);
  }
}
