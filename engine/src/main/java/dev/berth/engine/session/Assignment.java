package dev.berth.engine.session;

import java.util.Arrays;

/// Where a seat is, in dense numbers: the index of the node and, of a share, the slots there.
///
/// @param slots ascending, distinct; empty unless a share
/// @param millis thousandths of each slot
@SuppressWarnings("ArrayRecordComponent") // compared by value below; never changed after birth
public record Assignment(int node, int[] slots, int millis) {
  private static final int[] NONE = {};
  private static final int OFF_THE_MAP = -2;

  public static final Assignment NOWHERE = new Assignment(-1, NONE, 0);

  /// On a node that is not in the snapshot.
  static final Assignment UNKNOWN = new Assignment(OFF_THE_MAP, NONE, 0);

  public static Assignment on(int node) {
    return new Assignment(node, NONE, 0);
  }

  public boolean isSomewhere() {
    return node != NOWHERE.node;
  }

  public boolean isOnTheMap() {
    return node >= 0;
  }

  public boolean isSame(Assignment other) {
    return node == other.node && Arrays.equals(slots, other.slots);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Assignment that && isSame(that) && millis == that.millis;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * node + Arrays.hashCode(slots)) + millis;
  }

  @Override
  public String toString() {
    return node + Arrays.toString(slots) + millis;
  }
}
