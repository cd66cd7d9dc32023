package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.wire.FilterAnswer;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.NodeNames;
import dev.berth.extender.wire.UnreadableQuestion;
import dev.berth.extender.wire.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/// Which nodes may take a pod. A lookup, without I/O and without a trace: kube-scheduler asks
/// tentatively, in any order and again.
///
/// A planned pod passes on its node alone, and preemption is kept off all others; a pod that waits
/// for its turn passes nowhere; a pod that came without a gate is judged by the engine; a pod of
/// another scheduler for which we answer passes where our plans and shared devices leave it room;
/// for a pod of any other the answer is an error.
///
/// Whether a planned node was offered is reported, a refusal only where it is proven ([Unoffered]);
/// what follows from it later questions will see.
public final class FilterVerb {
  private static final Verdict ELSEWHERE = Verdict.unresolvable("berth: planned on another node");
  private static final Verdict BOUND = Verdict.unresolvable("berth: bound already");
  private static final Verdict OVER = Verdict.unresolvable("berth: has finished");
  private static final Verdict QUEUED = Verdict.unresolvable("berth: waits in its queue");

  private static final String NOT_CACHE_CAPABLE =
      "berth: set nodeCacheCapable: true for the extender in the KubeSchedulerConfiguration";

  private final Cases cases;
  private final Supplier<Snapshot> snapshots;
  private final Ungated ungated;
  private final Offers offers;
  private final Desk desk;

  public FilterVerb(
      Cases cases, Supplier<Snapshot> snapshots, Ungated ungated, Offers offers, Desk desk) {
    this.cases = cases;
    this.snapshots = snapshots;
    this.ungated = ungated;
    this.offers = offers;
    this.desk = desk;
  }

  /// A lookup: no I/O, no change.
  public FilterAnswer answer(FilterQuestion question) throws UnreadableQuestion {
    var missing = desk.readiness().missing();
    if (missing.isPresent()) {
      desk.tally().counted(Tally.Verb.FILTER, Outcome.NOT_READY);
      return FilterAnswer.error(Readiness.sentence(missing.get()));
    }
    if (question.wholeNodes()) { // it would ignore names, and then score every node as empty
      desk.tally().counted(Tally.Verb.FILTER, Outcome.UNREADABLE);
      return FilterAnswer.error(NOT_CACHE_CAPABLE);
    }
    Case is = cases.of(question.pod());
    desk.tally().counted(Tally.Verb.FILTER, is.outcome());
    var nodes = question.nodes();
    return switch (is) {
      case Case.Planned(WrittenPlan plan) -> planned(question, plan);
      case Case.Bound(NodeName node) -> FilterAnswer.only(nodes, node, BOUND);
      case Case.Over _ -> FilterAnswer.none(nodes, OVER);
      case Case.Queued _ -> FilterAnswer.none(nodes, QUEUED);
      case Case.Alone(Pod pod) -> judged(pod, nodes);
      case Case.Foreign(Pod pod) -> judged(pod, nodes);
      case Case.NotOurs(String sentence) -> FilterAnswer.error("berth: " + sentence);
    };
  }

  private FilterAnswer planned(FilterQuestion question, WrittenPlan plan)
      throws UnreadableQuestion {
    var nodes = question.nodes();
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
    var judgements = ungated.judge(snapshots.get(), pod, nodes.list());
    var refusals = new HashMap<Ungated.Judgement.Refused, Verdict>(); // a handful of words
    var verdicts = new ArrayList<Verdict>(nodes.size());
    for (Ungated.Judgement judgement : judgements) {
      verdicts.add(verdict(judgement, refusals));
    }
    return FilterAnswer.each(nodes, verdicts);
  }

  private static Verdict verdict(
      Ungated.Judgement judgement, Map<Ungated.Judgement.Refused, Verdict> refusals) {
    return switch (judgement) {
      case Ungated.Judgement.Fits _ -> Verdict.PASSES;
      case Ungated.Judgement.Refused refused ->
          refusals.computeIfAbsent(refused, FilterVerb::refusal);
    };
  }

  private static Verdict refusal(Ungated.Judgement.Refused refused) {
    String message = "berth: " + refused.words();
    return refused.othersCouldLeave() ? Verdict.resolvable(message) : Verdict.unresolvable(message);
  }
}
