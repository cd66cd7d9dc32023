package dev.berth.cli.idle;

import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which workloads would start if another one ended, and do not as things are: proven by a plan
/// over a copy of the cluster, whatever their queue.
public final class Beneficiaries {
  private final WhatIf whatIf;
  private final Set<GroupKey> waiting;

  /// @param waiting groups that the plan as things are leaves waiting, for something that others
  ///   may release
  public Beneficiaries(WhatIf whatIf, Set<GroupKey> waiting) {
    this.whatIf = whatIf;
    this.waiting = waiting;
  }

  /// Where a workload ends, which start at once. Costs a plan if anything waits.
  ///
  /// @return in the order of their keys
  List<GroupKey> of(GroupKey ends) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    var start = starts(whatIf.plan(List.of(new Change.RemoveGroup(ends))));
    start.retainAll(waiting);
    return List.copyOf(start);
  }

  private static TreeSet<GroupKey> starts(Plan plan) {
    var starts = new TreeSet<GroupKey>();
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        starts.add(reserve.group());
      }
    }
    return starts;
  }
}
