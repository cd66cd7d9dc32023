package dev.berth.simulator.world;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/// A pod's tree, read as a check reads it: independently of the engine's reading.
public record PodView(Map<String, ?> tree) {
  public static PodView of(Map<String, ?> pod) {
    return new PodView(pod);
  }

  /// What a node has to give, `cpu` in milli-cores.
  public static SortedMap<String, Long> allocatable(Map<String, ?> node) {
    return RequestedAmounts.amounts(ObjectTree.map(node, "status", "allocatable"));
  }

  public String name() {
    return ObjectTree.text(tree, "metadata", "namespace") + "/" + ObjectTree.name(tree);
  }

  public String uid() {
    return ObjectTree.uid(tree);
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
    return ObjectTree.text(tree, "status", "phase");
  }

  public SortedMap<String, Long> amounts() {
    return RequestedAmounts.of(tree).amounts();
  }

  public boolean isHolder() {
    return ObjectTree.has(tree, "metadata", "labels", WorldHolders.LABEL);
  }

  /// The device that a holder tells; empty = not yet.
  public String reportedDevice() {
    for (var container : ObjectTree.maps(tree, "status", "containerStatuses")) {
      return ObjectTree.text(container, "lastState", "terminated", "message").strip();
    }
    return "";
  }

  /// The devices that an annotation lists.
  public List<String> devices(String annotation) {
    String devices = ObjectTree.annotation(tree, annotation);
    return devices.isEmpty() ? List.of() : List.of(devices.split(",", -1));
  }

  /// Whether it asks for a share of a device.
  public boolean isShare() {
    return ObjectTree.has(tree, "metadata", "annotations", "gpu-fraction")
        || ObjectTree.has(tree, "metadata", "annotations", "gpu-memory");
  }

  /// Distinct devices that a share is asked of.
  public int deviceCount() {
    String count = ObjectTree.annotation(tree, "gpu-fraction-num-devices");
    return count.isEmpty() ? 1 : Integer.parseInt(count);
  }

  /// Thousandths of each device that a share takes, rounded up.
  ///
  /// @param memoryMib of one device of its node
  public boolean isShareOfMemory() {
    return isShare() && !ObjectTree.has(tree, "metadata", "annotations", "gpu-fraction");
  }

  public int shareMillis(long memoryMib) {
    String fraction = ObjectTree.annotation(tree, "gpu-fraction");
    if (!fraction.isEmpty()) {
      return new BigDecimal(fraction).movePointRight(3).intValue();
    }
    String memory = ObjectTree.annotation(tree, "gpu-memory");
    long mib =
        Character.isDigit(memory.charAt(memory.length() - 1))
            ? Long.parseLong(memory)
            : Quantity.of("memory", memory) >> 20;
    return (int) ((mib * 1000 + memoryMib - 1) / memoryMib);
  }

  /// The PodGroup that it names; empty = none.
  public String group() {
    String label = ObjectTree.label(tree, "berth.dev/pod-group");
    return label.isEmpty() ? ObjectTree.annotation(tree, "berth.dev/pod-group") : label;
  }
}
