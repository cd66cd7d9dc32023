package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The room of a node counted from nothing: every pod looked at once, in the plainest way.
final class LedgerRecount {
  private final Ledger ledger;
  private final Collection<Pod> pods;

  LedgerRecount(Ledger ledger, Collection<Pod> pods) {
    this.ledger = ledger;
    this.pods = pods;
  }

  private static Placement placement(Standing standing) {
    return switch (standing) {
      case Standing.Bound(Placement placement) -> placement;
      case Standing.Leaving(Placement placement, _, _) -> placement;
      case Standing.Planned(var plan, boolean _) -> plan.placement();
      case Standing.Over _, Standing.Waiting _, Standing.Awaited _ -> Placement.NONE;
    };
  }

  /// @param retired slots that were retired and not opened again
  NodeView room(Node node, Collection<SlotKey> retired) {
    return room(node, retired, List.of());
  }

  /// @param expected slots for which a holder may come that no watch has shown
  NodeView room(Node node, Collection<SlotKey> retired, Collection<SlotKey> expected) {
    NodeName name = node.name();
    var used = Amounts.NONE;
    var leaving = Amounts.NONE;
    var foreign = Amounts.NONE;
    var ports = new TreeSet<String>();
    var users = new TreeMap<Integer, int[]>();
    var devices = new TreeMap<Integer, TreeSet<String>>();
    var holders = new TreeMap<Integer, Pod>();
    for (Pod pod : pods) {
      Amounts amounts = pod.asks().request().amounts();
      if (pod.isHolder()) {
        if (pod.holding().node().equals(name)) {
          holders.put(pod.holding().slot(), pod);
        }
        continue;
      }
      Standing standing = ledger.standing(pod.uid()).orElseThrow();
      Placement placement = placement(standing);
      if (!placement.node().equals(name)) {
        continue;
      }
      boolean isLeaving = standing instanceof Standing.Leaving;
      used = used.plus(amounts);
      leaving = isLeaving ? leaving.plus(amounts) : leaving;
      foreign = pod.scheduler().equals("berth") ? foreign : foreign.plus(amounts);
      ports.addAll(pod.asks().request().hostPorts());
      for (int slot : placement.slots()) {
        int[] millis = users.computeIfAbsent(slot, _ -> new int[2]);
        millis[0] += placement.millis();
        millis[1] += isLeaving ? placement.millis() : 0;
        int at = placement.slots().indexOf(slot);
        boolean told = at < pod.written().devices().size();
        var there = holders.get(slot);
        String held = there == null ? "" : there.holding().uuid();
        boolean runsOnIt = pod.written().devices().contains(held);
        if (told && !runsOnIt && !(standing instanceof Standing.Planned)) {
          devices.computeIfAbsent(slot, _ -> new TreeSet<>()).add(pod.written().devices().get(at));
        }
      }
    }
    var indexes = new TreeSet<>(users.keySet());
    indexes.addAll(holders.keySet());
    for (SlotKey slot : expected) {
      if (slot.node().equals(name)) {
        indexes.add(slot.slot());
      }
    }
    var slots = new ArrayList<NodeView.Slot>();
    for (int index : indexes) {
      int[] millis = users.getOrDefault(index, new int[2]);
      boolean isUsed = users.containsKey(index);
      var holder = holders.get(index);
      boolean alive = holder != null && !holder.isOver();
      var key = new SlotKey(name, index);
      boolean retiring = alive && (holder.life().leaving() || retired.contains(key));
      boolean mayCome = !alive && !isUsed && expected.contains(key);
      if (!alive && !isUsed && !mayCome) {
        continue;
      }
      var charge =
          alive
              ? holder.asks().request().amounts()
              : Amounts.of(Resource.NVIDIA, 1).plus(Amounts.of(Resource.PODS, 1));
      used = used.plus(charge);
      leaving = (retiring || mayCome) && !isUsed ? leaving.plus(charge) : leaving;
      String uuid = alive ? holder.holding().uuid() : "";
      var strays = devices.getOrDefault(index, new TreeSet<>());
      strays.remove(uuid);
      boolean stray = !uuid.isEmpty() && !strays.isEmpty();
      used = stray ? used.plus(Amounts.of(Resource.NVIDIA, strays.size())) : used;
      var stands =
          !alive
              ? mayCome ? Holder.RETIRING : Holder.ABSENT
              : retiring || stray
                  ? Holder.RETIRING
                  : uuid.isEmpty() ? Holder.STARTING : Holder.REPORTED;
      slots.add(new NodeView.Slot(index, stands, uuid, millis[0], millis[1]));
    }
    return new NodeView(node, used, leaving, foreign, slots, ports);
  }
}
