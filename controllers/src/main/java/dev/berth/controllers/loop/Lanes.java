package dev.berth.controllers.loop;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/// Keys that wait for a worker, in lanes that take turns: first come first served within a lane,
/// and no lane has more than its share of workers, however many keys it has or however long they
/// take. Guarded by its owner, such as a [KeyedLoop] or [PacedQueue].
public final class Lanes<K> {
  private final Function<K, String> laneOf;
  private final ToIntFunction<String> mostOf;
  private final LinkedHashMap<String, ArrayDeque<K>> waiting = new LinkedHashMap<>();
  private final TreeMap<String, Integer> working = new TreeMap<>();
  private int size;

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
    lane(key).addLast(key);
    size++;
  }

  /// It comes before all others of its lane.
  public void addFirst(K key) {
    lane(key).addFirst(key);
    size++;
  }

  private ArrayDeque<K> lane(K key) {
    return waiting.computeIfAbsent(laneOf.apply(key), _ -> new ArrayDeque<>());
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
    var first =
        waiting.entrySet().stream().filter(each -> isOpen(each.getKey())).findFirst().orElseThrow();
    String lane = first.getKey();
    var keys = first.getValue();
    K key = keys.remove();
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
