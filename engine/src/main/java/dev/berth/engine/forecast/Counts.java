package dev.berth.engine.forecast;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.TreeMap;

/// How many there are of each kind, and of which kind there are most. Guarded by its owner.
final class Counts<K> {
  private final Map<K, Integer> counts = new HashMap<>(); // looked up only
  private final TreeMap<Integer, LinkedHashSet<K>> byCount = new TreeMap<>();

  void add(K kind) {
    move(kind, of(kind), of(kind) + 1);
  }

  void remove(K kind) {
    move(kind, of(kind), of(kind) - 1);
  }

  private void move(K kind, int before, int now) {
    byCount.computeIfPresent(
        before,
        (_, alike) -> {
          alike.remove(kind);
          return alike.isEmpty() ? null : alike;
        });
    if (now > 0) {
      counts.put(kind, now);
      byCount.computeIfAbsent(now, _ -> new LinkedHashSet<>()).add(kind);
    } else {
      counts.remove(kind);
    }
  }

  int of(K kind) {
    return counts.getOrDefault(kind, 0);
  }

  /// Of the kind of which there are most.
  int most() {
    return byCount.lastKey();
  }

  /// A kind of which there are most; of several, the one that has had as many for longest.
  K largest() {
    return byCount.lastEntry().getValue().getFirst();
  }
}
