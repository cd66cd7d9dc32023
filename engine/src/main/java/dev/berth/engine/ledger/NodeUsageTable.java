package dev.berth.engine.ledger;

import dev.berth.engine.ledger.SharedDevice.Held;
import dev.berth.engine.ledger.objects.SortedCopy;
import dev.berth.engine.ledger.view.Overfull;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/// The nodes and what of them is taken. A change of one pod costs what its node costs, never more.
final class NodeUsageTable {
  private final Map<NodeName, NodeUsage> nodes = new HashMap<>();
  private final SortedCopy<NodeName, NodeView> copies = new SortedCopy<>(NodeView::name);
  private final TreeSet<NodeName> unsettled = new TreeSet<>();
  private final TreeSet<NodeName> crowded = new TreeSet<>();
  private final SharedDeviceIndex devices = new SharedDeviceIndex(this::find);
  private final Consumer<PodRecord> reseated;

  /// @param reseated told of every pod that was given other slots
  NodeUsageTable(Consumer<PodRecord> reseated) {
    this.reseated = reseated;
  }

  NodeUsage at(NodeName name) {
    return name.isNone() ? NodeUsage.NOWHERE : nodes.computeIfAbsent(name, NodeUsage::new);
  }

  SharedDeviceIndex devices() {
    return devices;
  }

  /// The node if anything is known of it, else [NodeUsage#NOWHERE].
  NodeUsage find(NodeName name) {
    return nodes.getOrDefault(name, NodeUsage.NOWHERE);
  }

  void seen(Node node) {
    NodeUsage entry = at(node.name());
    entry.become(node);
    touched(entry);
  }

  void gone(NodeName name) {
    NodeUsage entry = find(name);
    if (entry != NodeUsage.NOWHERE) {
      entry.become(Node.UNSEEN);
      touched(entry);
      forgetIfEmpty(entry);
    }
  }

  /// The zones of a node, seen or not.
  ///
  /// @return whether more than a hint changed
  boolean zones(NodeName name, Numa numa) {
    NodeUsage entry = at(name);
    boolean news = !numa.isBuiltLike(entry.numa());
    if (!numa.equals(entry.numa())) {
      entry.numa(numa);
      copies.touch(name);
    }
    forgetIfEmpty(entry);
    return news;
  }

  private void touched(NodeUsage node) {
    copies.touch(node.name);
    crowds(node);
    if (!node.floating.isEmpty() || UnplannedShares.isAnyElsewhere(node)) {
      unsettled.add(node.name);
    }
  }

  private void crowds(NodeUsage node) {
    if (node.isCrowded()) {
      crowded.add(node.name);
    } else {
      crowded.remove(node.name);
    }
  }

  void forgetIfEmpty(NodeUsage node) {
    if (node.isForgettable()) {
      nodes.remove(node.name, node);
    }
  }

  /// Takes back what a pod is charged, and charges it anew.
  void recharge(PodRecord pod, PodRecord.Charge next) {
    if (next.equals(pod.charge)) {
      return;
    }
    NodeUsage before = pod.charge.node();
    if (before != NodeUsage.NOWHERE) {
      sit(pod, Placement.NONE);
      before.remove(pod);
      touched(before);
    }
    pod.charge = next;
    if (next.node() != NodeUsage.NOWHERE) {
      next.node().add(pod);
      if (!next.floating()) {
        sit(pod, next.placement());
      }
      touched(next.node());
    }
    forgetIfEmpty(before); // not earlier: it may be the next one, too
  }

  /// Whether what a pod takes is planned, or for good.
  void planned(PodRecord pod, boolean planned) {
    NodeUsage node = pod.charge.node();
    if (node != NodeUsage.NOWHERE) {
      node.plan(pod, planned);
      for (int index : pod.seat.slots()) { // a bound pod runs on a device, a planned one does not
        change(node, index, _ -> {});
      }
      crowds(node);
    }
  }

  private void sit(PodRecord pod, Placement placement) {
    NodeUsage node = pod.charge.node();
    for (int index : pod.seat.slots()) {
      change(node, index, slot -> slot.users.remove(pod));
    }
    pod.seat = placement;
    for (int index : placement.slots()) {
      change(node, index, slot -> slot.users.add(pod));
    }
  }

  private void change(NodeUsage node, int index, Consumer<SharedDevice> change) {
    node.change(index, change);
    devices.changed(node, index);
  }

  /// How containers of a node get the GPU of their share.
  ///
  /// @return whether that is news
  boolean injection(NodeName name, Injection injection) {
    NodeUsage node = at(name);
    boolean news = !node.injection().equals(injection);
    if (news) {
      node.injection(injection);
      for (int index : node.slots.keySet().toArray(Integer[]::new)) {
        change(node, index, _ -> {});
      }
      devices.changed(node);
      touched(node);
    }
    forgetIfEmpty(node);
    return news;
  }

  /// A holder comes, changes or goes.
  void hold(PodRecord entry, Optional<Held> next) {
    Pod.Holding before = entry.holding;
    Pod.Holding now = next.map(held -> held.pod().holding()).orElse(Pod.Holding.NONE);
    boolean moves = !before.node().equals(now.node()) || before.slot() != now.slot();
    if (!before.isNone() && moves) {
      NodeUsage node = at(before.node());
      change(node, before.slot(), slot -> slot.holders.remove(entry.pod.key()));
      touched(node);
      forgetIfEmpty(node);
    }
    entry.holding = now;
    next.ifPresent(held -> {
      NodeUsage node = at(now.node());
      change(node, now.slot(), slot -> slot.holders.put(held.pod().key(), held));
      touched(node);
    });
  }

  /// Why no further device of a node can be held; empty = it can.
  void trouble(NodeName name, String words) {
    NodeUsage node = at(name);
    node.trouble(words);
    touched(node);
    forgetIfEmpty(node);
  }

  boolean retire(SlotKey key) {
    NodeUsage node = find(key.node());
    SharedDevice slot = slot(key);
    if (slot.retired || slot.holders.isEmpty() || slot.isHeld() && !slot.users.isEmpty()) {
      return false;
    }
    change(node, key.slot(), closing -> closing.retired = true);
    touched(node);
    return true;
  }

  /// Whether an unknown holder may still appear.
  void expect(SlotKey key, boolean expected) {
    NodeUsage node = at(key.node());
    change(node, key.slot(), slot -> slot.expected = expected);
    touched(node);
    forgetIfEmpty(node);
  }

  /// Whether a holder was asked for that the watch has not shown.
  ///
  /// @return whether that is news
  boolean await(SlotKey key, boolean awaited) {
    SharedDevice slot = slot(key);
    if (slot.unseen == awaited || awaited && !slot.holders.isEmpty()) {
      return false;
    }
    NodeUsage node = at(key.node());
    change(node, key.slot(), waiting -> waiting.unseen = awaited);
    touched(node);
    forgetIfEmpty(node);
    return true;
  }

  boolean isUsed(SlotKey key) {
    return !slot(key).users.isEmpty();
  }

  boolean reopen(SlotKey key) {
    NodeUsage node = find(key.node());
    SharedDevice slot = slot(key);
    if (!slot.retired) {
      return false;
    }
    change(node, key.slot(), opening -> opening.retired = false);
    touched(node);
    return true;
  }

  /// A node that takes more than it has, and on which something is planned; the first by name that
  /// comes after another.
  Optional<NodeUsage> crowdedAfter(NodeName name) {
    return Optional.ofNullable(crowded.higher(name)).map(this::find);
  }

  private SharedDevice slot(SlotKey key) {
    return find(key.node()).slots.getOrDefault(key.slot(), new SharedDevice(key.slot()));
  }

  /// Seats the shares whose slots are not recorded, on every node where something changed. The
  /// seats follow from the present state, not from the order of events.
  void settle() {
    while (!unsettled.isEmpty()) {
      NodeUsage node = find(unsettled.pollFirst());
      var before = new ArrayList<Placement>(node.floating.size());
      for (PodRecord pod : node.floating.values()) {
        before.add(pod.seat);
        sit(pod, Placement.NONE);
      }
      UnplannedShares.take(node, this::sit);
      for (PodRecord pod : List.copyOf(node.named.values())) {
        Placement seat = UnplannedShares.ofNamed(node, pod);
        if (!seat.equals(pod.seat)) {
          sit(pod, seat);
          reseated.accept(pod);
        }
      }
      crowds(node);
      int i = 0;
      for (PodRecord pod : node.floating.values()) {
        if (!pod.seat.equals(before.get(i++))) {
          reseated.accept(pod);
        }
      }
    }
  }

  /// By name.
  List<Overfull> overfull() {
    var overfull = new ArrayList<Overfull>(0);
    for (NodeView room : list()) {
      find(room.name()).overfull().ifPresent(overfull::add);
    }
    return overfull;
  }

  List<NodeView> list() {
    return copies.list(name -> find(name).room());
  }
}
