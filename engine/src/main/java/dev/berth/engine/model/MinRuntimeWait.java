package dev.berth.engine.model;

import java.util.Comparator;

/// A group that would get victims but for a min-runtime.
///
/// @param queue of the pods that it protects; the group's own, where it would preempt
public record MinRuntimeWait(GroupKey group, QueueName queue)
    implements Comparable<MinRuntimeWait> {
  private static final Comparator<MinRuntimeWait> BY_GROUP =
      Comparator.comparing(MinRuntimeWait::group).thenComparing(MinRuntimeWait::queue);

  @Override
  public int compareTo(MinRuntimeWait other) {
    return BY_GROUP.compare(this, other);
  }
}
