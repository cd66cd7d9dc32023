package dev.berth.engine.model;

/// What a pod belongs to that outlives it: its group, else its owner; a pod that has neither stands
/// for itself.
public sealed interface Workload permits GroupKey, Workload.Owned, PodKey {
  static Workload of(Pod pod) {
    var belonging = pod.belonging();
    if (!belonging.group().isNone()) {
      return belonging.group();
    }
    return belonging.owner().isNone()
        ? pod.key()
        : new Owned(pod.key().namespace(), belonging.owner().uid());
  }

  String namespace();

  /// Pods of one owner. Owners are of the namespace of their pods, or of none, and anybody may name
  /// the UID of one elsewhere.
  record Owned(String namespace, OwnerUid owner) implements Workload {}
}
