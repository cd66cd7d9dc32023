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
/// @param claim that it is meant for (`spec.claimRef`), bound to it or not; empty = it is free
public record PersistentVolume(
    String name,
    long version,
    List<Term> nodes,
    String storageClass,
    Optional<PersistentVolumeClaim.Key> claim) {
  public PersistentVolume {
    nodes = List.copyOf(nodes);
  }

  /// It is free, and of no class.
  public PersistentVolume(String name, long version, List<Term> nodes) {
    this(name, version, nodes, "", Optional.empty());
  }

  /// Another sighting that says the same says it in this version.
  public PersistentVolume in(long other) {
    return new PersistentVolume(name, other, nodes, storageClass, claim);
  }
}
