package dev.berth.engine.ledger.objects;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// Objects of one kind by name, of which the latest sighting counts, and their list in name order.
public final class NamedObjects<K extends Comparable<K>, V> {
  private final LatestObjects<K, V> latest;
  private final SortedCopy<K, V> copies;
  private final Function<V, K> nameOf;
  private final ToLongFunction<V> versionOf;

  public NamedObjects(
      Function<V, K> nameOf, ToLongFunction<V> versionOf, BiPredicate<V, V> sameness) {
    this.latest = new LatestObjects<>(sameness);
    this.copies = new SortedCopy<>(nameOf);
    this.nameOf = nameOf;
    this.versionOf = versionOf;
  }

  /// Whether this is news; a sighting that differs in its version alone is none.
  public boolean seen(V object) {
    K name = nameOf.apply(object);
    boolean news = latest.seen(name, object, versionOf.applyAsLong(object));
    if (news) {
      copies.touch(name);
    }
    return news;
  }

  public boolean gone(K name, long version) {
    boolean news = latest.gone(name, version);
    if (news) {
      copies.touch(name);
    }
    return news;
  }

  public Optional<V> find(K name) {
    return latest.find(name);
  }

  public List<V> list() {
    return copies.list(latest::find);
  }
}
