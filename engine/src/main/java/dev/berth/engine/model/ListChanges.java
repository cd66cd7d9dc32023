package dev.berth.engine.model;

import java.util.List;
import java.util.function.Function;
import java.util.function.IntConsumer;

/// What differs between two lists in the order of their keys, which share by reference what did not
/// change: only references are compared there.
public final class ListChanges {
  private ListChanges() {}

  /// @param gone index in the list before of what is not there any more, or is another object
  /// @param come index in the list after of what is new, or another object. Told before what has
  ///   gone of the same key
  public static <T, K extends Comparable<? super K>> void between(
      List<T> before, List<T> after, Function<T, K> key, IntConsumer gone, IntConsumer come) {
    int i = 0;
    int j = 0;
    while (before != after && (i < before.size() || j < after.size())) {
      if (i < before.size() && j < after.size() && before.get(i) == after.get(j)) {
        i++;
        j++;
        continue;
      }
      int order = order(before, i, after, j, key);
      if (order >= 0) {
        come.accept(j++);
      }
      if (order <= 0) {
        gone.accept(i++);
      }
    }
  }

  private static <T, K extends Comparable<? super K>> int order(
      List<T> before, int i, List<T> after, int j, Function<T, K> key) {
    if (i == before.size() || j == after.size()) {
      return i == before.size() ? 1 : -1;
    }
    return key.apply(before.get(i)).compareTo(key.apply(after.get(j)));
  }
}
