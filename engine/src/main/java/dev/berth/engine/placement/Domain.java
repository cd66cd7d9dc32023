package dev.berth.engine.placement;

import dev.berth.engine.session.Room;
import java.util.Arrays;

/// Nodes that belong together: those under one topology value, or the whole cluster.
final class Domain {
  private final boolean[] members;
  private final int size;

  private Domain(boolean[] members, int size) {
    this.members = members;
    this.size = size;
  }

  static Domain whole(Room room) {
    var all = new boolean[room.nodes()];
    Arrays.fill(all, true);
    return new Domain(all, all.length);
  }

  /// @param members by node index; not to be changed afterwards
  static Domain of(boolean[] members) {
    int size = 0;
    for (boolean member : members) {
      size += member ? 1 : 0;
    }
    return new Domain(members, size);
  }

  boolean contains(int n) {
    return members[n];
  }

  boolean isWhole() {
    return size == members.length;
  }

  int size() {
    return size;
  }
}
