package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;

/// What is so where nodes are too small, even if they are empty, and what would help.
final class NeverSentences {
  private NeverSentences() {}

  /// What room there would be.
  static String whenEmpty(NeverFits never) {
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
            ? "all nodes together fit "
                + RoomSentences.ofMembers(never.most(), room.members())
                + ", even if they are empty"
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
      return "a new pod that asks for less, or "
          + (isOfDevices(room) ? "GPUs with more memory" : "larger nodes")
          + (isBoundToSome(room) ? " where it may be, or a new pod that may be on others" : "");
    }
    if (!never.apart().isEmpty()) {
      return "a smaller minimum, " + ApartSentences.domains(never.apart());
    }
    return largest.isNone()
        ? "a smaller minimum, pods that ask for less, " + opened(never) + "or more nodes"
        : ("a smaller minimum, pods that ask for less, a larger " + largest.level())
            + ", or "
            + RoomSentences.wider(largest);
  }

  /// What opens nodes that are closed for one thing alone, and would take the rest now.
  private static String opened(NeverFits never) {
    long lacking = never.room().members() - never.most();
    return never.room().shortfalls().stream()
        .filter(each -> each.isReadyFor(lacking))
        .map(each -> RoomSentences.helps(each, never.room()) + ", ")
        .findFirst()
        .orElse("");
  }

  /// Whether it may not be on other nodes, which may be larger.
  private static boolean isBoundToSome(NoRoom room) {
    return RoomSentences.meetsAny(
        room,
        Obstacle.TAINT,
        Obstacle.NODE_SELECTOR,
        Obstacle.NODE_AFFINITY,
        Obstacle.DEVICE_MODEL);
  }

  /// Whether devices are too small, and no node has too few of them.
  private static boolean isOfDevices(NoRoom room) {
    return RoomSentences.meetsAny(room, Obstacle.DEVICE_TOO_SMALL)
        && !RoomSentences.meetsAny(room, Obstacle.TOO_SMALL);
  }
}
