package dev.berth.engine.ledger;

import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Placement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// Where shares sit that run without a written plan: on the devices that their Binding names, the
/// others each on the first devices where they fit, in the order of their keys.
final class UnplannedShares {
  /// More than any node has; a request for more must cost little.
  private static final int MOST_DEVICES = 256;

  /// In place of a slot: no holder tells the device.
  private static final int UNTOLD = -1;

  private UnplannedShares() {}

  static void take(NodeUsage node, BiConsumer<PodRecord, Placement> sit) {
    var partly = new ArrayList<PodRecord>(0);
    var unnamed = new ArrayList<PodRecord>();
    for (PodRecord pod : node.floating.values()) {
      List<Integer> told = told(node, pod);
      if (told.isEmpty() || told.stream().allMatch(slot -> slot == UNTOLD)) {
        unnamed.add(pod);
      } else if (told.contains(UNTOLD)) {
        partly.add(pod);
      } else {
        sit.accept(pod, new Placement(node.name, sorted(told), millis(node, pod)));
      }
    }
    partly.addAll(unnamed);
    for (PodRecord pod : partly) {
      int millis = millis(node, pod);
      sit.accept(pod, new Placement(node.name, firstFit(node, pod, millis), millis));
    }
  }

  /// Whether a share runs on a device that the holder of another slot tells than the one where it
  /// sits.
  static boolean isAnyElsewhere(NodeUsage node) {
    for (PodRecord pod : node.named.values()) {
      if (!ofNamed(node, pod).equals(pod.seat)) {
        return true;
      }
    }
    return false;
  }

  /// Where a share sits whose Binding names its devices: each on the slot whose holder reports it.
  /// Its own holder may have been lost, and another one of the node have got the device. A device
  /// that no holder reports sits as it was planned, or on a planned slot that is left over.
  static Placement ofNamed(NodeUsage node, PodRecord pod) {
    Placement planned = pod.charge.placement();
    List<Integer> told = told(node, pod);
    if (told.size() != planned.slots().size()) {
      return planned;
    }
    var slots = new ArrayList<>(told);
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i) == UNTOLD && !slots.contains(planned.slots().get(i))) {
        slots.set(i, planned.slots().get(i));
      }
    }
    var left = new ArrayDeque<>(planned.slots());
    left.removeAll(slots);
    slots.replaceAll(slot -> slot == UNTOLD ? left.removeFirst() : slot);
    slots.sort(null);
    return slots.equals(planned.slots())
        ? planned
        : new Placement(node.name, slots, planned.millis());
  }

  private static List<Integer> sorted(List<Integer> slots) {
    return slots.stream().sorted().toList();
  }

  /// A share that has no size here (the memory of the devices is not known) takes a whole device.
  private static int millis(NodeUsage node, PodRecord pod) {
    long memoryMib = node.node().accelerator().memoryMib();
    return Math.clamp(pod.pod.asks().request().devices().millisOn(memoryMib), 1, 1000);
  }

  /// For each written device the slot whose holder tells it, else [#UNTOLD]. A device that is
  /// written as a small number is the slot itself. Empty unless as many are written as are asked
  /// for.
  private static List<Integer> told(NodeUsage node, PodRecord pod) {
    List<String> devices = pod.pod.written().devices();
    if (devices.size() != pod.pod.asks().request().devices().count()) {
      return List.of();
    }
    var slots = new ArrayList<Integer>(devices.size());
    for (String device : devices) {
      int slot = slotOf(node, device, pod.charge.placement().slots());
      slots.add(slots.contains(slot) ? UNTOLD : slot);
    }
    return slots;
  }

  /// A holder that goes may tell a device that another holder got since: its end is not seen yet.
  private static int slotOf(NodeUsage node, String device, List<Integer> planned) {
    int best = UNTOLD;
    int rank = -1;
    for (SharedDevice slot : node.slots.values()) {
      if (slot.uuid().equals(device)) {
        boolean stays = slot.holder() != Holder.RETIRING;
        int ranks = (stays ? 2 : 0) + (planned.contains(slot.index) ? 1 : 0);
        if (ranks > rank) {
          best = slot.index;
          rank = ranks;
        }
      }
    }
    if (best != UNTOLD) {
      return best;
    }
    boolean isIndex = !device.isEmpty() && device.length() <= 3;
    for (int i = 0; i < device.length() && isIndex; i++) {
      isIndex = device.charAt(i) >= '0' && device.charAt(i) <= '9';
    }
    return isIndex ? Integer.parseInt(device) : UNTOLD;
  }

  /// The slots that are told, then the first where it fits.
  private static List<Integer> firstFit(NodeUsage node, PodRecord pod, int millis) {
    int count = Math.min(MOST_DEVICES, pod.pod.asks().request().devices().count());
    var slots = new ArrayList<>(told(node, pod));
    slots.removeIf(slot -> slot == UNTOLD);
    for (int index = 0; slots.size() < count; index++) { // an unused index always fits
      SharedDevice slot = node.slots.getOrDefault(index, new SharedDevice(index));
      if (!slots.contains(index) && slot.millis(_ -> true) + millis <= 1000) {
        slots.add(index);
      }
    }
    return sorted(slots);
  }
}
