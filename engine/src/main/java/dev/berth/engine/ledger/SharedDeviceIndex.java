package dev.berth.engine.ledger;

import dev.berth.engine.ledger.SharedDevice.Held;
import dev.berth.engine.ledger.view.HeldUp;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.LostShare;
import dev.berth.engine.ledger.view.SilentSlot;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.ledger.view.Unproven;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/// The shared devices of all nodes by what is to be done about them: holders that are missing, idle
/// or silent, shares that lost their GPU, nodes whose injection is not proven.
final class SharedDeviceIndex {
  private final Function<NodeName, NodeUsage> nodes;
  private final TreeSet<SlotKey> missing = new TreeSet<>();
  private final TreeSet<SlotKey> idle = new TreeSet<>();
  private final TreeSet<SlotKey> silent = new TreeSet<>();
  private final TreeSet<SlotKey> lost = new TreeSet<>();
  private final TreeSet<NodeName> sharing = new TreeSet<>();
  private final TreeSet<NodeName> unproven = new TreeSet<>();
  private final Allocations allocations = new Allocations();

  SharedDeviceIndex(Function<NodeName, NodeUsage> nodes) {
    this.nodes = nodes;
  }

  /// A device of a node has changed.
  void changed(NodeUsage node, int index) {
    var key = new SlotKey(node.name, index);
    SharedDevice slot = node.slots.getOrDefault(index, new SharedDevice(index));
    include(missing, key, slot.holders.isEmpty() && !slot.users.isEmpty());
    include(idle, key, !idleOf(slot).isEmpty());
    include(silent, key, slot.isSilent());
    include(lost, key, slot.isLost());
    include(sharing, node.name, !node.slots.isEmpty());
    changed(node);
  }

  /// How containers of a node get the GPU of their share has changed.
  void changed(NodeUsage node) {
    include(unproven, node.name, node.unproven().isPresent());
  }

  /// Nodes on which a holder has told its GPU and injection is not proven, by name.
  List<Unproven> unproven() {
    var waiting = new ArrayList<Unproven>(unproven.size());
    for (NodeName name : unproven) {
      nodes
          .apply(name)
          .unproven()
          .ifPresent(slot -> waiting.add(new Unproven(new SlotKey(name, slot.index), slot.uuid())));
    }
    return waiting;
  }

  /// Plans that wait for their device to be held, then those that wait for the proof of their node.
  List<HeldUp> heldUp() {
    var all = new ArrayList<HeldUp>(0);
    for (SlotKey key : silent) {
      heldUp(key, slot(key), false, all);
    }
    for (NodeName name : unproven) {
      for (SharedDevice slot : nodes.apply(name).slots.values()) {
        if (!slot.uuid().isEmpty()) {
          heldUp(new SlotKey(name, slot.index), slot, true, all);
        }
      }
    }
    return all;
  }

  private void heldUp(SlotKey key, SharedDevice slot, boolean told, List<HeldUp> into) {
    for (PodRecord user : slot.users) {
      if (user.isBehindItsGate()) {
        var holder =
            Optional.ofNullable(slot.holders.firstEntry()).map(one -> one.getValue().pod());
        into.add(
            new HeldUp(
                user.account().key,
                user.pod.uid(),
                key,
                holder,
                told,
                nodes.apply(key.node()).injection()));
      }
    }
  }

  /// The kubelet says which GPUs a pod has that is no holder; empty = none.
  void allocated(PodKey pod, NodeName node, List<String> devices) {
    allocations.set(pod, node, devices);
  }

  /// Shares whose GPU no holder of their node holds, in the order of their slots.
  List<LostShare> lostShares() {
    var shares = new ArrayList<LostShare>(0);
    for (SlotKey key : lost) {
      NodeUsage node = nodes.apply(key.node());
      SharedDevice slot = slot(key);
      for (PodRecord user : slot.users) {
        for (String device : user.runsOn()) {
          if (!node.holds(device) && SharedDevice.isUuid(device)) {
            shares.add(
                new LostShare(
                    user.pod,
                    key,
                    device,
                    slot.uuid(),
                    slot.isHeld(),
                    allocations.owner(key.node(), device)));
          }
        }
      }
    }
    return shares;
  }

  List<SlotKey> missingHolders() {
    var seen = new ArrayList<SlotKey>(missing.size());
    for (SlotKey key : missing) {
      if (lacksHolder(key)) {
        seen.add(key);
      }
    }
    return seen;
  }

  boolean lacksHolder(SlotKey key) {
    return missing.contains(key)
        && nodes.apply(key.node()).isSeen()
        && nodes.apply(key.node()).hasRoomForHolder(key.slot());
  }

  /// Of each node with shared devices, used or held, what its warmth lacks.
  List<SlotKey> coldSlots(int most) {
    var cold = new ArrayList<SlotKey>(0);
    for (NodeName node : sharing) {
      cold.addAll(WarmSlots.of(nodes.apply(node), most).missing());
    }
    return cold;
  }

  /// Those whose holder is there, or could be.
  List<SilentSlot> silentSlots() {
    var slots = new ArrayList<SilentSlot>(silent.size());
    for (SlotKey key : silent) {
      var holders = slot(key).holders;
      if (!holders.isEmpty()) {
        slots.add(new SilentSlot(key, Optional.of(holders.firstEntry().getValue().pod())));
      } else if (lacksHolder(key)) {
        slots.add(new SilentSlot(key, Optional.empty()));
      }
    }
    return slots;
  }

  List<IdleHolder> idleHolders() {
    var holders = new ArrayList<IdleHolder>(idle.size());
    NodeUsage node = NodeUsage.NOWHERE;
    boolean pressed = false;
    for (SlotKey key : idle) { // those of one node one after the other
      if (!node.name.equals(key.node())) {
        node = nodes.apply(key.node());
        pressed = node.isPressed();
      }
      holders.addAll(idleHolders(node, pressed, key));
    }
    return holders;
  }

  Optional<IdleHolder> idleHolder(SlotKey key) {
    NodeUsage node = nodes.apply(key.node());
    return idle.contains(key)
        ? idleHolders(node, node.isPressed(), key).stream().findFirst()
        : Optional.empty();
  }

  private static List<IdleHolder> idleHolders(NodeUsage node, boolean pressed, SlotKey key) {
    SharedDevice slot = node.slots.getOrDefault(key.slot(), new SharedDevice(key.slot()));
    boolean inTheWay =
        pressed || node.lacksSlot(key.slot()) || node.isTroubled() && !node.mayBeJoined(slot);
    var holders = new ArrayList<IdleHolder>(1);
    for (Pod holder : idleOf(slot)) {
      holders.add(new IdleHolder(key, holder, inTheWay || holder.isOver()));
    }
    return holders;
  }

  /// Holders to delete: unused and dead ones.
  private static List<Pod> idleOf(SharedDevice slot) {
    if (slot.retired || slot.holders.isEmpty()) {
      return List.of();
    }
    var idle = new ArrayList<Pod>(1);
    for (Held holder : slot.holders.values()) {
      Pod pod = holder.pod();
      if (!pod.life().leaving() && (slot.users.isEmpty() || pod.isOver())) {
        idle.add(pod);
      }
    }
    return idle;
  }

  private SharedDevice slot(SlotKey key) {
    return nodes.apply(key.node()).slots.getOrDefault(key.slot(), new SharedDevice(key.slot()));
  }

  private static <K> void include(TreeSet<K> set, K key, boolean included) {
    if (included) {
      set.add(key);
    } else {
      set.remove(key);
    }
  }
}
