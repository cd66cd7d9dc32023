package dev.berth.cli;

import dev.berth.controllers.claims.TemplateKeeper;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.util.Map;
import java.util.Optional;

/// Hands pods that are in the ledger to the parts that act on a change of one. A refusal by
/// kube-scheduler is looked at once it is in the ledger.
record PodChanges(
    Ledger ledger, TemplateKeeper claimTemplates, ControllersModule.Planning planning) {
  void seen(Map<String, ?> object) {
    ledger.pod(uid(object)).ifPresent(pod -> seen(pod, nominated(object)));
  }

  private void seen(Pod pod, Optional<NodeName> nominated) {
    claimTemplates.seen(pod);
    planning.requeuer().seen(pod);
    if (!pod.life().refusal().isEmpty() || !pod.traits().volumes().isEmpty()) {
      planning.refusals().seen(pod);
    }
    if (pod.written().preemptor() && !pod.isBound()) {
      planning.evictions().marked(pod);
    }
    nominated.ifPresent(node -> planning.gates().nominated(pod, node));
  }

  void gone(Map<String, ?> object) {
    planning.requeuer().gone(uid(object));
  }

  private static PodUid uid(Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("uid") instanceof String uid
        ? new PodUid(uid)
        : PodUid.NONE;
  }

  private static Optional<NodeName> nominated(Map<String, ?> pod) {
    return pod.get("status") instanceof Map<?, ?> status
            && status.get("nominatedNodeName") instanceof String node
            && !node.isEmpty()
        ? Optional.of(new NodeName(node))
        : Optional.empty();
  }
}
