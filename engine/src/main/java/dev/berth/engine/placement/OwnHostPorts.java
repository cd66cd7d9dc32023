package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/// Tells host ports that other members of a gang have apart from those of other pods: no pod that
/// leaves frees them.
final class OwnHostPorts {
  private OwnHostPorts() {}

  /// @param members that are placed together; a node takes one of them by its host port
  static List<Shortfall> told(
      List<Shortfall> shortfalls, FreeCapacity room, MemberState seat, List<MemberState> members) {
    var ports = seat.podClass().request().hostPorts();
    if (ports.isEmpty() || members.size() < 2) {
      return shortfalls;
    }
    var nodes = new TreeSet<Integer>();
    for (MemberState each : members) {
      if (each.isPlaced() && each.podClass().request().hostPorts().equals(ports)) {
        nodes.add(each.now().node());
      }
    }
    var told = new ArrayList<Shortfall>();
    for (Shortfall each : shortfalls) {
      int own = each.obstacle() == Obstacle.HOST_PORTS ? own(each, room, seat, nodes) : 0;
      if (own > 0) {
        told.add(new Shortfall(Obstacle.OWN_HOST_PORTS, each.detail(), own));
      }
      if (own < each.nodes()) {
        told.add(each.onFewer(own));
      }
    }
    told.sort(Comparator.comparingInt(Shortfall::nodes).reversed()); // stable
    return told;
  }

  /// On how many of these nodes that is the first thing that stands in its way.
  private static int own(
      Shortfall shortfall, FreeCapacity room, MemberState seat, TreeSet<Integer> nodes) {
    int own = 0;
    for (int n : nodes) {
      boolean isOfPorts =
          Fit.answer(room, seat.podClass(), n) instanceof Fit.Lack(_, var objection)
              && objection.equals(new Objection(Obstacle.HOST_PORTS, shortfall.detail()));
      own += isOfPorts ? 1 : 0;
    }
    return Math.min(own, shortfall.nodes());
  }
}
