package dev.berth.engine.ledger;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Objects of one kind by name, of which the latest sighting counts, and their list in name order.
final class Named<K extends Comparable<K>, V> {
  private final Map<K, V> objects = new HashMap<>();
  private final Versions<K> versions = new Versions<>();
  private final Shelf<K, V> shelf;
  private final Function<V, K> nameOf;
  private final ToLongFunction<V> versionOf;
  private final BiPredicate<V, V> sameness;

  Named(Function<V, K> nameOf, ToLongFunction<V> versionOf, BiPredicate<V, V> sameness) {
    this.shelf = new Shelf<>(nameOf);
    this.nameOf = nameOf;
    this.versionOf = versionOf;
    this.sameness = sameness;
  }

  /// Whether this is news; a sighting that differs in its version alone is none.
  boolean seen(V object) {
    K name = nameOf.apply(object);
    if (!versions.seen(name, versionOf.applyAsLong(object))) {
      return false;
    }
    V known = objects.get(name);
    if (known != null && sameness.test(known, object)) {
      return false;
    }
    objects.put(name, object);
    shelf.touch(name);
    return true;
  }

  boolean gone(K name, long version) {
    if (!versions.gone(name, version)) {
      return false;
    }
    objects.remove(name);
    shelf.touch(name);
    return true;
  }

  Optional<V> find(K name) {
    return Optional.ofNullable(objects.get(name));
  }

  List<V> list() {
    return shelf.list(name -> Optional.ofNullable(objects.get(name)));
  }
}
