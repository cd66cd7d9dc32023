package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;

/// What is so where nodes are too small, even if they are empty, and what would help.
final class NeverSentences {
  private NeverSentences() {}

  /// What room there would be.
  static String whenEmpty(NoRoom room, long most, Largest largest) {
    if (most == 0) {
      return "no "
          + (isOfDevices(room) ? "GPU" : "node")
          + (isBoundToSome(room) ? " where it may be" : "")
          + " is large enough, even if it is empty";
    }
    return largest.isNone()
        ? "all nodes together fit "
            + RoomSentences.ofMembers(most, room.members())
            + ", even if they are empty"
        : RoomSentences.largest(largest)
            + " fits "
            + RoomSentences.ofMembers(most, largest.members())
            + ", even if it is empty";
  }

  static String helps(NoRoom room, long most, Largest largest) {
    if (most == 0) {
      return "a new pod that asks for less, or "
          + (isOfDevices(room) ? "GPUs with more memory" : "larger nodes")
          + (isBoundToSome(room) ? " where it may be, or a new pod that may be on others" : "");
    }
    return largest.isNone()
        ? "a smaller minimum, pods that ask for less, or more nodes"
        : ("a smaller minimum, pods that ask for less, a larger " + largest.level())
            + ", or a wider topology level";
  }

  /// Whether it may not be on other nodes, which may be larger.
  private static boolean isBoundToSome(NoRoom room) {
    return room.shortfalls().stream()
        .map(Shortfall::obstacle)
        .anyMatch(each ->
            each == Obstacle.TAINT
                || each == Obstacle.NODE_SELECTOR
                || each == Obstacle.NODE_AFFINITY
                || each == Obstacle.DEVICE_MODEL);
  }

  /// Whether devices are too small, and no node has too few of them.
  private static boolean isOfDevices(NoRoom room) {
    var obstacles = room.shortfalls().stream().map(Shortfall::obstacle).toList();
    return obstacles.contains(Obstacle.DEVICE_TOO_SMALL) && !obstacles.contains(Obstacle.TOO_SMALL);
  }
}
