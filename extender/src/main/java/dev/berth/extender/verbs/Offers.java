package dev.berth.extender.verbs;

import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;

/// Hears whether kube-scheduler offers pods the nodes that are planned for them. Called on the way
/// to an answer: it returns at once and changes nothing of it.
public interface Offers {
  /// The planned node is among those offered.
  void made(PodUid pod);

  /// kube-scheduler's own filters refused the node of this plan.
  void refused(PodUid pod, WrittenPlan plan);
}
