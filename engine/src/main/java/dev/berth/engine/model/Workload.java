package dev.berth.engine.model;

/// What the controller of pods says of them all: a Job with `berth.dev/min-member`, …
///
/// @param owner the object that controls the pods
/// @param group the PodGroup its pods form; none = each pod is a group of one
/// @param minMember gang size; 0 or 1 = no gang
/// @param queue named on the owner; none = look at the namespace, else the default
public record Workload(
    OwnerUid owner, long version, GroupKey group, int minMember, QueueName queue) {
  public boolean isGang() {
    return !group.isNone();
  }
}
