package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import java.util.ArrayList;

/// What is so where nodes are too small, even if they are empty, and what would help.
final class NeverSentences {
  private NeverSentences() {}

  /// What is in the way now is told only where another thing may be than what always is.
  static String what(NeverFits never) {
    var room = never.room();
    if (never.most() == 0 || !never.apart().isEmpty()) {
      return RoomSentences.noRoom(room) + "; " + whenEmpty(never);
    }
    String asked = asksAlike(never) ? RoomSentences.asked(room.free()) : "";
    return whenEmpty(never)
        + (asked.isEmpty() ? "" : ", and each pod asks for " + asked)
        + RoomSentences.otherThanItsSize(room);
  }

  /// Whether the pods of which it tells all ask for what the one asks for that found no room: that
  /// may be of a sub-group, and others of another one.
  private static boolean asksAlike(NeverFits never) {
    var room = never.room();
    var told = room.largest();
    boolean isOfThem =
        told.isNone()
            ? !RoomSentences.meetsAny(room, Obstacle.TOPOLOGY)
            : told.subGroup().isEmpty() || told.subGroup().equals(never.largest().subGroup());
    return isOfThem && room.mixed().isNone();
  }

  /// What room there would be.
  private static String whenEmpty(NeverFits never) {
    var room = never.room();
    var largest = never.largest();
    if (never.most() == 0) {
      return "no "
          + (isOfDevices(room) ? "GPU" : "node")
          + (isBoundToSome(room) ? " where it may be" : "")
          + " is large enough, even if it is empty";
    }
    String words =
        largest.isNone()
            ? together(never)
            : RoomSentences.fits(largest, never.most()) + ", even if it is empty";
    boolean isTold = RoomSentences.meetsAny(room, Obstacle.OWN_ANTI_AFFINITY);
    return isTold || never.apart().isEmpty()
        ? words
        : words + " (" + ApartSentences.NEEDS + never.apart() + ")";
  }

  static String helps(NeverFits never) {
    var room = never.room();
    var largest = never.largest();
    if (never.most() == 0) {
      return "a new pod that asks for less"
          + (never.besides().isEmpty() ? ", or " : "; or ")
          + (isOfDevices(room) ? "GPUs with more memory" : "larger nodes")
          + (isBoundToSome(room) ? " where it may be, or a new pod that may be on others" : "");
    }
    if (!never.apart().isEmpty()) {
      return smaller(never) + ApartSentences.domains(never.apart());
    }
    boolean isOfPorts = RoomSentences.meetsAny(room, Obstacle.OWN_HOST_PORTS);
    String others = isOfPorts ? "pods without a host port, " : "pods that ask for less, ";
    return largest.isNone()
        ? smaller(never) + others + opened(never) + elsewhere(never)
        : (smaller(never) + "pods that ask for less, a larger " + largest.level())
            + ", or "
            + RoomSentences.wider(largest);
  }

  private static String smaller(NeverFits never) {
    var largest = never.largest();
    long lacking = (largest.isNone() ? never.room().members() : largest.members()) - never.most();
    String of = largest.subGroup().isEmpty() ? "" : " of sub-group " + largest.subGroup();
    return lacking > 0
        ? "a minimum" + of + " smaller by " + lacking + thenReleased(never) + ", "
        : "a smaller minimum, ";
  }

  private static String thenReleased(NeverFits never) {
    String released = ReleaseSentences.releasedForFewer(never);
    return released.isEmpty() ? "" : " (and then " + released + ")";
  }

  /// How many all nodes take where its pods may be.
  private static String together(NeverFits never) {
    var room = never.room();
    String members = RoomSentences.ofMembers(never.most(), room.members());
    int nodes = room.nodes() - closed(room);
    if (nodes == room.nodes() || nodes < 1 || !room.mixed().isNone()) {
      return "all nodes together fit " + members + ", even if they are empty";
    }
    return nodes == 1
        ? "the 1 node open to its pods fits " + members + ", even if it is empty"
        : ("the " + nodes + " nodes open to its pods together fit " + members)
            + ", even if they are empty";
  }

  /// Nodes where a member may not be, whatever else they lack.
  private static int closed(NoRoom room) {
    int nodes = 0;
    for (Shortfall each : room.shortfalls()) {
      nodes +=
          isBound(each)
              ? each.nodes()
              : each.besides().stream()
                  .filter(NeverSentences::isBound)
                  .mapToInt(Shortfall::nodes)
                  .max()
                  .orElse(0);
    }
    return nodes;
  }

  /// More nodes, or what keeps its pods away from some: taints are often those of the control
  /// plane, so a toleration is told only where it would do.
  private static String elsewhere(NeverFits never) {
    var room = never.room();
    var others = new ArrayList<String>();
    if (RoomSentences.meetsAny(room, Obstacle.NODE_SELECTOR)) {
      others.add("another nodeSelector, ");
    }
    if (RoomSentences.meetsAny(room, Obstacle.NODE_AFFINITY)) {
      others.add("a wider node affinity, ");
    }
    if (RoomSentences.meetsAny(room, Obstacle.DEVICE_MODEL)) {
      others.add("another berth.dev/gpu-model, ");
    }
    return others.isEmpty() ? "or more nodes" : String.join("", others) + "or more such nodes";
  }

  /// What opens nodes that are closed for one thing alone, and would take the rest now.
  private static String opened(NeverFits never) {
    long lacking = never.room().members() - never.most();
    return never.room().shortfalls().stream()
        .filter(each -> each.isReadyFor(lacking))
        .map(each -> RoomAdvice.helps(each, never.room()) + ", ")
        .findFirst()
        .orElse("");
  }

  /// Whether it may not be on other nodes, which may be larger.
  private static boolean isBoundToSome(NoRoom room) {
    return room.shortfalls().stream().anyMatch(NeverSentences::isBound);
  }

  private static boolean isBound(Shortfall shortfall) {
    return switch (shortfall.obstacle()) {
      case TAINT, NODE_SELECTOR, NODE_AFFINITY, DEVICE_MODEL -> true;
      default -> false;
    };
  }

  /// Whether devices are too small, and no node has too few of them.
  private static boolean isOfDevices(NoRoom room) {
    return RoomSentences.meetsAny(room, Obstacle.DEVICE_TOO_SMALL)
        && !RoomSentences.meetsAny(room, Obstacle.TOO_SMALL);
  }
}
