package dev.berth.engine.session;

import java.util.Arrays;

/// Which nodes changed, and when: a log of the latest changes, and a stamp for each node. What is
/// kept about nodes from plan to plan is looked at again only where it says so.
public final class NodeChanges {
  private final int[] changed; // a ring: the nodes that the latest changes touched
  private final long[] stamps; // by node
  private long version;
  private long described;
  private final long[] describedAt; // by node
  private long supplied;

  NodeChanges(int nodes) {
    changed = new int[Math.max(1024, Integer.highestOneBit(Math.max(1, nodes)) * 4)];
    stamps = new long[nodes];
    describedAt = new long[nodes];
  }

  /// Counts changes; the nodes they touched can be asked for by [#changed].
  public long version() {
    return version;
  }

  /// Names what the nodes say of themselves: as long as it says the same, only what is used of them
  /// changed.
  public long described() {
    return described;
  }

  /// What [#described] was when that node last said another thing of itself.
  public long describedAt(int n) {
    return describedAt[n];
  }

  /// A node says another thing of itself.
  void describe(int n) {
    describedAt[n] = ++described;
  }

  /// A node, or what pods of other schedulers use there, is not as it was.
  void supply() {
    supplied++;
  }

  /// Grows when a node, or what pods of other schedulers use there, is not as it was.
  long supplied() {
    return supplied;
  }

  /// Whether [#changed] still remembers every change since.
  public boolean remembers(long since) {
    return version - since <= changed.length;
  }

  /// The node that change number `change` (from 0) touched.
  public int changed(long change) {
    return changed[(int) (change % changed.length)];
  }

  /// A node changed.
  void touch(int n) {
    changed[(int) (version++ % changed.length)] = n;
    stamps[n] = version;
  }

  /// Names what is on a node: as long as it says the same, nothing changed there. What was undone
  /// is named as it was before.
  public long stamp(int n) {
    return stamps[n];
  }

  /// A change was undone: the node is as it was when it had this stamp.
  void restore(int n, long stamp) {
    changed[(int) (version++ % changed.length)] = n;
    stamps[n] = stamp;
  }

  /// The next node, from `from` on, of which the stamp is not the one in a list by node; −1 = none.
  public int nextChanged(long[] seen, int from) {
    int at = Arrays.mismatch(stamps, from, stamps.length, seen, from, stamps.length);
    return at < 0 ? -1 : from + at;
  }
}
