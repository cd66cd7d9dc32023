package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Warmth;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;

/// Holders of a node that stay though no share uses them, so that the next share starts at once.
final class WarmSlots {
  private WarmSlots() {}

  /// Idle holders that stay ready, lowest slots first. A node gets another one only where a device
  /// is free beside everything that is planned: it never takes room from a plan. One after the
  /// other.
  static Warmth of(NodeUsage node, int most) {
    if (most == 0) {
      return Warmth.NONE;
    }
    var kept = new ArrayList<SlotKey>(0);
    boolean coming = false;
    boolean shared = false;
    for (SharedDevice slot : node.slots.values()) {
      shared |= !slot.users.isEmpty();
      coming |= slot.users.isEmpty() && slot.unseen;
      boolean idle = slot.users.isEmpty() && slot.isHeld() && node.mayBeJoined(slot);
      if (idle && kept.size() < most) {
        kept.add(new SlotKey(node.name, slot.index));
      }
    }
    var seen = node.node();
    boolean healthy = seen.ready() && !seen.unschedulable() && seen.accelerator().sick().isEmpty();
    if (!shared || !healthy || node.isTroubled()) {
      return Warmth.NONE;
    }
    boolean more = kept.size() < most && !coming;
    return new Warmth(kept, more ? coldSlot(node) : List.of());
  }

  private static List<SlotKey> coldSlot(NodeUsage node) {
    Amounts more =
        node.used().plus(Amounts.of(node.device(), 1)).plus(Amounts.of(Resource.PODS, 1));
    if (!node.isOver(node.device(), more) && !node.isOver(Resource.PODS, more)) {
      for (int index = 0; index < node.node().accelerator().capacity(); index++) {
        if (!node.slots.containsKey(index)) {
          return List.of(new SlotKey(node.name, index));
        }
      }
    }
    return List.of();
  }
}
