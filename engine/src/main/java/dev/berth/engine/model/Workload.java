package dev.berth.engine.model;

import java.util.List;

/// What the controller of pods says of them all: a Job with `berth.dev/min-member`, …
///
/// @param owner the object that controls the pods
/// @param group the PodGroup its pods form; none = each pod is a group of one
/// @param minMember gang size; 0 or 1 = no gang
/// @param queue named on the owner; none = look at the namespace, else the default
/// @param problems what in it cannot be meant; its pods wait and say so
public record Workload(
    OwnerUid owner,
    long version,
    GroupKey group,
    int minMember,
    QueueName queue,
    List<Problem> problems) {
  public Workload {
    problems = List.copyOf(problems);
  }

  /// A workload without problems.
  public Workload(OwnerUid owner, long version, GroupKey group, int minMember, QueueName queue) {
    this(owner, version, group, minMember, queue, List.of());
  }

  public boolean isGang() {
    return !group.isNone();
  }
}
