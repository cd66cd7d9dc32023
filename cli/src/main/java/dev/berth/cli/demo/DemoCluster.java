package dev.berth.cli.demo;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.SimulatedGpuNode;
import dev.berth.simulator.world.SimulatedGpuNode.Model;
import dev.berth.simulator.world.World;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The demo's cluster: fourteen nodes of eight GPUs in four racks, two models; a tree of queues;
/// one topology.
public final class DemoCluster {
  /// Devices of all nodes together.
  public static final int DEVICES = 14 * 8;

  /// The label of the narrowest level above the node.
  static final String RACK = "example.com/rack";

  private static final int DEVICES_PER_NODE = 8;

  private record Rack(String name, int nodes, Model model) {}

  private static final Model H100 = new Model("NVIDIA-H100-80GB-HBM3", 81559);
  private static final Model A100 = new Model("NVIDIA-A100-SXM4-40GB", 40960);

  private static final List<Rack> RACKS =
      List.of(
          new Rack("a", 4, H100),
          new Rack("b", 4, H100),
          new Rack("c", 3, A100),
          new Rack("d", 3, A100));

  private DemoCluster() {}

  /// Puts it all into an empty world.
  public static void build(World world) {
    for (String team : List.of("vision", "speech", "serving", "batch")) {
      world.create(Kind.NAMESPACE, namespace(team));
    }
    priorityClass(world, "scavenge", 20);
    priorityClass(world, "train", 50);
    priorityClass(world, "serve", 125);
    queue(world, "research", "", 0, of("gpu", 56L), of("gpu", 96L));
    queue(world, "vision", "research", 0, of("gpu", 32L), of("gpu", 64L));
    queue(world, "speech", "research", 0, of("gpu", 24L), of("gpu", 48L));
    queue(world, "production", "", 100, of("gpu", 56L), of("gpu", 80L));
    queue(world, "serving", "production", 100, of("gpu", 32L), of("gpu", 40L));
    queue(world, "batch", "production", 0, of("gpu", 24L), of("gpu", 56L));
    world.create(Kind.TOPOLOGY, topology());
    for (var rack : RACKS) {
      for (int i = 1; i <= rack.nodes(); i++) {
        world.create(Kind.NODE, node(rack, i));
      }
    }
  }

  private static Map<String, Object> namespace(String team) {
    return of(
        "apiVersion",
        "v1",
        "kind",
        "Namespace",
        "metadata",
        of("name", team, "labels", of("berth.dev/queue", team)));
  }

  private static void priorityClass(World world, String name, long value) {
    world.create(
        Kind.PRIORITY_CLASS,
        of(
            "apiVersion",
            "scheduling.k8s.io/v1",
            "kind",
            "PriorityClass",
            "metadata",
            of("name", name),
            "value",
            value,
            "globalDefault",
            false));
  }

  private static void queue(
      World world,
      String name,
      String parent,
      long priority,
      Map<String, Object> quota,
      Map<String, Object> limit) {
    var spec = of("priority", priority, "quota", withoutOtherBounds(quota), "limit", limit);
    if (!parent.isEmpty()) {
      spec.put("parent", parent);
    }
    world.create(
        Kind.QUEUE,
        of(
            "apiVersion",
            "berth.dev/v1alpha1",
            "kind",
            "Queue",
            "metadata",
            of("name", name),
            "spec",
            spec));
  }

  /// Only GPUs are divided here.
  private static Map<String, Object> withoutOtherBounds(Map<String, Object> quota) {
    quota.put("cpu", "unlimited");
    quota.put("memory", "unlimited");
    return quota;
  }

  private static Map<String, Object> topology() {
    return of(
        "apiVersion",
        "berth.dev/v1alpha1",
        "kind",
        "Topology",
        "metadata",
        of("name", "fabric"),
        "spec",
        of(
            "levels",
            List.of(
                of("nodeLabel", "topology.kubernetes.io/zone", "alias", "zone"),
                of("nodeLabel", RACK, "alias", "rack"),
                of("nodeLabel", "kubernetes.io/hostname"))));
  }

  private static Map<String, Object> node(Rack rack, int number) {
    String name = String.format(Locale.ROOT, "rack-%s-%d", rack.name(), number);
    var amounts = of("cpu", "192", "memory", "2Ti", "ephemeral-storage", "4Ti", "pods", "250");
    var labels = of("topology.kubernetes.io/zone", "harbour", RACK, rack.name());
    return new SimulatedGpuNode(name, DEVICES_PER_NODE, rack.model(), amounts, labels).tree();
  }
}
