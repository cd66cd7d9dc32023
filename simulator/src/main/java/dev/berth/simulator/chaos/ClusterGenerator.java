package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.SimulatedGpuNode;
import dev.berth.simulator.world.SimulatedGpuNode.Model;
import dev.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A small cluster that a seed makes up: two to five nodes of one or two models in two racks, a
/// tree of queues, priority classes, one topology.
final class ClusterGenerator {
  static final String GPU = SimulatedGpuNode.GPU;
  static final String GPU_IN_QUEUES = "gpu";
  static final String NAMESPACE = "team";
  static final String RACK = "example.com/rack";
  static final String TOPOLOGY = "fabric";
  static final String POOL = "example.com/pool";

  /// Below 100 may be asked to leave.
  static final List<String> PRIORITIES = List.of("low", "middle", "high", "firm");

  private static final List<Long> VALUES = List.of(20L, 50L, 80L, 125L);

  private static final List<Model> MODELS =
      List.of(new Model("NVIDIA-H100-80GB-HBM3", 81559), new Model("NVIDIA-A100-40GB", 40960));

  private final World world;
  private final Chance chance;
  private final List<String> queues = new ArrayList<>();
  private int nodes;

  ClusterGenerator(World world) {
    this.world = world;
    this.chance = new Chance(world.settings().seed(), "harbour");
  }

  void build() {
    world.create(Kind.NAMESPACE, named(NAMESPACE));
    for (int i = 0; i < PRIORITIES.size(); i++) {
      var priority = named(PRIORITIES.get(i));
      priority.put("value", VALUES.get(i));
      if (chance.comes(0.1)) {
        priority.put("preemptionPolicy", "Never");
      }
      world.create(Kind.PRIORITY_CLASS, priority);
    }
    var topology = named(TOPOLOGY);
    topology.put(
        "spec",
        of(
            "levels",
            List.of(
                of("nodeLabel", "topology.kubernetes.io/zone", "alias", "zone"),
                of("nodeLabel", RACK, "alias", "rack"),
                of("nodeLabel", "kubernetes.io/hostname"))));
    world.create(Kind.TOPOLOGY, topology);
    plantTree();
    int count = chance.between(2, 5);
    for (int i = 0; i < count; i++) {
      addNode();
    }
  }

  private static Map<String, Object> named(String name) {
    return of("metadata", of("name", name));
  }

  private void plantTree() {
    int branches = chance.between(1, 2);
    for (int i = 0; i < branches; i++) {
      String branch = "branch-" + i;
      boolean bounded = chance.comes(0.3);
      queue(branch, "", chance.between(0, 8), bounded ? chance.between(4, 12) : -1);
      int leaves = chance.between(1, 2);
      for (int k = 0; k < leaves; k++) {
        String leaf = branch + "-leaf-" + k;
        queue(leaf, branch, chance.between(0, 5), chance.comes(0.3) ? chance.between(3, 8) : -1);
        queues.add(leaf);
      }
    }
  }

  /// @param quota in devices; 0 = unlimited
  /// @param limit the same; -1 = none
  private void queue(String name, String parent, int quota, int limit) {
    var spec = of("priority", (long) chance.between(0, 1));
    spec.put(
        "quota",
        of(
            "gpu",
            quota == 0 ? "unlimited" : (Object) (long) quota,
            "cpu",
            "unlimited",
            "memory",
            "unlimited"));
    if (limit > 0) {
      spec.put("limit", of("gpu", (long) limit));
    }
    if (chance.comes(0.3)) {
      spec.put("weight", of("gpu", (long) chance.between(0, 3)));
    }
    if (chance.comes(0.1)) {
      spec.put("reclaimMinRuntime", "10s");
    }
    if (chance.comes(0.1)) {
      spec.put("preemptMinRuntime", "10s");
    }
    if (!parent.isEmpty()) {
      spec.put("parent", parent);
    }
    var queue = named(name);
    queue.put("spec", spec);
    world.create(Kind.QUEUE, queue);
  }

  /// The leaves.
  List<String> leaves() {
    return List.copyOf(queues);
  }

  /// One node more, as its machine comes.
  Map<String, Object> addNode() {
    return world.create(Kind.NODE, node("n" + ++nodes));
  }

  private Map<String, Object> node(String name) {
    int devices = chance.of(List.of(1, 2, 2, 4, 4, 4, 8));
    var model = chance.of(MODELS);
    var amounts =
        of(
            "cpu",
            chance.of(List.of("6", "12", "32")),
            "memory",
            chance.of(List.of("16Gi", "64Gi")),
            "pods",
            chance.of(List.of("6", "20", "110")));
    var labels =
        of(
            "topology.kubernetes.io/zone",
            "harbour",
            RACK,
            chance.of(List.of("a", "b")),
            POOL,
            chance.of(List.of("blue", "red")));
    return new SimulatedGpuNode(name, devices, model, amounts, labels).tree();
  }
}
