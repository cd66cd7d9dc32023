package dev.berth.engine.placement;

import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.Optional;

/// Whether, how well and where exactly one node takes one pod that kube-scheduler has chosen it
/// for: only room that is free now counts.
public final class SingleNodeFit {
  private SingleNodeFit() {}

  /// What stands in the way and stays, whatever leaves the node.
  public static Optional<Shortfall> lasting(FreeCapacity room, PodClass podClass, int n) {
    return objection(room, podClass, n)
        .map(objection -> new Shortfall(objection.obstacle(), objection.detail(), 1));
  }

  /// Whether the pod may be on that node at all: by a cordon, by taints, by what it selects. For
  /// the pod that is asked about it is not known whether kube-scheduler has judged that.
  public static Optional<Shortfall> chosen(FreeCapacity room, PodClass podClass, int n) {
    return NodeRules.chosen(podClass.constraints(), room.node(n).node())
        .map(objection -> new Shortfall(objection.obstacle(), objection.detail(), 1));
  }

  static Optional<Objection> objection(FreeCapacity room, PodClass podClass, int n) {
    var there = room.node(n);
    return DeviceRules.objection(podClass, there.node())
        .or(() -> NumaRules.objection(podClass.request().alignment(), there.numa()));
  }

  /// What lacks now and would be there if others left.
  public static Optional<Obstacle> passing(FreeCapacity room, PodClass podClass, int n) {
    return switch (Fit.answer(room, podClass, n)) {
      case Fit.Fits.NOW -> Optional.empty();
      case Fit.Fits.SOON -> Optional.of(beingLeft(podClass));
      case Fit.Lack(_, var objection) -> Optional.of(objection.obstacle());
    };
  }

  private static Obstacle beingLeft(PodClass podClass) {
    if (podClass.isShare()) {
      return Obstacle.SHARED_DEVICES;
    }
    return podClass.usesDevices() ? Obstacle.DEVICES : Obstacle.RESOURCE;
  }

  /// Whether there is room, if also that counts which is being left.
  public static boolean hasRoomSoon(FreeCapacity room, PodClass podClass, int n) {
    return Fit.isRoom(Fit.room(room, podClass, n));
  }

  /// Scores nodes as a planner of the same snapshot does. For one thread at a time.
  public static final class Scores {
    private final FreeCapacity room;
    private final Strategy strategy;
    private final Optional<PackingCost> packing;

    public Scores(Snapshot snapshot, FreeCapacity room, Strategy strategy) {
      this.room = room;
      this.strategy = strategy;
      this.packing =
          strategy.isAdaptive() ? PackingCost.of(snapshot.demand(), room) : Optional.empty();
    }

    /// Larger is better; negative where there is no room.
    public long of(PodClass podClass, int n) {
      return Score.of(room, podClass, strategy, packing, n);
    }
  }

  /// The place on a node that has room.
  public static Assignment assignment(FreeCapacity room, PodClass podClass, int n) {
    return Sharing.assignment(room, podClass, n);
  }
}
