package dev.berth.engine.ledger.objects;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The last version heard of each object of one kind, so that what comes late is known to be late.
/// Objects that are gone are remembered too, the latest 65,536 of them.
///
/// Version 0 is unknown: such a fact is always taken for the latest. What is gone in version
/// [#FOR_EVER] never comes again. Its owner guards it.
public final class ObjectVersions<K> {
  public static final long FOR_EVER = Long.MAX_VALUE;
  private static final int MOST_GONE = 1 << 16;

  private final Map<K, Long> present = new HashMap<>();
  private final LinkedHashMap<K, Long> gone = new LinkedHashMap<>();

  /// Whether a sighting is news; it is remembered if so.
  public boolean seen(K key, long version) {
    long last = Math.max(present.getOrDefault(key, 0L), gone.getOrDefault(key, 0L));
    if (version != 0 && version <= last || last == FOR_EVER) {
      return false;
    }
    gone.remove(key);
    present.put(key, version);
    return true;
  }

  /// Whether a farewell is news: it is not for what has been seen in a later version.
  public boolean gone(K key, long version) {
    long last = present.getOrDefault(key, 0L);
    if (version != 0 && version < last) {
      return false;
    }
    boolean news = present.remove(key) != null;
    gone.merge(key, Math.max(version, last), Math::max);
    if (gone.size() > MOST_GONE) {
      gone.pollFirstEntry();
    }
    return news;
  }
}
