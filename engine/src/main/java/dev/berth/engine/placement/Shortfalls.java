package dev.berth.engine.placement;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Why nodes do not take a seat, counted: of each node the first thing that stands in the way.
///
/// @param list most frequent first
/// @param free of devices, on nodes that the seat may be on
record Shortfalls(List<Shortfall> list, Free free) {

  static final Comparator<Objection> ORDER =
      Comparator.comparing(Objection::obstacle).thenComparing(Objection::detail);

  static List<Shortfall> list(TreeMap<Objection, Integer> counts) {
    var shortfalls = new ArrayList<Shortfall>();
    counts.forEach((objection, nodes) ->
        shortfalls.add(new Shortfall(objection.obstacle(), objection.detail(), nodes)));
    shortfalls.sort(Comparator.comparingInt(Shortfall::nodes).reversed()); // stable
    return shortfalls;
  }

  /// How many pods of a shape a node may hold at the most, were it empty, and ready, uncordoned and
  /// healthy again. More than there are where that is unknown.
  ///
  /// @param objection what stands in the way and stays
  static long most(FreeCapacity room, PodClass podClass, int n, Optional<Objection> objection) {
    if (objection.isEmpty() || passes(objection.get())) {
      boolean isUnknown =
          objection.filter(it -> it.obstacle() == Obstacle.DEVICE_PLUGIN).isPresent();
      return isUnknown ? Integer.MAX_VALUE : Fit.whenEmpty(room, podClass, n);
    }
    return 0;
  }

  /// Whether it ends by itself, or by a repair, with the pod as it is.
  static boolean passes(Objection objection) {
    return passes(objection.obstacle(), objection.detail());
  }

  static boolean passes(Obstacle obstacle, String detail) {
    return switch (obstacle) {
      case NOT_READY, UNSCHEDULABLE, DEVICE_HEALTH, DEVICE_PLUGIN -> true;
      case TAINT -> detail.startsWith("node.kubernetes.io/"); // of the kubelet and its controller
      default -> false;
    };
  }

  /// What a node says to pods of a shape, whatever else is there.
  ///
  /// @param allowed whether the node, its devices and its zones do not forbid it
  static Optional<Objection> lasting(FreeCapacity room, PodClass podClass, int n, boolean allowed) {
    if (podClass.asksTheUnknown()) { // no node would do, selected or not
      return SingleNodeFit.objection(room, podClass, n)
          .or(() -> Optional.of(new Objection(Obstacle.NOT_OFFERED, podClass.unknownInWords())));
    }
    if (allowed) {
      return ofItsSize(room, podClass, n);
    }
    var first = NodeRules.objection(podClass.constraints(), room.node(n).node());
    if (first.isEmpty()) { // so it is its devices, or its zones
      return SingleNodeFit.objection(room, podClass, n);
    }
    return mayPass(first.get())
        ? ofItsKind(room, podClass, n).filter(Shortfalls::isOfItsKind).or(() -> first)
        : first;
  }

  /// What an administrator may change about a node that is of the right kind: of the others their
  /// kind is told, as no such change would help there.
  private static boolean mayPass(Objection objection) {
    return switch (objection.obstacle()) {
      case NOT_READY, UNSCHEDULABLE, TAINT -> true;
      default -> false;
    };
  }

  private static boolean isOfItsKind(Objection objection) {
    return switch (objection.obstacle()) {
      case NODE_SELECTOR,
          NODE_AFFINITY,
          VOLUME,
          DEVICE_MODEL,
          TOO_SMALL,
          DEVICE_TOO_SMALL,
          NO_DEVICES,
          NOT_OFFERED ->
          true;
      default -> false;
    };
  }

  private static Optional<Objection> ofItsKind(FreeCapacity room, PodClass podClass, int n) {
    return NodeRules.elsewhere(podClass.constraints(), room.node(n).node())
        .or(() -> SingleNodeFit.objection(room, podClass, n))
        .or(() -> ofItsSize(room, podClass, n));
  }

  /// What a node says besides of its devices, its size and what is free there; empty where it has
  /// room but for the first thing.
  static Optional<Objection> besidesRules(
      FreeCapacity room, PodClass podClass, int n, Objection first) {
    var devices =
        first.obstacle() == Obstacle.DEVICE_MODEL
            ? DeviceRules.besidesModel(podClass, room.node(n).node())
            : SingleNodeFit.objection(room, podClass, n);
    return devices
        .or(() -> ofItsSize(room, podClass, n))
        .or(() ->
            Fit.answer(room, podClass, n) instanceof Fit.Lack(_, var objection)
                ? Optional.of(objection)
                : Optional.empty());
  }

  private static Optional<Objection> ofItsSize(FreeCapacity room, PodClass podClass, int n) {
    return tooSmall(room, podClass, n).or(() -> notOffered(room, podClass, n));
  }

  private static Optional<Objection> notOffered(FreeCapacity room, PodClass podClass, int n) {
    for (int i = 0; i < podClass.needs(); i++) {
      int resource = podClass.resource(i);
      boolean isNone = podClass.need(i) > 0 && room.allocatable(n, resource) == 0;
      if (isNone && resource != room.pods()) {
        return Optional.of(new Objection(Obstacle.NOT_OFFERED, room.resource(resource).name()));
      }
    }
    return Optional.empty();
  }

  /// Of devices [DeviceRules] says so.
  private static Optional<Objection> tooSmall(FreeCapacity room, PodClass podClass, int n) {
    for (int i = 0; i < podClass.needs(); i++) {
      var resource = room.resource(podClass.resource(i));
      long has = room.allocatable(n, podClass.resource(i));
      if (podClass.need(i) > has && has > 0 && !resource.isDevice()) {
        return Optional.of(
            new Objection(
                Obstacle.TOO_SMALL,
                "it has "
                    + AmountText.of(resource, has)
                    + (", and " + AmountText.number(resource, podClass.need(i)))
                    + " are asked for"));
      }
    }
    return Optional.empty();
  }

  /// What lacks now, where nothing forbids the node for good.
  static Objection lacking(FreeCapacity room, PodClass podClass, int n) {
    return Fit.answer(room, podClass, n) instanceof Fit.Lack(_, var objection)
        ? objection
        : new Objection(Obstacle.TOPOLOGY, "");
  }
}
