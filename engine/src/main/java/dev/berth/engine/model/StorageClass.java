package dev.berth.engine.model;

import dev.berth.engine.model.Constraints.Term;
import java.util.List;

/// A StorageClass, as far as it says where a pod may be whose claim is not bound yet.
///
/// @param version resourceVersion of the object; later is larger
/// @param waitsForPod `volumeBindingMode: WaitForFirstConsumer`: claims are bound when their pod
///   has a node; else no pod starts before its claims are bound
/// @param provisions whether it makes volumes; else claims get those that there are
/// @param nodes from which volumes that are made can be reached (`allowedTopologies`): any of these
///   terms; empty = from all
public record StorageClass(
    String name, long version, boolean waitsForPod, boolean provisions, List<Term> nodes) {
  public StorageClass {
    nodes = List.copyOf(nodes);
  }

  /// It makes volumes.
  public StorageClass(String name, long version, boolean waitsForPod, List<Term> nodes) {
    this(name, version, waitsForPod, true, nodes);
  }

  /// Another sighting that says the same says it in this version.
  public StorageClass in(long other) {
    return new StorageClass(name, other, waitsForPod, provisions, nodes);
  }
}
