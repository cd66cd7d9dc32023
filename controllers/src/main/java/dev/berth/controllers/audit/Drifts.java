package dev.berth.controllers.audit;

import dev.berth.controllers.audit.Drift.Kind;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.Overfull;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// What is wrong with devices at one moment. A pure function.
final class Drifts {
  private final Snapshot snapshot;
  private final List<Drift> found = new ArrayList<>();

  private Drifts(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  static List<Drift> in(Snapshot snapshot, List<Overfull> overfull, List<IdleHolder> idle) {
    var drifts = new Drifts(snapshot);
    overfull.forEach(drifts::overcommitted);
    snapshot.nodes().forEach(drifts::node);
    for (var group : snapshot.groups()) {
      group.members().forEach(drifts::member);
    }
    idle.forEach(drifts::idle);
    return drifts.found;
  }

  private void overcommitted(Overfull node) {
    found.add(
        Drift.at(
            Kind.DEVICES_OVERCOMMITTED,
            node.node(),
            node.givenOut()
                + " of "
                + node.allocatable()
                + " "
                + node.device()
                + " are given out. A kubelet refuses what comes too late; else one of those in use"
                + " is not healthy any more."));
  }

  private void node(NodeView room) {
    var slotOf = new TreeMap<String, Integer>();
    for (Slot slot : room.slots()) {
      if (slot.usedMillis() - slot.leavingMillis() > 1000) {
        found.add(
            Drift.at(
                Kind.SLOT_OVERFULL,
                room.name(),
                "Sharers of device slot "
                    + slot.index()
                    + " take "
                    + slot.usedMillis()
                    + " thousandths of it. Delete one of them."));
      }
      var other = slot.uuid().isEmpty() ? null : slotOf.put(slot.uuid(), slot.index());
      if (other != null) {
        found.add(
            Drift.at(
                Kind.DEVICE_TOLD_TWICE,
                room.name(),
                "The holders of device slots "
                    + other
                    + " and "
                    + slot.index()
                    + " both tell device "
                    + slot.uuid()
                    + ". Look at the device plugin: it gives one device out twice."));
      }
    }
  }

  private void member(Member member) {
    if (member.standing() instanceof Standing.Bound(Placement placement)
        && member.pod().asks().request().devices().isShare()) {
      var devices = member.pod().written().devices();
      if (devices.size() != placement.slots().size()) {
        found.add(
            Drift.of(
                Kind.DEVICE_UNTOLD,
                member.pod(),
                "It runs with "
                    + devices.size()
                    + " devices in berth.dev/gpu-devices and has shares of "
                    + placement.slots().size()
                    + ": Berth did not bind it. Create it anew."));
        return;
      }
      snapshot.node(placement.node()).ifPresent(room -> share(member, placement, room));
    }
  }

  /// In whatever order its devices and its slots are told.
  private void share(Member member, Placement placement, NodeView room) {
    var devices = member.pod().written().devices();
    var unheld = new ArrayDeque<>(devices);
    for (int index : placement.slots()) {
      unheld.remove(held(room, index));
    }
    for (int index : placement.slots()) {
      String held = held(room, index);
      if (devices.contains(held) || unheld.isEmpty()) {
        continue;
      }
      String device = unheld.removeFirst();
      String where = "device slot " + index + " of node " + placement.node();
      if (held.isEmpty()) {
        found.add(
            Drift.of(
                Kind.HOLDER_MISSING,
                member.pod(),
                "No holder of " + where + " has told its device: " + device + " is not held."));
      } else {
        found.add(
            Drift.of(
                Kind.DEVICE_NOT_HELD,
                member.pod(),
                "It runs on "
                    + device
                    + ", and the holder of "
                    + where
                    + " holds "
                    + held
                    + " by now, so that others may be given the former. Create the pod anew."));
      }
    }
  }

  /// Empty = not told.
  private static String held(NodeView room, int index) {
    return room.slots().stream()
        .filter(slot -> slot.index() == index)
        .map(Slot::uuid)
        .findFirst()
        .orElse("");
  }

  private void idle(IdleHolder idle) {
    var room = snapshot.node(idle.slot().node());
    boolean gone =
        room.isEmpty()
            || idle.slot().slot() >= room.get().node().accelerator().capacity() && !isUsed(idle);
    if (gone) {
      found.add(
          Drift.of(
              Kind.HOLDER_ORPHANED,
              idle.holder(),
              "Node "
                  + idle.slot().node()
                  + " has no device slot "
                  + idle.slot().slot()
                  + " any more, and its holder is there still. Berth's log says why it could not"
                  + " be deleted."));
    }
  }

  private boolean isUsed(IdleHolder idle) {
    return snapshot.node(idle.slot().node()).orElseThrow().slots().stream()
        .anyMatch(slot -> slot.index() == idle.slot().slot() && slot.usedMillis() > 0);
  }
}
