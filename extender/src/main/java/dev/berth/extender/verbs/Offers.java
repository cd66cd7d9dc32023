package dev.berth.extender.verbs;

import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;

/// Hears whether kube-scheduler offers pods the nodes that are planned for them. Called on the way
/// to an answer: it returns at once.
public interface Offers {
  /// kube-scheduler asks for a pod that has a plan.
  ///
  /// @return whether the plan is over with that: it was kept only because kube-scheduler waited for
  ///   a volume of the pod, and that is past
  boolean askedAnew(PodUid pod);

  /// The planned node is among those offered.
  void made(PodUid pod);

  /// kube-scheduler's own filters refused the node of this plan.
  void refused(PodUid pod, WrittenPlan plan);
}
