package dev.berth.engine.fairness;

import dev.berth.engine.session.Group;
import java.util.Comparator;

/// Workloads of a queue: priority descending; below minimum before at minimum before above it;
/// older first; then key.
public final class WorkloadOrder {
  public static final Comparator<Group> FIRST_TO_LAST =
      Comparator.<Group>comparingInt(group -> group.group().priority())
          .reversed()
          .thenComparingInt(WorkloadOrder::progress)
          .thenComparing(group -> group.group().created())
          .thenComparing(Group::key);

  private WorkloadOrder() {}

  private static int progress(Group group) {
    return group.isBelowMinimum() ? 0 : group.root().isAboveMinimum() ? 2 : 1;
  }
}
