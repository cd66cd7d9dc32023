package dev.berth.engine;

import java.util.function.Predicate;

/// All ways to release some of what nodes have in use.
final class Released {
  private Released() {}

  /// Whether any way to release so many does.
  ///
  /// @param used of each node
  static boolean anyWay(int[] used, int count, Predicate<int[]> does) {
    return anyWay(used, count, 0, new int[used.length], does);
  }

  private static boolean anyWay(
      int[] used, int left, int node, int[] released, Predicate<int[]> does) {
    if (node == used.length) {
      return left == 0 && does.test(released);
    }
    for (int some = 0; some <= Math.min(left, used[node]); some++) {
      released[node] = some;
      if (anyWay(used, left - some, node + 1, released, does)) {
        return true;
      }
    }
    released[node] = 0;
    return false;
  }
}
