package dev.berth.extender.verbs;

import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.UnreadableQuestion;
import java.util.Map;

/// Whether kube-scheduler refused a planned node that it does not offer.
///
/// It offers neither nodes that its own filters refused nor those it never came to, for on a large
/// cluster it stops when it has found enough, which is never less than a hundred. So a missing node
/// was refused if it had to come to it: it offers less than a hundred (so it tried all of them), or
/// the node was nominated (so it was tried first). And it must be this plan that was tried: the pod
/// it holds carries it. Where another extender comes before this process and thins a sample of a
/// large cluster out, this may be wrong; the veto that follows ends by itself.
///
/// Nothing is proven by a single name, which is a nominated node or a batching hint tried before
/// the others, nor by a question about a member of a native gang, which is tried on one domain
/// after the other.
final class Unoffered {
  /// `minFeasibleNodesToFind` of kube-scheduler.
  private static final int NEVER_STOPS_BEFORE = 100;

  private Unoffered() {}

  /// @param question that does not offer the planned node
  static boolean meansRefused(FilterQuestion question, WrittenPlan plan) throws UnreadableQuestion {
    int offered = question.nodes().size();
    Map<?, ?> pod = question.pod().tree();
    Map<?, ?> annotations = map(map(pod, "metadata"), "annotations");
    Map<?, ?> spec = map(pod, "spec");
    boolean nativeGang = spec.containsKey("schedulingGroup") || spec.containsKey("workloadRef");
    if (nativeGang || !plan.text().equals(annotations.get(WellKnownNames.PLAN))) {
      return false;
    }
    var nominated = map(pod, "status").get("nominatedNodeName");
    return plan.placement().node().value().equals(nominated)
        || offered > 1 && offered < NEVER_STOPS_BEFORE;
  }

  private static Map<?, ?> map(Map<?, ?> tree, String field) {
    return tree.get(field) instanceof Map<?, ?> map ? map : Map.of();
  }
}
