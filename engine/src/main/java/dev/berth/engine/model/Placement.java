package dev.berth.engine.model;

import java.util.List;

/// Where a pod goes: the node, and of a shared device its slot.
///
/// A *slot* is a device of a node that is shared: 0 … devices − 1, the name of its holder. Which
/// physical device it is, the holder reports. Whole devices have no slot: the kubelet chooses.
///
/// @param slots distinct slots of the node, ascending; empty unless the pod asks for a share
/// @param millis thousandths taken of each slot; 0 without slots
public record Placement(NodeName node, List<Integer> slots, int millis) {
  public Placement {
    slots = List.copyOf(slots);
    if (node.isNone() && !slots.isEmpty()
        || millis < 0
        || millis > 1000
        || slots.isEmpty() != (millis == 0)
        || !areSlots(slots)) {
      throw new IllegalArgumentException(
          "no placement: node " + node + ", slots " + slots + ", millis " + millis);
    }
  }

  /// Stands for "nowhere".
  public static final Placement NONE = new Placement(NodeName.NONE, List.of(), 0);

  private static boolean areSlots(List<Integer> slots) {
    int before = -1;
    for (int slot : slots) {
      if (slot <= before) {
        return false;
      }
      before = slot;
    }
    return true;
  }

  public boolean isNone() {
    return node.isNone();
  }

  public static Placement on(NodeName node) {
    return new Placement(node, List.of(), 0);
  }
}
