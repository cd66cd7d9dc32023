package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What happens to machines: nodes go, come, are cordoned, are not ready, lose a device and get it
/// back; pods of a node that is gone are collected.
final class NodeFaults {
  /// Later than any watch tells that its pods are gone: that a node of the same name has lost them
  /// cannot be seen.
  private static final Duration BACK = Duration.ofSeconds(6);

  private static final Duration BACK_AT_LAST = Duration.ofSeconds(15);

  private final World world;
  private final ClusterGenerator clusterGenerator;
  private final Chance chance;
  private final Journal journal;
  private final PeriodicTask pulse;

  NodeFaults(World world, ClusterGenerator clusterGenerator, Journal journal) {
    this.world = world;
    this.clusterGenerator = clusterGenerator;
    this.chance = new Chance(world.settings().seed(), "mishaps");
    this.journal = journal;
    var pause =
        chance.of(List.of(Duration.ofSeconds(5), Duration.ofSeconds(20), Duration.ofMinutes(5)));
    this.pulse = new PeriodicTask(world.time(), chance, pause, this::happen);
  }

  void begin() {
    pulse.begin();
  }

  void end() {
    pulse.end();
  }

  private void happen() {
    var nodes = world.list(Kind.NODE);
    if (nodes.size() < 2) {
      come();
      return;
    }
    var node = chance.of(nodes);
    switch (chance.below(5)) {
      case 0 -> lose(node);
      case 1 -> {
        if (nodes.size() < 6) {
          come();
        }
      }
      case 2 -> cordon(node);
      case 3 -> ready(node);
      default -> device(node);
    }
  }

  private void come() {
    var node = clusterGenerator.addNode();
    journal.tell("node " + ObjectTree.name(node) + " comes");
    journal.count("nodes: came");
  }

  private void lose(Map<String, Object> node) {
    String name = ObjectTree.name(node);
    journal.tell("node " + name + " is lost");
    journal.count("nodes: lost");
    world.delete(ObjectRef.to(Kind.NODE, node));
    Duration collected = chance.between(Duration.ofMillis(100), Duration.ofSeconds(5));
    world.time().after(collected, () -> collect(name));
    if (chance.comes(0.5)) {
      var again = ObjectTree.thaw(node);
      ObjectTree.under(again, "metadata").remove("resourceVersion");
      world
          .time()
          .after(
              collected.plus(chance.between(BACK, BACK_AT_LAST)),
              () -> {
                collect(name);
                if (world.find(ObjectRef.to(Kind.NODE, again)).isEmpty()) {
                  journal.tell("node " + name + " is back");
                  journal.count("nodes: back");
                  world.create(Kind.NODE, again);
                }
              });
    } else {
      world
          .time()
          .after(collected.plusSeconds(10), () -> collect(name)); // a pod that was bound late
    }
  }

  /// All pods of a node that is not there, at once. A restore of etcd may have put the node back
  /// meanwhile: then its pods stay.
  private void collect(String node) {
    if (world.list(Kind.NODE).stream().anyMatch(there -> ObjectTree.name(there).equals(node))) {
      return;
    }
    for (var pod : world.list(Kind.POD)) {
      if (PodView.of(pod).node().equals(node)) {
        world.remove(ObjectRef.to(Kind.POD, pod));
      }
    }
  }

  private void cordon(Map<String, Object> node) {
    boolean cordoned = ObjectTree.isTrue(node, "spec", "unschedulable");
    journal.tell("node " + ObjectTree.name(node) + (cordoned ? " is uncordoned" : " is cordoned"));
    journal.count("nodes: cordoned or uncordoned");
    world.patch(
        ObjectRef.to(Kind.NODE, node),
        of("spec", of("unschedulable", cordoned ? ObjectTree.ABSENT : Boolean.TRUE)));
  }

  private void ready(Map<String, Object> node) {
    boolean ready =
        ObjectTree.text(ObjectTree.maps(node, "status", "conditions").getFirst(), "status")
            .equals("True");
    journal.tell("node " + ObjectTree.name(node) + (ready ? " is not ready" : " is ready again"));
    journal.count("nodes: not ready, or ready again");
    var tainted = of("key", "node.kubernetes.io/not-ready", "value", "", "effect", "NoSchedule");
    world.patch(
        ObjectRef.to(Kind.NODE, node),
        of("spec", of("taints", ready ? List.of(tainted) : ObjectTree.ABSENT)));
    world.patchStatus(
        ObjectRef.to(Kind.NODE, node),
        of(
            "status",
            of("conditions", List.of(of("type", "Ready", "status", ready ? "False" : "True")))));
  }

  private void device(Map<String, Object> node) {
    long has = PodView.allocatable(node).getOrDefault(ClusterGenerator.GPU, 0L);
    long most = Long.parseLong(ObjectTree.label(node, "nvidia.com/gpu.count"));
    long next = has < most ? most : Math.max(0, has - 1);
    journal.tell("node " + ObjectTree.name(node) + " has " + next + " of its " + most + " devices");
    journal.count(next < has ? "nodes: lost a device" : "nodes: device back");
    world.patchStatus(
        ObjectRef.to(Kind.NODE, node),
        of("status", of("allocatable", of(ClusterGenerator.GPU, Long.toString(next)))));
  }
}
