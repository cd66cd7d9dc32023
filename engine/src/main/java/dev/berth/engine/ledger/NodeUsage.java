package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.Overfull;
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
import java.util.function.Consumer;
import java.util.function.Predicate;

/// One node and what of it is taken, kept as pods come and go. It may not have been seen yet, or
/// not any more: what is on it counts as soon as it is.
final class NodeUsage {
  /// Where pods are that are on no node.
  static final NodeUsage NOWHERE = new NodeUsage(NodeName.NONE);

  final NodeName name;
  final TreeMap<Integer, SharedDevice> slots = new TreeMap<>();

  /// Shares that run here and whose slots are not recorded, in the order in which they are seated.
  final TreeMap<PodKey, PodRecord> floating = new TreeMap<>();

  /// Bound shares of which the Binding says the devices.
  final TreeMap<PodKey, PodRecord> named = new TreeMap<>();

  /// Pods that kube-scheduler refused this node.
  final LinkedHashSet<PodRecord> vetoed = new LinkedHashSet<>();

  private final LinkedHashSet<PodRecord> plans = new LinkedHashSet<>();
  private final LinkedHashSet<PodRecord> victimOf = new LinkedHashSet<>();
  private final UsedHostPorts ports = new UsedHostPorts();
  private final NodeLoad load = new NodeLoad();
  private int pods;
  private Node node = Node.UNSEEN;
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
    return slots.values().stream().anyMatch(slot -> slot.holds(uuid));
  }

  /// A slot whose holder has reported its GPU while it is not proven yet that containers get
  /// theirs.
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

  /// Whether a pod may be planned onto a slot: its holder stays, and has reported its device where
  /// others of this node have not.
  boolean mayBeJoined(int index) {
    return mayBeJoined(slots.getOrDefault(index, new SharedDevice(index)));
  }

  boolean mayBeJoined(SharedDevice slot) {
    var holder = slot.holder();
    return slot.isTrue() && (isTroubled() ? holder == Holder.REPORTED : holder != Holder.RETIRING);
  }

  void become(Node next) {
    for (SharedDevice slot : slots.values()) { // what a slot takes depends on the kind of device
      load.remove(slot.used(device()), slot.leaving(device()));
    }
    node = next == Node.UNSEEN ? next : next.with(injection);
    for (SharedDevice slot : slots.values()) {
      load.add(slot.used(device()), slot.leaving(device()));
    }
  }

  /// What pods, plans and shared devices take here.
  Amounts used() {
    return load.used();
  }

  boolean isReady() {
    return node.ready();
  }

  Resource device() {
    return node.accelerator().resource();
  }

  /// Takes in the charge of a pod that is no holder; its slots, if it has any, are taken by [#sit].
  void add(PodRecord pod) {
    var charge = pod.charge;
    pods++;
    load.add(charge.amounts(), charge.leaving(), charge.foreign());
    ports.add(pod);
    if (charge.floating()) {
      floating.put(pod.pod.key(), pod);
    } else if (!charge.placement().slots().isEmpty()
        && charge.devices().stream().anyMatch(SharedDevice::isUuid)) {
      named.put(pod.pod.key(), pod);
    }
  }

  void remove(PodRecord pod) {
    pods--;
    load.remove(pod.charge.amounts(), pod.charge.leaving(), pod.charge.foreign());
    ports.remove(pod);
    floating.remove(pod.pod.key(), pod);
    named.remove(pod.pod.key(), pod);
    plans.remove(pod);
    victimOf.remove(pod);
  }

  void plan(PodRecord pod, boolean planned) {
    var _ = planned ? plans.add(pod) : plans.remove(pod);
  }

  void markVictims(PodRecord pod) {
    victimOf.add(pod);
  }

  /// Changes one slot and what it takes of the node.
  void change(int index, Consumer<SharedDevice> change) {
    SharedDevice slot = slots.computeIfAbsent(index, this::open);
    load.remove(slot.used(device()), slot.leaving(device()));
    change.accept(slot);
    slot.recount();
    load.add(slot.used(device()), slot.leaving(device()));
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
            node,
            load.used(),
            load.leaving(),
            load.foreign(),
            shownSlots,
            ports.all(),
            trouble,
            numa);
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
    Amounts inTheEnd = load.inTheEnd();
    for (int i = 0; i < inTheEnd.size(); i++) {
      over |= isOver(inTheEnd.resource(i), inTheEnd);
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

  /// Whether unused holders are in the way: more devices, or places among the pods, are given out
  /// than there are (another scheduler saw Berth's holder too late), or plans count on them. A
  /// retired holder already counts as gone.
  boolean isPressed() {
    if (!isSeen()) {
      return false;
    }
    Amounts givenOut = givenOut();
    Amounts inTheEnd = load.inTheEnd();
    return isOver(device(), givenOut)
        || isOver(device(), inTheEnd)
        || isOver(Resource.PODS, givenOut)
        || isOver(Resource.PODS, inTheEnd);
  }

  /// What pods and holders have that are there, and stay for all Berth knows. A GPU that a share
  /// uses counts though no holder holds it.
  private Amounts givenOut() {
    Amounts givenOut = load.used();
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
    Amounts inTheEnd = load.inTheEnd();
    for (PodRecord victim : victimOf) {
      if (victim.isVictim() && !victim.charge.leaving()) {
        inTheEnd = inTheEnd.minus(victim.charge.amounts());
      }
    }
    for (SharedDevice slot : slots.values()) {
      if (!slot.isUsedBy(user -> !user.isGoing()) && slot.leaving(device()).isNone()) {
        inTheEnd = inTheEnd.minus(slot.used(device()));
      }
    }
    return holds(pod, inTheEnd, user -> !user.isGoing());
  }

  /// Whether a device, and a pod's place, is there for the holder of a slot: beside everything that
  /// is still here, leaving or not, plans whose gates are open or whose pods are being bound, and
  /// holders still to come of slots that are ahead in line. Other plans wait for room themselves.
  boolean hasRoomForHolder(int index) {
    SharedDevice asked = slots.getOrDefault(index, new SharedDevice(index));
    Amounts taken = load.used();
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
    Amounts now = load.used();
    for (PodRecord plan : plans) {
      if (plan.isBehind(pod)) {
        now = now.minus(plan.charge.amounts());
      }
    }
    for (SharedDevice slot : slots.values()) {
      boolean noHolder = !slot.isHeld() && !slot.mayCome();
      if (noHolder && !slot.isUsedBy(user -> !user.isBehind(pod))) {
        now = now.minus(slot.used(device()));
      }
    }
    return holds(pod, now, user -> !user.isBehind(pod));
  }

  private boolean holds(PodRecord pod, Amounts taken, Predicate<PodRecord> counts) {
    if (!isSeen()) {
      return false;
    }
    Amounts asked = pod.charge.amounts();
    for (int i = 0; i < asked.size(); i++) {
      if (isOver(asked.resource(i), taken)) {
        return false;
      }
    }
    if (!pod.seat.slots().isEmpty() && (isOver(device(), taken) || isOver(Resource.PODS, taken))) {
      return false;
    }
    for (int index : pod.seat.slots()) {
      SharedDevice slot = slots.getOrDefault(index, new SharedDevice(index));
      if (index >= node.accelerator().capacity() || slot.millis(counts) > 1000) {
        return false;
      }
    }
    return ports.areFree(pod, counts);
  }

  boolean isOver(Resource resource, Amounts load) {
    return load.of(resource) > node.allocatable().of(resource);
  }
}
