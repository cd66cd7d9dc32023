package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.Arrays;

/// What one node has free or being left, to be read and taken from without touching the room. One
/// object serves for all nodes, one after the other.
final class FreeOnNode {
  private final FreeCapacity room;
  private int[] slots = new int[8]; // of `parts`
  private int[] parts = new int[8];
  private int shared;
  private long cpu;
  private long whole;

  FreeOnNode(FreeCapacity room) {
    this.room = room;
  }

  /// Reads another node.
  void read(int n) {
    cpu = Math.max(0, room.freeSoon(n, room.cpu()));
    whole = room.device(n) < 0 ? 0 : Math.max(0, room.freeSoon(n, room.device(n)));
    shared = 0;
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      if (slots.isShared(n, slot)) {
        add(slot, slots.freeSoon(n, slot));
      }
    }
  }

  /// @param n the node that was read, which has room
  void take(PodClass podClass, int n) {
    cpu = Math.max(0, cpu - cpu(podClass));
    if (!podClass.isShare()) {
      whole -= podClass.devices().count();
      return;
    }
    int millis = podClass.millisOn(room.kind(n));
    var slots = room.slots();
    for (int slot : Sharing.assignment(room, podClass, n).slots()) {
      if (slots.isShared(n, slot)) {
        parts[indexOf(slot)] -= millis;
      } else {
        whole--;
        add(slot, 1000 - millis);
      }
    }
  }

  private long cpu(PodClass podClass) {
    for (int i = 0; i < podClass.needs(); i++) {
      if (podClass.resource(i) == room.cpu()) {
        return podClass.need(i);
      }
    }
    return 0;
  }

  private void add(int slot, int free) {
    if (shared == parts.length) {
      slots = Arrays.copyOf(slots, 2 * shared);
      parts = Arrays.copyOf(parts, 2 * shared);
    }
    slots[shared] = slot;
    parts[shared++] = free;
  }

  private int indexOf(int slot) {
    int i = 0;
    while (slots[i] != slot) {
      i++;
    }
    return i;
  }

  /// Thousandths of a core.
  long cpu() {
    return cpu;
  }

  /// GPUs that are wholly free.
  long whole() {
    return whole;
  }

  /// How many GPUs are shared.
  int shared() {
    return shared;
  }

  /// Thousandths that are free of its shared GPUs, of which the first [#shared] count.
  int[] parts() {
    return parts;
  }

  /// Thousandths of devices that are free or being left, shared ones included.
  static long devicesLeft(FreeCapacity room, int n) {
    if (room.device(n) < 0) {
      return 0;
    }
    long left = 1000 * Math.max(0, room.freeSoon(n, room.device(n)));
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      left += slots.isShared(n, slot) ? Math.max(0, slots.freeSoon(n, slot)) : 0;
    }
    return left;
  }
}
