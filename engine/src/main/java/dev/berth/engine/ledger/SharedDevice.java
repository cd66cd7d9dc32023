package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Resource;
import java.util.LinkedHashSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A shared device of a node: the pods on it, and its holder.
final class SharedDevice {
  private static final Amounts ONE_POD = Amounts.of(Resource.PODS, 1);

  final int index;
  final LinkedHashSet<PodRecord> users = new LinkedHashSet<>();

  /// One, except where a user created a second one by hand.
  final TreeMap<PodKey, Held> holders = new TreeMap<>();

  boolean retired;

  /// The creation of a holder was not answered: it may still appear, whatever plan needs it by
  /// then. Its device stays taken until that is impossible.
  boolean expected;

  /// A holder was requested, as far as is known with success, and the watch has not shown it: its
  /// device stays taken, whatever plan needs it by then.
  boolean unseen;

  /// Whether containers of the node are known to get the GPU that they are given.
  boolean proven = true;

  /// Devices on which users were started and that are not the one that its holder holds now: the
  /// holder was created anew, or its device is another one. No holder has them; they count as
  /// taken.
  private int strays;

  SharedDevice(int index) {
    this.index = index;
  }

  boolean isEmpty() {
    return users.isEmpty() && holders.isEmpty() && !mayCome();
  }

  /// A pod that holds this device.
  ///
  /// @param amounts what it takes of the node itself
  record Held(Pod pod, Amounts amounts) {}

  /// After every change of users or holders.
  void recount() {
    String held = uuid();
    var others = new TreeSet<String>();
    for (PodRecord user : users) {
      String device = user.deviceOn(index);
      boolean runsOnIt = user.charge.devices().contains(held); // in whatever order they were told
      if (isUuid(held) && isUuid(device) && !runsOnIt) {
        others.add(device);
      }
    }
    strays = others.size();
  }

  /// A bare index is a name that was written by hand.
  static boolean isUuid(String device) {
    return device.contains("-");
  }

  /// Whether all pods that run on it run on the device that its holder holds.
  boolean isTrue() {
    return strays == 0;
  }

  /// What it takes of its node: its holders' own requests, or as much as a holder that is still to
  /// come will take at least.
  Amounts used(Resource device) {
    var used = Amounts.NONE;
    for (Held holder : holders.values()) {
      if (!holder.pod().isOver()) {
        used = used.plus(holder.amounts());
      }
    }
    if (strays > 0) {
      return used.plus(Amounts.of(device, strays));
    }
    boolean toCome = !users.isEmpty() || mayCome();
    return used.isNone() && toCome ? ONE_POD.plus(Amounts.of(device, 1)) : used;
  }

  /// The part of it that comes free by itself: its holder leaves, or may never come, and no pod is
  /// on it.
  Amounts leaving(Resource device) {
    return users.isEmpty() && holder() == Holder.RETIRING ? used(device) : Amounts.NONE;
  }

  /// No holder was created for it.
  boolean isMerelyPlanned() {
    return holders.isEmpty() && !mayCome();
  }

  /// Whether a holder may be there that was not seen.
  boolean mayCome() {
    return expected || unseen;
  }

  boolean isHeld() {
    for (Held holder : holders.values()) {
      if (!holder.pod().isOver()) {
        return true;
      }
    }
    return false;
  }

  /// A dead one holds nothing: the slot is as good as without, and gets another when it is gone.
  Holder holder() {
    if (!isHeld()) {
      return mayCome() && users.isEmpty() ? Holder.RETIRING : Holder.ABSENT;
    }
    boolean leaving = true;
    for (Held holder : holders.values()) {
      leaving &= holder.pod().isOver() || holder.pod().life().leaving();
    }
    if (leaving || retired) {
      return Holder.RETIRING;
    }
    return uuid().isEmpty() || !proven ? Holder.STARTING : Holder.REPORTED;
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

  /// Whether a holder has that GPU, told or, by the kubelet's word, not told yet.
  boolean holds(String gpu) {
    for (Held holder : holders.values()) {
      Pod pod = holder.pod();
      boolean has = pod.holding().uuid().equals(gpu) || pod.life().allocated().contains(gpu);
      if (has && !pod.isOver()) {
        return true;
      }
    }
    return false;
  }

  int millis(Predicate<PodRecord> counts) {
    int millis = 0;
    for (PodRecord user : users) {
      if (counts.test(user)) {
        millis += user.seat.millis();
      }
    }
    return millis;
  }

  boolean isUsedBy(Predicate<PodRecord> counts) {
    for (PodRecord user : users) {
      if (counts.test(user)) {
        return true;
      }
    }
    return false;
  }

  /// Whether it comes first where there is room for one holder: the first in line for room sits on
  /// it, else the smaller index decides.
  boolean isAheadOf(SharedDevice other) {
    boolean ahead = other.users.stream().allMatch(user -> users.stream().anyMatch(user::isBehind));
    boolean behind = users.stream().allMatch(user -> other.users.stream().anyMatch(user::isBehind));
    return ahead != behind ? ahead : index < other.index;
  }

  /// A dead holder on which no plan counts is not shown: its device is free.
  boolean isShown() {
    return !users.isEmpty() || isHeld() || mayCome();
  }

  /// @param open whether others may join
  NodeView.Slot shown(boolean open) {
    return new NodeView.Slot(
        index,
        open ? holder() : Holder.RETIRING,
        uuid(),
        millis(_ -> true),
        millis(user -> user.charge.leaving()));
  }

  /// Whether a pod that is bound to it was given a GPU that its holder does not hold.
  boolean isLost() {
    String held = uuid();
    for (PodRecord user : users) {
      if (user.runsOn().stream().anyMatch(SharedDevice::isUuid) && !user.runsOn().contains(held)) {
        return true;
      }
    }
    return false;
  }

  /// A plan or a pod counts on its holder, which has not reported its device.
  boolean isSilent() {
    return !users.isEmpty() && holder() != Holder.RETIRING && uuid().isEmpty();
  }
}
