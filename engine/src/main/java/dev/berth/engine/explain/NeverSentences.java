package dev.berth.engine.explain;

import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.NoRoom;

/// What is so where nodes are too small, even if they are empty, and what would help.
final class NeverSentences {
  private NeverSentences() {}

  /// What room there would be.
  static String whenEmpty(NoRoom room, long most, Largest largest) {
    if (most == 0) {
      return "no node is large enough, even if it is empty";
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

  static String helps(long most, Largest largest) {
    if (most == 0) {
      return "a new pod that asks for less, or larger nodes";
    }
    return largest.isNone()
        ? "a smaller minimum, pods that ask for less, or more nodes"
        : ("a smaller minimum, pods that ask for less, a larger " + largest.level())
            + ", or a wider topology level";
  }
}
