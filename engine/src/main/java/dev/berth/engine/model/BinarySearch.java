package dev.berth.engine.model;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;

/// Searches in what is in order, in O(log n). Hot tables have loops of their own: shared by many
/// callers the call of `holds` or `keyOf` is not inlined.
public final class BinarySearch {
  private BinarySearch() {}

  /// The first index for which it holds; `to` if for none. Where it holds for one, it holds for all
  /// that follow.
  ///
  /// @param from inclusive
  /// @param to exclusive
  public static int first(int from, int to, IntPredicate holds) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (holds.test(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /// The index of the element with a key; `-1 - index` of where it would be if there is none.
  ///
  /// @param elements in ascending order of their keys
  public static <K extends Comparable<K>, V> int indexOf(
      List<V> elements, Function<V, K> keyOf, K key) {
    int low = 0;
    int high = elements.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = keyOf.apply(elements.get(middle)).compareTo(key);
      if (order == 0) {
        return middle;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle - 1;
    }
    return -1 - low;
  }
}
