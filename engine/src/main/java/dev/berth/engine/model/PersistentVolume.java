package dev.berth.engine.model;

import dev.berth.engine.model.Constraints.Term;
import java.util.List;
import java.util.Optional;

/// A PersistentVolume, as far as it says where a pod that uses it may be.
///
/// @param version resourceVersion of the object; later is larger
/// @param nodes from which it can be reached (`spec.nodeAffinity.required`): any of these terms;
///   empty = from all
/// @param storageClass empty = none
/// @param claim that it is meant for (`spec.claimRef`), bound to it or not; empty = for none, also
///   where that claim is gone
/// @param isAvailable false: it is being deleted, or its `status.phase` is another than
///   `Available`. kube-scheduler gives only available ones to claims that name none
public record PersistentVolume(
    String name,
    long version,
    List<Term> nodes,
    String storageClass,
    Optional<PersistentVolumeClaim.Key> claim,
    boolean isAvailable) {
  public PersistentVolume {
    nodes = List.copyOf(nodes);
  }

  /// It is free, and of no class.
  public PersistentVolume(String name, long version, List<Term> nodes) {
    this(name, version, nodes, "", Optional.empty(), true);
  }

  /// Another sighting that says the same says it in this version.
  public PersistentVolume in(long other) {
    return new PersistentVolume(name, other, nodes, storageClass, claim, isAvailable);
  }

  /// Whether a claim that names none may get it.
  public boolean isFree() {
    return claim.isEmpty() && isAvailable;
  }
}
