package dev.berth.controllers.loop;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Keys that wait for a worker, in lanes that take turns: first come first served within a lane,
/// and no lane has more than its share of workers, however many keys it has or however long they
/// take. Guarded by its owner, such as a [KeyedLoop] or [PacedQueue].
public final class Lanes<K> {
  private final Function<K, String> laneOf;
  private final ToIntFunction<String> mostOf;
  private final LinkedHashMap<String, TreeMap<Long, K>> waiting = new LinkedHashMap<>();
  private final TreeMap<String, Integer> working = new TreeMap<>();
  private int size;
  private long lastPlace;
  private long firstPlace = 1;

  /// @param mostOfOne keys of one lane in work at the same time
  public Lanes(Function<K, String> laneOf, int mostOfOne) {
    this(laneOf, _ -> mostOfOne);
  }

  /// @param mostOf keys of a lane in work at the same time
  public Lanes(Function<K, String> laneOf, ToIntFunction<String> mostOf) {
    this.laneOf = laneOf;
    this.mostOf = mostOf;
  }

  public void add(K key) {
    var _ = put(key);
  }

  /// The same.
  ///
  /// @return its place, by which it can be [taken out][#remove]
  long put(K key) {
    lane(key).put(++lastPlace, key);
    size++;
    return lastPlace;
  }

  /// It comes before all others of its lane.
  public void addFirst(K key) {
    lane(key).put(--firstPlace, key);
    size++;
  }

  private TreeMap<Long, K> lane(K key) {
    return waiting.computeIfAbsent(laneOf.apply(key), _ -> new TreeMap<>());
  }

  /// A key waits no more. Without effect where another is in its place, or none.
  void remove(K key, long place) {
    String lane = laneOf.apply(key);
    Optional.ofNullable(waiting.get(lane))
        .filter(keys -> keys.remove(place, key))
        .ifPresent(keys -> {
          size--;
          if (keys.isEmpty()) {
            waiting.remove(lane);
          }
        });
  }

  public int size() {
    return size;
  }

  void clear() {
    waiting.clear();
    size = 0;
  }

  public boolean hasNext() {
    return waiting.keySet().stream().anyMatch(this::isOpen);
  }

  /// Takes the first key of the next lane that may work; that lane goes to the end. It is in work
  /// until it is [#done].
  ///
  /// @throws java.util.NoSuchElementException if there is [none][#hasNext]
  public K next() {
    var open =
        waiting.entrySet().stream().filter(each -> isOpen(each.getKey())).findFirst().orElseThrow();
    String lane = open.getKey();
    var keys = open.getValue();
    var first = keys.values().iterator();
    K key = first.next();
    first.remove();
    waiting.remove(lane);
    if (!keys.isEmpty()) {
      waiting.put(lane, keys);
    }
    working.merge(lane, 1, Integer::sum);
    size--;
    return key;
  }

  public void done(K key) {
    working.computeIfPresent(laneOf.apply(key), (_, count) -> count == 1 ? null : count - 1);
  }

  private boolean isOpen(String lane) {
    return working.getOrDefault(lane, 0) < mostOf.applyAsInt(lane);
  }
}
