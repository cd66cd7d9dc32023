package dev.berth.engine.placement;

import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PodClass;
import java.util.Arrays;

/// Which devices of a node a share gets: the fullest shared one that has room at once, then one
/// that has it soon; then a device that only its holder keeps; then a new slot, the lowest number
/// first; then a device whose sharers are all leaving. Never a retiring one, never the same one
/// twice.
final class Sharing {
  private Sharing() {}

  /// The place on a node that has room ([Fit]), slots included.
  static Assignment assignment(FreeCapacity room, PodClass podClass, int n) {
    if (!podClass.isShare()) {
      return Assignment.on(n);
    }
    int millis = podClass.millisOn(room.kind(n));
    var slots = new int[podClass.devices().count()];
    for (int chosen = 0; chosen < slots.length; chosen++) {
      slots[chosen] = best(room, n, millis, slots, chosen);
      if (slots[chosen] < 0) {
        throw new IllegalStateException(
            "node " + room.node(n).name() + " has no " + slots.length + " × " + millis + " free");
      }
    }
    Arrays.sort(slots);
    return new Assignment(n, slots, millis);
  }

  /// Whether these very slots may be joined or opened.
  static boolean isFree(FreeCapacity room, Assignment assignment) {
    int fresh = 0;
    var slots = room.slots();
    for (int slot : assignment.slots()) {
      boolean shared = slots.isShared(assignment.node(), slot);
      boolean can =
          shared
              || slots.isVacant(assignment.node(), slot)
              || slots.isUnused(assignment.node(), slot);
      if (!can || slots.freeSoon(assignment.node(), slot) < assignment.millis()) {
        return false;
      }
      fresh += shared ? 0 : 1;
    }
    return mayOpen(room, assignment.node(), fresh);
  }

  /// Whether so many devices are there for a share, and for it and their holders places among the
  /// pods. (That a node has room for the share, as [Fit] says, may be by other devices.)
  private static boolean mayOpen(FreeCapacity room, int n, int devices) {
    return devices == 0
        || devices <= room.freeSoon(n, room.device(n)) && devices < room.freeSoon(n, room.pods());
  }

  /// Whether a victim that goes back to its slots opens no more devices than it has to: a device
  /// whose sharers all left is free, and better joined is another one.
  static boolean isPacked(FreeCapacity room, MemberState seat) {
    var home = seat.origin();
    int opened = 0;
    var slots = room.slots();
    for (int slot : home.slots()) {
      opened += slots.isShared(home.node(), slot) ? 0 : 1;
    }
    int must = home.slots().length - Fit.sharedWith(room, home.node(), home.millis());
    return opened <= Math.max(0, must);
  }

  /// Whether pods that left these slots may have them again: the devices are still shared with room
  /// for them, or free.
  static boolean canReturn(FreeCapacity room, Assignment home) {
    int devices = 0;
    var slots = room.slots();
    for (int slot : home.slots()) {
      boolean shared = slots.isShared(home.node(), slot);
      devices += shared ? 0 : 1;
      boolean fits = slots.freeSoon(home.node(), slot) >= home.millis();
      if (!fits || !shared && !slots.isVacant(home.node(), slot)) {
        return false;
      }
    }
    return mayOpen(room, home.node(), devices);
  }

  /// Whether another shared device of the node has room for as much as this place takes of one.
  static boolean isRoomBeside(FreeCapacity room, Assignment place) {
    int n = place.node();
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      if (slots.isShared(n, slot)
          && slots.freeSoon(n, slot) >= place.millis()
          && !contains(place.slots(), place.slots().length, slot)) {
        return true;
      }
    }
    return false;
  }

  private static int best(FreeCapacity room, int n, int millis, int[] taken, int count) {
    int best = -1;
    int bestRank = Integer.MAX_VALUE;
    var slots = room.slots();
    for (int slot = 0; slot < slots.count(n); slot++) {
      int rank = rank(room, n, slot, millis);
      if (rank < bestRank && !contains(taken, count, slot)) {
        best = slot;
        bestRank = rank;
      }
    }
    return best;
  }

  /// Smaller is better; `Integer.MAX_VALUE` = not this one.
  private static int rank(FreeCapacity room, int n, int slot, int millis) {
    var slots = room.slots();
    int free = slots.free(n, slot);
    int soon = slots.freeSoon(n, slot);
    if (slots.isShared(n, slot)) {
      return free >= millis ? free : soon >= millis ? 10_000 + soon : Integer.MAX_VALUE;
    }
    if (slots.isVacant(n, slot)) {
      return free == 1000 ? 20_000 : 40_000;
    }
    return slots.isUnused(n, slot) ? 30_000 : Integer.MAX_VALUE;
  }

  private static boolean contains(int[] slots, int count, int slot) {
    for (int i = 0; i < count; i++) {
      if (slots[i] == slot) {
        return true;
      }
    }
    return false;
  }
}
