package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import java.util.Optional;
import java.util.TreeMap;

/// Counts what stands in the way of one pod, on all nodes.
final class ShortfallCounter {
  private ShortfallCounter() {}

  static Shortfalls count(FreeCapacity room, NodePicker places, MemberState seat, Domain within) {
    var refusals = places.keptRefusals(seat);
    if (within.isWhole() && seat.member().vetoes().isEmpty() && !places.isChoosy(seat)) {
      return new Shortfalls(refusals.list(), refusals.free());
    }
    var counts = new TreeMap<Objection, Integer>(Shortfalls.ORDER);
    var free = new FreeDevices(room, seat.podClass());
    var amounts = new ShortAmounts(room, seat.podClass());
    for (int n = 0; n < room.nodes(); n++) {
      var lasting = refusals.lasting(n);
      var objection = objection(room, places, seat, within, n, lasting);
      counts.merge(objection, 1, Integer::sum);
      amounts.see(n, objection);
      boolean isApart = objection.obstacle() == Obstacle.OWN_ANTI_AFFINITY;
      free.see(n, within.contains(n) && lasting.isEmpty() && !isApart);
    }
    return new Shortfalls(amounts.told(Shortfalls.list(counts)), free.told());
  }

  private static Objection objection(
      FreeCapacity room,
      NodePicker places,
      MemberState seat,
      Domain within,
      int n,
      Optional<Objection> lasting) {
    return lasting
        .or(() -> places.toldBeside(seat, n))
        .orElseGet(() -> beside(room, seat, within, n));
  }

  /// What has to do with other pods, or with this pod alone.
  private static Objection beside(FreeCapacity room, MemberState seat, Domain within, int n) {
    var vetoes = seat.member().vetoes();
    var name = room.node(n).name();
    if (vetoes.containsKey(name)) {
      return new Objection(Obstacle.VETO, vetoes.getOrDefault(name, ""));
    }
    return within.contains(n)
        ? Shortfalls.lacking(room, seat.podClass(), n)
        : new Objection(Obstacle.TOPOLOGY, "");
  }
}
