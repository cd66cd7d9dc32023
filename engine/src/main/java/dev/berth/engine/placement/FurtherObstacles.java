package dev.berth.engine.placement;

import dev.berth.engine.placement.NodeRules.Objection;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.PodClass;
import java.util.ArrayList;
import java.util.List;

/// What a node says to pods of a shape besides the first thing.
final class FurtherObstacles {
  private FurtherObstacles() {}

  /// Of a node that takes no such pod whatever leaves, for its state or by what the pod selects:
  /// all else of these. Of its devices, its size and what is free there a node tells that it is not
  /// closed besides: of one that is, and that is not meant, no user hears of what is taken.
  static List<Objection> lasting(FreeCapacity room, PodClass podClass, int n, Objection first) {
    if (!isOfNode(first)) {
      return List.of();
    }
    var node = room.node(n).node();
    var closed = NodeRules.closed(podClass.constraints(), node);
    var besides = new ArrayList<>(closed);
    besides.addAll(NodeRules.unselected(podClass.constraints(), node));
    besides.remove(first);
    if (closed.isEmpty() || closed.contains(first)) {
      Shortfalls.besidesRules(room, podClass, n, first).ifPresent(besides::add);
    }
    return besides;
  }

  private static boolean isOfNode(Objection first) {
    return switch (first.obstacle()) {
      case NOT_READY, UNSCHEDULABLE, TAINT, NODE_SELECTOR, NODE_AFFINITY, VOLUME, DEVICE_MODEL ->
          true;
      case DEVICE_MEMORY_UNKNOWN,
          DEVICE_MODE,
          DEVICE_HEALTH,
          DEVICE_PLUGIN,
          NO_DEVICES,
          NOT_OFFERED,
          TOO_SMALL,
          DEVICE_TOO_SMALL,
          DEVICES,
          SHARED_DEVICES,
          HOLDERS,
          RESOURCE,
          PODS,
          HOST_PORTS,
          OWN_HOST_PORTS,
          TOPOLOGY,
          POD_AFFINITY,
          POD_ANTI_AFFINITY,
          OWN_ANTI_AFFINITY,
          OTHERS_ANTI_AFFINITY,
          SPREAD,
          SPREAD_LABEL,
          INTER_POD,
          CLAIMS,
          ISOLATION,
          INJECTION,
          RUNTIME_CLASS,
          NUMA,
          VETO ->
          false;
    };
  }
}
