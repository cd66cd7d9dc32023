package dev.berth.simulator.scenario;

import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;

/// Which workload of a scenario a pod belongs to.
final class Workloads {
  private Workloads() {}

  /// `namespace/name` of the PodGroup that it names, else of its owner, else its own.
  static String of(PodView pod) {
    String namespace = ObjectTree.text(pod.tree(), "metadata", "namespace") + "/";
    if (!pod.group().isEmpty()) {
      return namespace + pod.group();
    }
    for (var owner : ObjectTree.maps(pod.tree(), "metadata", "ownerReferences")) {
      return namespace + ObjectTree.text(owner, "name");
    }
    return pod.name();
  }
}
