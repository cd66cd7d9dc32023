package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.List;

/// What a pod asks for that a kubelet gives out by NUMA zone, if it does so at all: devices; of a
/// pod of QoS class Guaranteed memory and huge pages too, and the cores of containers that ask for
/// whole ones.
///
/// @param containers what each container asks, init containers included; those that ask for nothing
///   of it are left out
/// @param pod what all ask together, as the pod's request is counted
public record Alignment(List<Amounts> containers, Amounts pod) {
  public static final Alignment NONE = new Alignment(List.of(), Amounts.NONE);

  public Alignment {
    containers = List.copyOf(containers);
  }

  /// The same of a pod that asks for fewer of a resource: the container less that asks for most.
  public Alignment withFewer(Resource resource, long fewer) {
    if (fewer == 0 || pod.of(resource) < fewer) {
      return this;
    }
    var others = new ArrayList<>(containers);
    int most = 0;
    for (int i = 1; i < others.size(); i++) {
      most = others.get(i).of(resource) > others.get(most).of(resource) ? i : most;
    }
    if (!others.isEmpty() && others.get(most).of(resource) >= fewer) {
      others.set(most, others.get(most).minus(Amounts.of(resource, fewer)));
    }
    return new Alignment(others, pod.minus(Amounts.of(resource, fewer)));
  }

  /// What must be together in the scope.
  public List<Amounts> in(Numa.Scope scope) {
    return switch (scope) {
      case CONTAINER -> containers;
      case POD -> pod.isNone() ? List.of() : List.of(pod);
    };
  }
}
