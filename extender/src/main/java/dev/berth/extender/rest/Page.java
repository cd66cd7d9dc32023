package dev.berth.extender.rest;

import dev.berth.engine.model.BinarySearch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// A part of a list in key order.
///
/// @param last the key of the last entry if more follow
record Page<V, K>(List<V> entries, Optional<K> last) {
  /// @param after the key after which it begins; empty = at the beginning
  static <V, K extends Comparable<K>> Page<V, K> of(
      List<V> all, Function<V, K> keyOf, Optional<K> after, int limit, Predicate<V> matches) {
    int from =
        after
            .map(key ->
                BinarySearch.first(0, all.size(), i -> keyOf.apply(all.get(i)).compareTo(key) > 0))
            .orElse(0);
    var entries = new ArrayList<V>(Math.min(limit, all.size()));
    for (int i = from; i < all.size(); i++) {
      if (matches.test(all.get(i))) {
        if (entries.size() == limit) {
          return new Page<>(entries, Optional.of(keyOf.apply(entries.getLast())));
        }
        entries.add(all.get(i));
      }
    }
    return new Page<>(entries, Optional.empty());
  }
}
