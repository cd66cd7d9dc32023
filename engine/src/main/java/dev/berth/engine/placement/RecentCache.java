package dev.berth.engine.placement;

import java.util.LinkedHashMap;
import java.util.function.Supplier;

/// What is kept from plan to plan, as long as plans ask for it. What no plan has asked for lately
/// is dropped. Where there is too much of it, the one that was asked for last makes way: plans ask
/// for all of them one after the other, and so the others stay for the next plan.
final class RecentCache<K, V> {
  private static final int PLANS = 64;

  private final long most;
  private final LinkedHashMap<K, Item<V>> items = // the one asked for last at the end
      new LinkedHashMap<>(16, 0.75f, true);
  private long plans;

  private static final class Item<V> {
    private final V value;
    private long used;

    Item(V value) {
      this.value = value;
    }
  }

  /// @param most that are kept; one at least
  RecentCache(long most) {
    this.most = Math.max(1, most);
  }

  int size() {
    return items.size();
  }

  /// A plan begins.
  void begin() {
    plans++;
    if (plans % PLANS == 0) {
      items.values().removeIf(each -> each.used < plans - PLANS);
    }
  }

  V get(K key, Supplier<V> make) {
    var item = items.get(key);
    if (item == null) {
      while (items.size() >= most) {
        items.remove(items.lastEntry().getKey());
      }
      item = new Item<>(make.get());
      items.put(key, item);
    }
    item.used = plans;
    return item.value;
  }
}
