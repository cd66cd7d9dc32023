package dev.berth.engine.ledger.objects;

import dev.berth.engine.model.BinarySearch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/// A list in key order that is handed out and never changes: what changed since the last one is
/// noted by key, and the next list takes everything else over by reference. Costs nothing when
/// nothing changed, else one copy of the references and the making of the new elements.
public final class SortedCopy<K extends Comparable<K>, V> {
  private final Function<V, K> keyOf;
  private final TreeSet<K> touched = new TreeSet<>();
  private ArrayList<V> elements = new ArrayList<>();
  private List<V> handedOut = Collections.unmodifiableList(elements);

  public SortedCopy(Function<V, K> keyOf) {
    this.keyOf = keyOf;
  }

  public void touch(K key) {
    touched.add(key);
  }

  /// @param now what stands under a key now; the same object as before where nothing changed
  public List<V> list(Function<K, Optional<V>> now) {
    if (touched.isEmpty()) {
      return handedOut;
    }
    var next = new ArrayList<V>(elements.size() + touched.size());
    boolean changed = false;
    int from = 0;
    for (K key : touched) {
      int at = search(from, key);
      next.addAll(elements.subList(from, at));
      boolean wasThere = at < elements.size() && keyOf.apply(elements.get(at)).equals(key);
      Optional<V> element = now.apply(key);
      element.ifPresent(next::add);
      changed |= wasThere != element.isPresent() || wasThere && elements.get(at) != element.get();
      from = wasThere ? at + 1 : at;
    }
    touched.clear();
    if (changed) {
      next.addAll(elements.subList(from, elements.size()));
      elements = next;
      handedOut = Collections.unmodifiableList(next);
    }
    return handedOut;
  }

  /// The first element from `from` whose key is not less.
  private int search(int from, K key) {
    return BinarySearch.first(
        from, elements.size(), i -> keyOf.apply(elements.get(i)).compareTo(key) >= 0);
  }
}
