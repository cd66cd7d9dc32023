package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Keeps the status of disruption budgets as kube-controller-manager does, and rejects the
/// evictions that they forbid as the API server does. Guarded by the lock of its world.
final class DisruptionController {
  private final World world;
  private final TreeMap<String, BudgetCounts> countsByNamespace = new TreeMap<>();

  DisruptionController(World world) {
    this.world = world;
  }

  /// The store went back to an earlier state.
  void recount() {
    countsByNamespace.clear();
    for (var budget : world.list(Kind.DISRUPTION_BUDGET)) {
      countsOf(ObjectTree.text(budget, "metadata", "namespace"))
          .budget(ObjectTree.name(budget), Optional.of(budget));
    }
  }

  /// An object was created, changed or deleted: budgets of its namespace are counted anew where it
  /// matters.
  void changed(
      ObjectRef changed,
      Optional<Map<String, Object>> before,
      Optional<Map<String, Object>> after) {
    switch (changed.kind()) {
      case POD -> {
        var counts = countsByNamespace.get(changed.namespace());
        if (counts != null
            && !before.map(Disruptions::weight).equals(after.map(Disruptions::weight))) {
          counts.pod(changed.name(), after).forEach(each -> writeStatus(changed.namespace(), each));
        }
      }
      case DISRUPTION_BUDGET -> {
        countsOf(changed.namespace()).budget(changed.name(), after);
        writeStatus(changed.namespace(), changed.name());
      }
      case NODE,
          NAMESPACE,
          JOB,
          PRIORITY_CLASS,
          QUEUE,
          POD_GROUP,
          TOPOLOGY,
          RESOURCE_CLAIM,
          RESOURCE_SLICE,
          DEVICE_CLASS,
          VOLUME_CLAIM,
          VOLUME,
          STORAGE_CLASS,
          NODE_RESOURCE_TOPOLOGY,
          RUNTIME_CLASS,
          CLUSTER_POLICY,
          GPU_CLUSTER,
          KAI_QUEUE,
          KAI_POD_GROUP,
          KAI_TOPOLOGY -> {}
    }
  }

  /// Pods are counted from when there is a budget in their namespace.
  private BudgetCounts countsOf(String namespace) {
    var counts = countsByNamespace.get(namespace);
    if (counts == null) {
      counts = new BudgetCounts();
      countsByNamespace.put(namespace, counts);
      for (var pod : world.within(Kind.POD, namespace)) {
        counts.pod(ObjectTree.name(pod), Optional.of(pod));
      }
    }
    return counts;
  }

  private void writeStatus(String namespace, String name) {
    var ref = new ObjectRef(Kind.DISRUPTION_BUDGET, namespace, name);
    var counts = countsOf(namespace);
    world
        .find(ref)
        .ifPresent(budget -> {
          var counted = ObjectTree.thaw(budget);
          counted.put(
              "status", Disruptions.status(budget, counts.expected(name), counts.healthy(name)));
          var _ = world.storeIfChanged(ref, budget, counted);
        });
  }

  /// @throws ApiRefusal of status 429 where a budget is spent, 500 where several cover the pod
  void checkEviction(ObjectRef pod, Map<String, Object> before) {
    var counts = countsByNamespace.get(pod.namespace());
    var covering = counts == null ? List.<String>of() : counts.covering(before);
    if (covering.size() > 1) {
      throw new ApiRefusal(
          500,
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does"
              + " not support.");
    }
    if (covering.stream().anyMatch(name -> isSpent(pod.namespace(), name))) {
      throw new ApiRefusal(
          429,
          "Cannot evict pod as it would violate the pod's disruption budget "
              + covering.getFirst());
    }
  }

  private boolean isSpent(String namespace, String budget) {
    return world
        .find(new ObjectRef(Kind.DISRUPTION_BUDGET, namespace, budget))
        .filter(Disruptions::isSpent)
        .isPresent();
  }
}
