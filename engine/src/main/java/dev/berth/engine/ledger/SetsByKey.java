package dev.berth.engine.ledger;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Several values by key, each key's in the order in which they were added. A key without a value
/// is not there.
final class SetsByKey<K, V> {
  private final Map<K, Set<V>> sets = new HashMap<>();

  void add(K key, V value) {
    sets.computeIfAbsent(key, _ -> new LinkedHashSet<>(2)).add(value);
  }

  void remove(K key, V value) {
    var set = sets.get(key);
    if (set != null && set.remove(value) && set.isEmpty()) {
      sets.remove(key);
    }
  }

  /// Empty where the key is not there.
  Collection<V> of(K key) {
    return sets.getOrDefault(key, Collections.emptySet());
  }

  boolean has(K key) {
    return sets.containsKey(key);
  }

  boolean isEmpty() {
    return sets.isEmpty();
  }

  /// In no order.
  Collection<K> keys() {
    return sets.keySet();
  }
}
