package dev.berth.engine.model;

/// What a pod belongs to that outlives it: its group, else its owner; a pod that has neither stands
/// for itself.
public sealed interface Workload permits GroupKey, Workload.Owned, PodKey {
  String namespace();

  /// Pods of one owner. Owners are of the namespace of their pods, or of none, and any tenant may
  /// name the UID of one elsewhere.
  record Owned(String namespace, OwnerUid owner) implements Workload {}
}
