package dev.berth.controllers.gates;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/// Members whose gates are lifted together: the minimum of a gang, or one pod.
///
/// @param isRefused set by the first whose lift is forbidden: the others are not tried then
record PlanBlock(List<Assumed> members, AtomicBoolean isRefused) {
  static PlanBlock of(List<Assumed> members) {
    return new PlanBlock(List.copyOf(members), new AtomicBoolean());
  }

  /// Whether the plans of all members are still kept.
  boolean stands(LedgerReader ledger) {
    for (var member : members) {
      if (!stands(ledger, member.pod().uid(), member.plan())) {
        return false;
      }
    }
    return true;
  }

  /// Whether this very plan is still kept for the pod.
  static boolean stands(LedgerReader ledger, PodUid uid, WrittenPlan kept) {
    return ledger.standing(uid).orElse(new Standing.Waiting())
            instanceof Standing.Planned(var plan, _)
        && plan.equals(kept);
  }
}
