package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.NodeRoom;
import dev.berth.engine.model.NodeRoom.Holder;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Resource;
import java.util.LinkedHashSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/// A shared device of a node: who sits on it, and who holds it.
final class SlotEntry {
  private static final Amounts ONE_POD = Amounts.of(Resource.PODS, 1);

  final int index;
  final LinkedHashSet<PodEntry> users = new LinkedHashSet<>();

  /// One, except where somebody made a second by hand.
  final TreeMap<PodKey, Held> holders = new TreeMap<>();

  boolean retired;

  SlotEntry(int index) {
    this.index = index;
  }

  boolean isEmpty() {
    return users.isEmpty() && holders.isEmpty();
  }

  /// A pod that holds this device.
  ///
  /// @param amounts what it takes of the node itself
  record Held(Pod pod, Amounts amounts) {}

  /// What it takes of its node: its holders' own requests, or as much as a holder that is still to
  /// come will take at least.
  Amounts used(Resource device) {
    var used = Amounts.NONE;
    for (Held holder : holders.values()) {
      if (!holder.pod().isOver()) {
        used = used.plus(holder.amounts());
      }
    }
    return !used.isNone() || users.isEmpty() ? used : ONE_POD.plus(Amounts.of(device, 1));
  }

  /// The part of it that comes free by itself: its holder leaves and nobody sits on it.
  Amounts leaving(Resource device) {
    return users.isEmpty() && holder() == Holder.RETIRING ? used(device) : Amounts.NONE;
  }

  boolean isHeld() {
    for (Held holder : holders.values()) {
      if (!holder.pod().isOver()) {
        return true;
      }
    }
    return false;
  }

  Holder holder() {
    if (holders.isEmpty()) {
      return Holder.ABSENT;
    }
    boolean leaving = true;
    for (Held holder : holders.values()) {
      leaving &= holder.pod().isOver() || holder.pod().life().leaving();
    }
    if (leaving || retired) {
      return Holder.RETIRING;
    }
    return uuid().isEmpty() ? Holder.STARTING : Holder.REPORTED;
  }

  /// The device as its holder told it; empty = not yet.
  String uuid() {
    for (Held holder : holders.values()) {
      String uuid = holder.pod().holding().uuid();
      if (!holder.pod().isOver() && !uuid.isEmpty()) {
        return uuid;
      }
    }
    return "";
  }

  int millis(Predicate<PodEntry> counts) {
    int millis = 0;
    for (PodEntry user : users) {
      if (counts.test(user)) {
        millis += user.seat.millis();
      }
    }
    return millis;
  }

  boolean isUsedBy(Predicate<PodEntry> counts) {
    for (PodEntry user : users) {
      if (counts.test(user)) {
        return true;
      }
    }
    return false;
  }

  /// A dead holder that nobody counts on is not worth showing: its device is free.
  boolean isShown() {
    return !users.isEmpty() || isHeld();
  }

  NodeRoom.Slot shown() {
    return new NodeRoom.Slot(
        index, holder(), uuid(), millis(_ -> true), millis(user -> user.charge.leaving()));
  }
}
