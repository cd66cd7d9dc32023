package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.Overfull;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Warmth;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// One node and what of it is taken, kept as pods come and go. It may not have been seen yet, or
/// not any more: what is on it counts as soon as it is.
final class NodeUsage {
  static final Node UNSEEN =
      new Node(
          NodeName.NONE,
          0,
          new TreeMap<>(),
          List.of(),
          true,
          false,
          Amounts.NONE,
          Node.Accelerator.NONE);

  /// Where pods are that are nowhere. (After [#UNSEEN], which it begins with.)
  static final NodeUsage NOWHERE = new NodeUsage(NodeName.NONE);

  final NodeName name;
  final TreeMap<Integer, SharedDevice> slots = new TreeMap<>();

  /// Shares that run here and whose slots nobody wrote down, in the order in which they are seated.
  final TreeMap<PodKey, PodRecord> floating = new TreeMap<>();

  /// Bound shares of which the Binding says the devices.
  final TreeMap<PodKey, PodRecord> named = new TreeMap<>();

  /// Pods that kube-scheduler refused this node.
  final LinkedHashSet<PodRecord> vetoed = new LinkedHashSet<>();

  private final LinkedHashSet<PodRecord> plans = new LinkedHashSet<>();
  private final LinkedHashSet<PodRecord> victimOf = new LinkedHashSet<>();
  private final TreeMap<String, LinkedHashSet<PodRecord>> ports = new TreeMap<>();
  private int pods;
  private Node node = UNSEEN;
  private Amounts used = Amounts.NONE;
  private Amounts leaving = Amounts.NONE;
  private Amounts foreign = Amounts.NONE;
  private Optional<NodeView> shown = Optional.empty();

  /// Why no further device can be held here; empty = nothing.
  private String trouble = "";

  private Numa numa = Numa.NONE;
  private Injection injection = Injection.ASSUMED;

  private static final int WHOLE = 1000; // thousandths of a device

  NodeUsage(NodeName name) {
    this.name = name;
  }

  Node node() {
    return node;
  }

  boolean isSeen() {
    return !node.name().isNone();
  }

  /// Whether no device can have that number: the node is gone, or has fewer.
  boolean lacksSlot(int index) {
    return index >= node.accelerator().capacity();
  }

  Injection injection() {
    return injection;
  }

  /// How containers here get the GPU of their share.
  void injection(Injection next) {
    injection = next;
    slots.values().forEach(slot -> slot.proven = next.isProven());
    if (isSeen()) {
      node = node.with(next);
    }
  }

  /// Whether a holder of this node holds that GPU.
  boolean holds(String uuid) {
    for (SharedDevice slot : slots.values()) {
      if (slot.holds(uuid)) {
        return true;
      }
    }
    return false;
  }

  /// A slot whose holder has told its GPU while nobody knows yet whether containers get theirs.
  Optional<SharedDevice> unproven() {
    for (SharedDevice slot : slots.values()) {
      if (!slot.uuid().isEmpty() && !injection.isProven() && injection.fault().isEmpty()) {
        return Optional.of(slot);
      }
    }
    return Optional.empty();
  }

  boolean isForgettable() {
    return !isSeen()
        && pods == 0
        && slots.isEmpty()
        && vetoed.isEmpty()
        && trouble.isEmpty()
        && numa.isNone()
        && injection.equals(Injection.ASSUMED);
  }

  Numa numa() {
    return numa;
  }

  void numa(Numa zones) {
    numa = zones;
  }

  void trouble(String words) {
    trouble = words;
  }

  boolean isTroubled() {
    return !trouble.isEmpty();
  }

  /// Whether somebody may be planned onto a slot: its holder stays, and has told its device where
  /// others of this node do not.
  boolean mayBeJoined(int index) {
    return mayBeJoined(slots.getOrDefault(index, new SharedDevice(index)));
  }

  boolean mayBeJoined(SharedDevice slot) {
    var holder = slot.holder();
    return slot.isTrue() && (isTroubled() ? holder == Holder.REPORTED : holder != Holder.RETIRING);
  }

  void become(Node next) {
    for (SharedDevice slot : slots.values()) { // what a slot takes depends on the kind of device
      used = used.minus(slot.used(device()));
      leaving = leaving.minus(slot.leaving(device()));
    }
    node = next == UNSEEN ? next : next.with(injection);
    for (SharedDevice slot : slots.values()) {
      used = used.plus(slot.used(device()));
      leaving = leaving.plus(slot.leaving(device()));
    }
  }

  boolean isReady() {
    return node.ready();
  }

  private Resource device() {
    return node.accelerator().resource();
  }

  /// Takes in the charge of a pod that is no holder; its slots, if it has any, are taken by [#sit].
  void add(PodRecord pod) {
    var charge = pod.charge;
    pods++;
    used = used.plus(charge.amounts());
    if (charge.leaving()) {
      leaving = leaving.plus(charge.amounts());
    }
    if (charge.foreign()) {
      foreign = foreign.plus(charge.amounts());
    }
    for (String port : charge.ports()) {
      ports.computeIfAbsent(port, _ -> new LinkedHashSet<>()).add(pod);
    }
    if (charge.floating()) {
      floating.put(pod.pod.key(), pod);
    } else if (!charge.placement().slots().isEmpty()
        && charge.devices().stream().anyMatch(SharedDevice::isUuid)) {
      named.put(pod.pod.key(), pod);
    }
  }

  void remove(PodRecord pod) {
    var charge = pod.charge;
    pods--;
    used = used.minus(charge.amounts());
    if (charge.leaving()) {
      leaving = leaving.minus(charge.amounts());
    }
    if (charge.foreign()) {
      foreign = foreign.minus(charge.amounts());
    }
    for (String port : charge.ports()) {
      var takers = ports.getOrDefault(port, new LinkedHashSet<>());
      takers.remove(pod);
      if (takers.isEmpty()) {
        ports.remove(port);
      }
    }
    floating.remove(pod.pod.key(), pod);
    named.remove(pod.pod.key(), pod);
    plans.remove(pod);
    victimOf.remove(pod);
  }

  void plan(PodRecord pod, boolean planned) {
    if (planned) {
      plans.add(pod);
    } else {
      plans.remove(pod);
    }
  }

  void markVictims(PodRecord pod) {
    victimOf.add(pod);
  }

  /// Changes one slot and what it takes of the node.
  void change(int index, Consumer<SharedDevice> change) {
    SharedDevice slot = slots.computeIfAbsent(index, this::open);
    used = used.minus(slot.used(device()));
    leaving = leaving.minus(slot.leaving(device()));
    change.accept(slot);
    slot.recount();
    used = used.plus(slot.used(device()));
    leaving = leaving.plus(slot.leaving(device()));
    if (slot.holders.isEmpty()) {
      slot.retired = false;
    }
    if (slot.isEmpty()) {
      slots.remove(index);
    }
  }

  private SharedDevice open(int index) {
    var slot = new SharedDevice(index);
    slot.proven = injection.isProven();
    return slot;
  }

  /// As a snapshot shows it; empty while the node itself has not been seen. The same object as
  /// before where nothing changed.
  Optional<NodeView> room() {
    if (!isSeen()) {
      shown = Optional.empty();
      return shown;
    }
    var shownSlots = new ArrayList<NodeView.Slot>(slots.size());
    for (SharedDevice slot : slots.values()) {
      if (slot.isShown()) {
        shownSlots.add(slot.shown(mayBeJoined(slot)));
      }
    }
    var room =
        new NodeView(
            node, used, leaving, foreign, shownSlots, new TreeSet<>(ports.keySet()), trouble, numa);
    if (!shown.equals(Optional.of(room))) {
      shown = Optional.of(room);
    }
    return shown;
  }

  /// Whether something is planned here and the node takes more than it has, or is not there.
  boolean isCrowded() {
    if (plans.isEmpty()) {
      return false;
    }
    boolean over = !isSeen() || isAnyPlannedBeyondItsDevice();
    Amounts load = used.minus(leaving);
    for (int i = 0; i < load.size(); i++) {
      over |= isOver(load.resource(i), load);
    }
    return over;
  }

  /// A share that had another slot may turn out to run on the device that a holder tells.
  private boolean isAnyPlannedBeyondItsDevice() {
    for (PodRecord plan : plans) {
      for (int index : plan.seat.slots()) {
        var slot = slots.get(index);
        if (slot != null && slot.millis(user -> !user.charge.leaving()) > WHOLE) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether holders that nobody uses are in the way: more devices, or places among the pods, are
  /// given out than there are (another scheduler saw our holder too late), or plans count on them.
  /// What is retired already counts as gone.
  boolean isPressed() {
    if (!isSeen()) {
      return false;
    }
    Amounts givenOut = givenOut();
    Amounts inTheEnd = used.minus(leaving);
    return isOver(device(), givenOut)
        || isOver(device(), inTheEnd)
        || isOver(Resource.PODS, givenOut)
        || isOver(Resource.PODS, inTheEnd);
  }

  /// What pods and holders have that are there, and stay for all we know. A GPU that a share uses
  /// counts though no holder holds it.
  private Amounts givenOut() {
    Amounts givenOut = used;
    for (PodRecord plan : plans) {
      givenOut = givenOut.minus(plan.charge.amounts());
    }
    for (SharedDevice slot : slots.values()) {
      boolean inUse = slot.isHeld() || slot.isUsedBy(user -> !user.runsOn().isEmpty());
      if (!inUse || !slot.leaving(device()).isNone()) {
        givenOut = givenOut.minus(slot.used(device()));
      }
    }
    return givenOut;
  }

  /// Idle holders that stay ready, lowest slots first. A node gets another one only where a device
  /// is free beside everything that is planned: it is never in anybody's way. One after the other.
  Warmth warmth(int most) {
    if (most == 0) {
      return Warmth.NONE;
    }
    var kept = new ArrayList<SlotKey>(0);
    boolean coming = false;
    boolean shared = false;
    for (SharedDevice slot : slots.values()) {
      shared |= !slot.users.isEmpty();
      coming |= slot.users.isEmpty() && slot.unseen;
      boolean idle = slot.users.isEmpty() && slot.isHeld() && mayBeJoined(slot);
      if (idle && kept.size() < most) {
        kept.add(new SlotKey(name, slot.index));
      }
    }
    boolean healthy = node.ready() && !node.unschedulable() && node.accelerator().sick().isEmpty();
    if (!shared || !healthy || isTroubled()) {
      return Warmth.NONE;
    }
    boolean more = kept.size() < most && !coming;
    return new Warmth(kept, more ? coldSlot() : List.of());
  }

  private List<SlotKey> coldSlot() {
    Amounts more = used.plus(Amounts.of(device(), 1)).plus(Amounts.of(Resource.PODS, 1));
    if (!isOver(device(), more) && !isOver(Resource.PODS, more)) {
      for (int index = 0; index < node.accelerator().capacity(); index++) {
        if (!slots.containsKey(index)) {
          return List.of(new SlotKey(name, index));
        }
      }
    }
    return List.of();
  }

  /// Empty where no more devices are given out than there are.
  Optional<Overfull> overfull() {
    long given = isSeen() ? givenOut().of(device()) : 0;
    long there = node.allocatable().of(device());
    return given > there
        ? Optional.of(new Overfull(name, device(), given, there))
        : Optional.empty();
  }

  /// The plans here that are not being bound, the last in line first.
  List<PodRecord> plansFromTheLast() {
    var last = new ArrayList<PodRecord>(plans.size());
    for (PodRecord plan : plans) {
      if (!plan.isBinding()) {
        last.add(plan);
      }
    }
    last.sort((a, b) -> a.isBehind(b) ? -1 : b.isBehind(a) ? 1 : 0);
    return last;
  }

  /// Whether a pod that is charged here fits once everything has left that is leaving, or will
  /// leave for a plan.
  boolean holdsInTheEnd(PodRecord pod) {
    Amounts load = used.minus(leaving);
    for (PodRecord victim : victimOf) {
      if (victim.isVictim() && !victim.charge.leaving()) {
        load = load.minus(victim.charge.amounts());
      }
    }
    for (SharedDevice slot : slots.values()) {
      if (!slot.isUsedBy(user -> !user.isGoing()) && slot.leaving(device()).isNone()) {
        load = load.minus(slot.used(device()));
      }
    }
    return holds(pod, load, user -> !user.isGoing());
  }

  /// Whether a device, and a pod's place, is there for the holder of a slot: beside everything that
  /// is still here, leaving or not, plans whose gates are open or whose pods are being bound, and
  /// holders still to come of slots that are ahead in line. Other plans wait for room themselves.
  boolean hasRoomForHolder(int index) {
    SharedDevice asked = slots.getOrDefault(index, new SharedDevice(index));
    Amounts taken = used;
    for (PodRecord plan : plans) {
      if (plan.isBehindItsGate()) {
        taken = taken.minus(plan.charge.amounts());
      }
    }
    for (SharedDevice slot : slots.values()) {
      if (slot != asked && slot.isMerelyPlanned() && !slot.isAheadOf(asked)) {
        taken = taken.minus(slot.used(device()));
      }
    }
    return !isOver(device(), taken) && !isOver(Resource.PODS, taken);
  }

  /// Whether a pod that is charged here fits now: beside everything that is still here, and every
  /// plan that came before its own.
  boolean holdsNow(PodRecord pod) {
    Amounts load = used;
    for (PodRecord plan : plans) {
      if (plan.isBehind(pod)) {
        load = load.minus(plan.charge.amounts());
      }
    }
    for (SharedDevice slot : slots.values()) {
      boolean nobodyThere = !slot.isHeld() && !slot.mayCome();
      if (nobodyThere && !slot.isUsedBy(user -> !user.isBehind(pod))) {
        load = load.minus(slot.used(device()));
      }
    }
    return holds(pod, load, user -> !user.isBehind(pod));
  }

  private boolean holds(PodRecord pod, Amounts load, Predicate<PodRecord> counts) {
    if (!isSeen()) {
      return false;
    }
    Amounts asked = pod.charge.amounts();
    for (int i = 0; i < asked.size(); i++) {
      if (isOver(asked.resource(i), load)) {
        return false;
      }
    }
    if (!pod.seat.slots().isEmpty() && (isOver(device(), load) || isOver(Resource.PODS, load))) {
      return false;
    }
    for (int index : pod.seat.slots()) {
      SharedDevice slot = slots.getOrDefault(index, new SharedDevice(index));
      if (index >= node.accelerator().capacity() || slot.millis(counts) > 1000) {
        return false;
      }
    }
    return UsedHostPorts.areFree(pod, ports, counts);
  }

  private boolean isOver(Resource resource, Amounts load) {
    return load.of(resource) > node.allocatable().of(resource);
  }
}
