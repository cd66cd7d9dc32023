package dev.berth.engine.fairness;

import dev.berth.engine.session.Group;
import java.util.Comparator;

/// Workloads of a queue: priority descending; below minimum before at minimum before above it;
/// older first; then key.
public final class WorkloadOrder {
  public static final Comparator<Group> FIRST_TO_LAST = WorkloadOrder::compare;

  private WorkloadOrder() {}

  /// Written out, for it is asked millions of times. [OrderRule#of] tells the rule.
  private static int compare(Group a, Group b) {
    int byPriority = Integer.compare(b.group().priority(), a.group().priority());
    if (byPriority != 0) {
      return OrderRule.PRIORITY.answer(byPriority);
    }
    int byProgress = Integer.compare(progress(a), progress(b));
    if (byProgress != 0) {
      return OrderRule.PROGRESS.answer(byProgress);
    }
    int byAge = a.group().created().compareTo(b.group().created());
    return byAge != 0
        ? OrderRule.AGE.answer(byAge)
        : OrderRule.NAME.answer(a.key().compareTo(b.key()));
  }

  private static int progress(Group group) {
    return group.isBelowMinimum() ? 0 : group.root().isAboveMinimum() ? 2 : 1;
  }
}
