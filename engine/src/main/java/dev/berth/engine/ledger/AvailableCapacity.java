package dev.berth.engine.ledger;

import dev.berth.engine.model.Demand.ArrivalClass;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the nodes have free, or being left, for pods that have not come yet. Nodes onto which
/// nothing is planned count as full.
final class AvailableCapacity {
  private static final int[] NO_PARTS = {};

  private final List<Node> nodes = new ArrayList<>();
  private final TreeSet<String> models = new TreeSet<>(); // of all nodes

  /// @param parts thousandths that are free of its shared GPUs
  private record Node(
      String model, long memoryMib, long cpu, long allCpu, long whole, int[] parts, int gpus) {
    long freeMillis() {
      long millis = 1000 * whole;
      for (int part : parts) {
        millis += part;
      }
      return millis;
    }

    long usedMillis() {
      return Math.max(0, 1000L * gpus - freeMillis());
    }
  }

  AvailableCapacity(List<NodeView> rooms) {
    for (NodeView room : rooms) {
      nodes.add(node(room));
      models.add(room.node().accelerator().model());
    }
  }

  private static Node node(NodeView room) {
    var node = room.node();
    var accelerator = node.accelerator();
    boolean isOpen = node.ready() && !node.unschedulable();
    long whole = isOpen && accelerator.sick().isEmpty() ? free(room, accelerator.resource()) : 0;
    var parts = room.slots().isEmpty() ? NO_PARTS : new int[room.slots().size()];
    for (int i = 0; i < parts.length; i++) {
      var slot = room.slots().get(i);
      boolean isFree = isOpen && accelerator.sick().isEmpty() && slot.isOpen();
      parts[i] = isFree ? Math.max(0, 1000 - slot.usedMillis() + slot.leavingMillis()) : 0;
    }
    return new Node(
        accelerator.model(),
        accelerator.memoryMib(),
        isOpen ? free(room, Resource.CPU) : 0,
        node.allocatable().of(Resource.CPU),
        accelerator.count() == 0 ? 0 : whole,
        parts,
        accelerator.count());
  }

  private static long free(NodeView room, Resource resource) {
    return Math.max(
        0,
        room.node().allocatable().of(resource)
            - room.used().of(resource)
            + room.leaving().of(resource));
  }

  /// Thousandths of GPUs by model that are free, and of as many as were given back the part that
  /// falls to a model by what of it is in use.
  SortedMap<String, Long> supply(long givenBackMillis) {
    long used = nodes.stream().mapToLong(Node::usedMillis).sum();
    var supply = new TreeMap<String, Long>();
    for (Node node : nodes) {
      if (node.gpus > 0) {
        double back = used == 0 ? 0 : (double) givenBackMillis * node.usedMillis() / used;
        supply.merge(node.model, node.freeMillis() + Math.round(back), Long::sum);
      }
    }
    return supply;
  }

  /// For how many pods of a class there is room, [ArrivalClass#PLENTY] at most; empty where no
  /// node, as far as nodes are known, could hold one if it were empty.
  OptionalLong places(ArrivalClass asks) {
    var accepted = new TreeSet<>(models);
    accepted.removeIf(model -> asks.devices().count() > 0 && !asks.models().accepts(model));
    boolean couldEver = nodes.isEmpty();
    long places = 0;
    for (Node node : nodes) {
      if (!accepted.contains(node.model)) {
        continue;
      }
      couldEver = couldEver || asks.places(node.allCpu, node.gpus, NO_PARTS, 0, node.memoryMib) > 0;
      places += asks.places(node.cpu, node.whole, node.parts, node.parts.length, node.memoryMib);
      if (places >= ArrivalClass.PLENTY) {
        return OptionalLong.of(ArrivalClass.PLENTY);
      }
    }
    return couldEver ? OptionalLong.of(places) : OptionalLong.empty();
  }
}
