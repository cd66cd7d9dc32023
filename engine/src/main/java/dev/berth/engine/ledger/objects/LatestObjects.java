package dev.berth.engine.ledger.objects;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/// Objects of one kind by name, of which the latest sighting counts. Of sightings that say the same
/// the first is kept.
public final class LatestObjects<K, V> {
  private final Map<K, V> objects = new HashMap<>();
  private final ObjectVersions<K> versions = new ObjectVersions<>();
  private final BiPredicate<V, V> sameness;

  public LatestObjects(BiPredicate<V, V> sameness) {
    this.sameness = sameness;
  }

  /// Whether this is news; a sighting that differs in its version alone is none.
  public boolean seen(K name, V object, long version) {
    if (!versions.seen(name, version)) {
      return false;
    }
    V known = objects.get(name);
    if (known != null && sameness.test(known, object)) {
      return false;
    }
    objects.put(name, object);
    return true;
  }

  public boolean gone(K name, long version) {
    if (!versions.gone(name, version)) {
      return false;
    }
    objects.remove(name);
    return true;
  }

  public Optional<V> find(K name) {
    return Optional.ofNullable(objects.get(name));
  }

  public boolean isEmpty() {
    return objects.isEmpty();
  }

  /// In no order.
  public Collection<V> all() {
    return Collections.unmodifiableCollection(objects.values());
  }
}
