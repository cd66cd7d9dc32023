package dev.berth.engine.ledger;

import dev.berth.engine.model.WrittenPlan;
import java.util.HashMap;
import java.util.Map;

/// Pods for which kube-scheduler waited on the node of their plan, until their claim was changed:
/// it names another node, or none, or is bound, or gone.
///
/// kube-scheduler looks at claims once a second, and knows no more than what it sees then. The
/// owner of a claim may change it back before that, so one look that finds it changed proves
/// nothing.
final class FormerNodes {
  private static final class Changes {
    final WrittenPlan plan;
    long count;
    long countAtLastLook;

    Changes(WrittenPlan plan) {
      this.plan = plan;
    }
  }

  private final Map<PodRecord, Changes> pods = new HashMap<>();

  /// A claim of a pod was changed, for which the node of this plan was selected.
  void changed(PodRecord pod, WrittenPlan plan) {
    var changes = pods.get(pod);
    if (changes == null || !changes.plan.equals(plan)) {
      changes = new Changes(plan);
      pods.put(pod, changes);
    }
    changes.count++;
  }

  boolean has(PodRecord pod, WrittenPlan plan) {
    var changes = pods.get(pod);
    return changes != null && changes.plan.equals(plan);
  }

  /// Whether no claim of a pod was changed since this was last asked, if it was.
  boolean isAsLastSeen(PodRecord pod) {
    var changes = pods.get(pod);
    if (changes == null) {
      return true;
    }
    boolean isAsLastSeen = changes.count == changes.countAtLastLook;
    changes.countAtLastLook = changes.count;
    return isAsLastSeen;
  }

  void forget(PodRecord pod) {
    pods.remove(pod);
  }
}
