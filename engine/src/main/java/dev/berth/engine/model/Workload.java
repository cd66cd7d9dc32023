package dev.berth.engine.model;

/// What a pod belongs to that outlives it: its group, else its owner; a pod that has neither stands
/// for itself.
public sealed interface Workload permits GroupKey, OwnerUid, PodKey {
  static Workload of(Pod pod) {
    var belonging = pod.belonging();
    if (!belonging.group().isNone()) {
      return belonging.group();
    }
    return belonging.owner().isNone() ? pod.key() : belonging.owner().uid();
  }
}
