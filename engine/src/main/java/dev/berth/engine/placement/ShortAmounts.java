package dev.berth.engine.placement;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Reason.Wanted;
import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How much pods of one shape ask for of resources that lack, like cores and memory, and the most
/// of them that is free on one of the nodes which lack them.
final class ShortAmounts {
  /// Nodes that lack a resource: of more, the most is not told.
  private static final int LOOKED_AT = 256;

  private final FreeCapacity room;
  private final PodClass podClass;
  private final Map<String, Seen> byResource = new HashMap<>();

  /// Changed as nodes are looked at.
  private static final class Seen {
    private final int need; // its number
    private int nodes;
    private long most;

    Seen(int need) {
      this.need = need;
    }
  }

  ShortAmounts(FreeCapacity room, PodClass podClass) {
    this.room = room;
    this.podClass = podClass;
  }

  static boolean isTold(Objection objection) {
    return objection.obstacle() == Obstacle.RESOURCE;
  }

  /// @return whether more nodes with this objection are worth a look
  boolean see(int n, Objection objection) {
    if (!isTold(objection)) {
      return false;
    }
    var seen = byResource.computeIfAbsent(objection.detail(), name -> new Seen(need(name)));
    seen.nodes++;
    boolean isLookedAt = seen.need >= 0 && seen.nodes <= LOOKED_AT;
    if (isLookedAt) {
      int resource = podClass.resource(seen.need);
      long free = Math.max(room.free(n, resource), room.freeSoon(n, resource));
      seen.most = Math.max(seen.most, free);
    }
    return isLookedAt;
  }

  /// -1 = no node has heard of the resource.
  private int need(String resource) {
    for (int i = 0; i < podClass.needs(); i++) {
      if (room.resource(podClass.resource(i)).name().equals(resource)) {
        return i;
      }
    }
    return -1;
  }

  /// With `8 asked for, at most 2.5 free` where a resource lacks.
  List<Shortfall> told(List<Shortfall> shortfalls) {
    return byResource.isEmpty() ? shortfalls : shortfalls.stream().map(this::told).toList();
  }

  private Shortfall told(Shortfall shortfall) {
    var seen =
        shortfall.obstacle() == Obstacle.RESOURCE ? byResource.get(shortfall.detail()) : null;
    if (seen == null || seen.need < 0) {
      return shortfall;
    }
    var resource = room.resource(podClass.resource(seen.need));
    String most = seen.most == 0 ? "none" : "at most " + AmountText.number(resource, seen.most);
    return shortfall.wanting(
        new Wanted(
            AmountText.number(resource, podClass.need(seen.need))
                + " asked for"
                + (seen.nodes > LOOKED_AT ? "" : ", " + most + " free"),
            ""));
  }
}
