package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Shape;
import dev.berth.engine.session.Spot;
import java.util.Optional;

/// Whether, how well and where exactly one node takes one pod that kube-scheduler has judged
/// already: only what concerns devices, zones and room is asked, and only room that is free now
/// counts.
public final class OneNode {
  private OneNode() {}

  /// What stands in the way and stays, whoever leaves the node.
  public static Optional<Shortfall> lasting(Room room, Shape shape, int n) {
    return objection(room, shape, n)
        .map(objection -> new Shortfall(objection.obstacle(), objection.detail(), 1));
  }

  static Optional<Objection> objection(Room room, Shape shape, int n) {
    var there = room.node(n);
    return DeviceRules.objection(shape, there.node())
        .or(() -> NumaRules.objection(shape.request().alignment(), there.numa()));
  }

  /// What lacks now and would be there if others left.
  public static Optional<Obstacle> passing(Room room, Shape shape, int n) {
    int answer = Fit.room(room, shape, n);
    if (answer == Fit.NOW) {
      return Optional.empty();
    }
    return Optional.of(
        answer == Fit.SOON ? beingLeft(shape) : Fit.obstacle(room, shape, n, answer));
  }

  private static Obstacle beingLeft(Shape shape) {
    if (shape.isShare()) {
      return Obstacle.SHARED_DEVICES;
    }
    return shape.usesDevices() ? Obstacle.DEVICES : Obstacle.RESOURCE;
  }

  /// Whether there is room, if also that counts which is being left.
  public static boolean hasRoomSoon(Room room, Shape shape, int n) {
    return Fit.isRoom(Fit.room(room, shape, n));
  }

  /// Larger is better; negative where there is no room.
  public static long score(Room room, Shape shape, Strategy strategy, int n) {
    return Score.of(room, shape, strategy, n);
  }

  /// The place on a node that has room.
  public static Spot spot(Room room, Shape shape, int n) {
    return Sharing.spot(room, shape, n);
  }
}
