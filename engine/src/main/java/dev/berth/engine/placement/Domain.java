package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import java.util.Arrays;

/// Nodes that belong together: those under one topology value, or the whole cluster. Some of them
/// may come before others.
final class Domain {
  private static final int[] ALIKE = {};
  private static final String NAMELESS = "";

  private final boolean[] members;
  private final int size;
  private final int[] turn;
  private final String name;

  private Domain(boolean[] members, int size, int[] turn, String name) {
    this.members = members;
    this.size = size;
    this.turn = turn;
    this.name = name;
  }

  static Domain whole(FreeCapacity room) {
    var all = new boolean[room.nodes()];
    Arrays.fill(all, true);
    return new Domain(all, all.length, ALIKE, NAMELESS);
  }

  /// @param members by node index; not to be changed afterwards
  static Domain of(boolean[] members) {
    int size = 0;
    for (boolean member : members) {
      size += member ? 1 : 0;
    }
    return new Domain(members, size, ALIKE, NAMELESS);
  }

  /// The same nodes, in turns: those of a lower one are taken first, whatever their score.
  ///
  /// @param turns by node index; not to be changed afterwards
  Domain inTurns(int[] turns) {
    return new Domain(members, size, turns, name);
  }

  /// The same nodes as a domain of a required topology level.
  Domain named(String value) {
    return new Domain(members, size, turn, value);
  }

  /// Empty where it is no domain of a required topology level.
  String name() {
    return name;
  }

  boolean contains(int n) {
    return members[n];
  }

  /// Whether it is the cluster and nothing more.
  boolean isWhole() {
    return size == members.length && !hasTurns();
  }

  boolean hasTurns() {
    return turn.length > 0;
  }

  int turn(int n) {
    return turn[n];
  }

  int size() {
    return size;
  }

  boolean hasNodesOf(Domain other) {
    return size == other.size && Arrays.equals(members, other.members);
  }
}
