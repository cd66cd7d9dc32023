package dev.berth.engine.ledger;

import dev.berth.engine.model.NodeRoom.Holder;
import dev.berth.engine.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;

/// Where shares sit that run without a written plan: on the devices that their Binding names, the
/// others each on the first devices where they fit, in the order of their keys.
final class Seats {
  /// More than any node has; whoever asks for more is not to keep us busy.
  private static final int MOST_DEVICES = 256;

  private Seats() {}

  static void take(NodeEntry node, BiConsumer<PodEntry, Placement> sit) {
    var unnamed = new ArrayList<PodEntry>();
    for (PodEntry pod : node.floating.values()) {
      List<Integer> slots = named(node, pod);
      if (slots.isEmpty()) {
        unnamed.add(pod);
      } else {
        sit.accept(pod, new Placement(node.name, slots, millis(node, pod)));
      }
    }
    for (PodEntry pod : unnamed) {
      int millis = millis(node, pod);
      sit.accept(pod, new Placement(node.name, firstFit(node, pod, millis), millis));
    }
  }

  /// Whether a share runs on a device that the holder of another slot tells than the one where it
  /// sits.
  static boolean isAnyElsewhere(NodeEntry node) {
    for (PodEntry pod : node.named.values()) {
      if (!ofNamed(node, pod).equals(pod.seat)) {
        return true;
      }
    }
    return false;
  }

  /// Where a share sits whose Binding names its devices: on the slots whose holders tell these. Its
  /// own holder may have been lost, and another one of the node have got the device. Else as it was
  /// planned.
  static Placement ofNamed(NodeEntry node, PodEntry pod) {
    Placement planned = pod.charge.placement();
    List<Integer> slots = named(node, pod);
    return slots.isEmpty() || slots.equals(planned.slots().stream().sorted().toList())
        ? planned
        : new Placement(node.name, slots, planned.millis());
  }

  /// A share that has no size here (the memory of the devices is not known) takes a whole device.
  private static int millis(NodeEntry node, PodEntry pod) {
    long memoryMib = node.node().accelerator().memoryMib();
    return Math.clamp(pod.pod.asks().request().devices().millisOn(memoryMib), 1, 1000);
  }

  /// The slots whose holders reported the written devices. A device that is written as a small
  /// number is the slot itself. Empty unless all are known and distinct.
  private static List<Integer> named(NodeEntry node, PodEntry pod) {
    List<String> devices = pod.pod.written().devices();
    if (devices.size() != pod.pod.asks().request().devices().count()) {
      return List.of();
    }
    var slots = new ArrayList<Integer>(devices.size());
    for (String device : devices) {
      int slot = slotOf(node, device, pod.charge.placement().slots());
      if (slot < 0 || slots.contains(slot)) {
        return List.of();
      }
      slots.add(slot);
    }
    Collections.sort(slots);
    return slots;
  }

  /// A holder that goes may tell a device that another holder got since: its end is not seen yet.
  private static int slotOf(NodeEntry node, String device, List<Integer> planned) {
    int best = -1;
    int rank = -1;
    for (SlotEntry slot : node.slots.values()) {
      if (slot.uuid().equals(device)) {
        boolean stays = slot.holder() != Holder.RETIRING;
        int ranks = (stays ? 2 : 0) + (planned.contains(slot.index) ? 1 : 0);
        if (ranks > rank) {
          best = slot.index;
          rank = ranks;
        }
      }
    }
    if (best >= 0) {
      return best;
    }
    boolean isIndex = !device.isEmpty() && device.length() <= 3;
    for (int i = 0; i < device.length() && isIndex; i++) {
      isIndex = device.charAt(i) >= '0' && device.charAt(i) <= '9';
    }
    return isIndex ? Integer.parseInt(device) : -1;
  }

  private static List<Integer> firstFit(NodeEntry node, PodEntry pod, int millis) {
    int count = Math.min(MOST_DEVICES, pod.pod.asks().request().devices().count());
    var slots = new ArrayList<Integer>(1);
    for (int index = 0; slots.size() < count; index++) { // an unused index always fits
      SlotEntry slot = node.slots.getOrDefault(index, new SlotEntry(index));
      if (slot.millis(_ -> true) + millis <= 1000) {
        slots.add(index);
      }
    }
    return slots;
  }
}
