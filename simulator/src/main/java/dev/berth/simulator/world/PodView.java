package dev.berth.simulator.world;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// A pod's tree, read as someone who checks reads it: independently of the engine's reading.
public record PodView(Map<String, ?> tree) {
  public static PodView of(Map<String, ?> pod) {
    return new PodView(pod);
  }

  /// What a node has to give, `cpu` in milli-cores.
  public static SortedMap<String, Long> allocatable(Map<String, ?> node) {
    return Demand.amounts(Tree.map(node, "status", "allocatable"));
  }

  public String name() {
    return Tree.text(tree, "metadata", "namespace") + "/" + Tree.name(tree);
  }

  public String uid() {
    return Tree.uid(tree);
  }

  /// Empty = not bound.
  public String node() {
    return PodRules.node(tree);
  }

  /// On a node, and not over.
  public boolean takesRoom() {
    return PodRules.isActiveOnNode(tree);
  }

  public boolean isLeaving() {
    return PodRules.isLeaving(tree);
  }

  /// `Pending`, `Running`, `Succeeded`, `Failed`.
  public String phase() {
    return Tree.text(tree, "status", "phase");
  }

  public SortedMap<String, Long> amounts() {
    return Demand.of(tree).amounts();
  }

  public boolean isHolder() {
    return Tree.has(tree, "metadata", "labels", WorldHolders.LABEL);
  }

  /// The device that a holder tells; empty = not yet.
  public String reportedDevice() {
    for (var container : Tree.maps(tree, "status", "containerStatuses")) {
      return Tree.text(container, "lastState", "terminated", "message").strip();
    }
    return "";
  }

  /// The devices that an annotation lists.
  public List<String> devices(String annotation) {
    String devices = Tree.annotation(tree, annotation);
    return devices.isEmpty() ? List.of() : List.of(devices.split(",", -1));
  }

  /// Whether it asks for a share of a device.
  public boolean isShare() {
    return Tree.has(tree, "metadata", "annotations", "gpu-fraction")
        || Tree.has(tree, "metadata", "annotations", "gpu-memory");
  }

  /// Distinct devices that a share is asked of.
  public int deviceCount() {
    String count = Tree.annotation(tree, "gpu-fraction-num-devices");
    return count.isEmpty() ? 1 : Integer.parseInt(count);
  }

  /// Thousandths of each device that a share takes, rounded up.
  ///
  /// @param memoryMib of one device of its node
  public boolean isShareOfMemory() {
    return isShare() && !Tree.has(tree, "metadata", "annotations", "gpu-fraction");
  }

  public int shareMillis(long memoryMib) {
    String fraction = Tree.annotation(tree, "gpu-fraction");
    if (!fraction.isEmpty()) {
      return new BigDecimal(fraction).movePointRight(3).intValue();
    }
    String memory = Tree.annotation(tree, "gpu-memory");
    long mib =
        Character.isDigit(memory.charAt(memory.length() - 1))
            ? Long.parseLong(memory)
            : Quantity.of("memory", memory) >> 20;
    return (int) ((mib * 1000 + memoryMib - 1) / memoryMib);
  }

  /// The PodGroup that it names; empty = none.
  public String group() {
    String label = Tree.label(tree, "berth.dev/pod-group");
    return label.isEmpty() ? Tree.annotation(tree, "berth.dev/pod-group") : label;
  }
}
