package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Why nodes do not take a seat, counted: of each node the first thing that stands in the way.
final class Shortfalls {
  private Shortfalls() {}

  static final Comparator<Objection> ORDER =
      Comparator.comparing(Objection::obstacle).thenComparing(Objection::detail);

  /// Most frequent first.
  static List<Shortfall> count(Room room, Places places, Seat seat, Domain within) {
    if (within.isWhole() && seat.member().vetoes().isEmpty() && !places.isChoosy(seat)) {
      return places.refusals(seat);
    }
    var counts = new TreeMap<Objection, Integer>(ORDER);
    for (int n = 0; n < room.nodes(); n++) {
      counts.merge(objection(room, places, seat, within, n), 1, Integer::sum);
    }
    return list(counts);
  }

  static List<Shortfall> list(TreeMap<Objection, Integer> counts) {
    var shortfalls = new ArrayList<Shortfall>();
    counts.forEach((objection, nodes) ->
        shortfalls.add(new Shortfall(objection.obstacle(), objection.detail(), nodes)));
    shortfalls.sort(Comparator.comparingInt(Shortfall::nodes).reversed()); // stable
    return shortfalls;
  }

  /// What a node says to a pod that minds nothing but its shape.
  static Objection objection(Room room, Shape shape, int n) {
    var lasting = lasting(room, shape, n);
    return lasting.isPresent() ? lasting.get() : lacking(room, shape, n);
  }

  /// Whether nothing that stays forbids the node.
  static boolean isAllowed(Room room, Shape shape, int n) {
    return lasting(room, shape, n).isEmpty();
  }

  private static Optional<Objection> lasting(Room room, Shape shape, int n) {
    var objection = NodeRules.objection(shape.constraints(), room.node(n).node());
    return objection.isPresent() ? objection : OneNode.objection(room, shape, n);
  }

  private static Objection lacking(Room room, Shape shape, int n) {
    int answer = Fit.room(room, shape, n);
    return Fit.isRoom(answer)
        ? new Objection(Obstacle.TOPOLOGY, "")
        : lacking(room, shape, n, answer);
  }

  private static Objection objection(Room room, Places places, Seat seat, Domain within, int n) {
    var shape = seat.shape();
    return lasting(room, shape, n)
        .or(() -> places.toldBeside(seat, n))
        .orElseGet(() -> beside(room, seat, within, n));
  }

  /// What has to do with other pods, or with this pod alone.
  private static Objection beside(Room room, Seat seat, Domain within, int n) {
    var vetoes = seat.member().vetoes();
    var name = room.node(n).name();
    if (vetoes.containsKey(name)) {
      return new Objection(Obstacle.VETO, vetoes.getOrDefault(name, ""));
    }
    int answer = Fit.room(room, seat.shape(), n);
    return Fit.isRoom(answer) || !within.contains(n)
        ? new Objection(Obstacle.TOPOLOGY, "")
        : lacking(room, seat.shape(), n, answer);
  }

  static Objection lacking(Room room, Shape shape, int n, int answer) {
    return new Objection(Fit.obstacle(room, shape, n, answer), Fit.detail(room, shape, n, answer));
  }
}
