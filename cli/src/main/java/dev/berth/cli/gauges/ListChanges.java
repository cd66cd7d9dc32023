package dev.berth.cli.gauges;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/// What differs between two lists in the order of their keys, which share by reference what did not
/// change: only references are compared there.
final class ListChanges {
  private ListChanges() {}

  static <T, K extends Comparable<K>> void between(
      List<T> before, List<T> after, Function<T, K> key, Consumer<T> gone, Consumer<T> come) {
    int i = 0;
    int j = 0;
    while (before != after && (i < before.size() || j < after.size())) {
      if (i < before.size() && j < after.size() && before.get(i) == after.get(j)) {
        i++;
        j++;
        continue;
      }
      int order = order(before, i, after, j, key);
      if (order <= 0) {
        gone.accept(before.get(i++));
      }
      if (order >= 0) {
        come.accept(after.get(j++));
      }
    }
  }

  private static <T, K extends Comparable<K>> int order(
      List<T> before, int i, List<T> after, int j, Function<T, K> key) {
    if (i == before.size() || j == after.size()) {
      return i == before.size() ? 1 : -1;
    }
    return key.apply(before.get(i)).compareTo(key.apply(after.get(j)));
  }
}
