package dev.berth.engine;

import dev.berth.engine.model.Queue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;

/// The queues as they are in each node pool. A queue that has not changed is the same object again,
/// so that a session goes on.
final class PoolQueues {
  private final HashMap<String, Kept> kept = new HashMap<>(); // looked up only

  /// @param there the same queues as they are in the pool
  private record Kept(List<Queue> whole, List<Queue> there) {}

  /// @param whole as their objects say
  List<Queue> in(String pool, List<Queue> whole) {
    var last = kept.getOrDefault(pool, new Kept(List.of(), List.of()));
    if (last.whole != whole) {
      last = new Kept(whole, in(pool, whole, last));
      kept.put(pool, last);
    }
    return last.there;
  }

  private static List<Queue> in(String pool, List<Queue> whole, Kept last) {
    if (whole.stream().allMatch(queue -> queue.pools().isEmpty())) {
      return whole;
    }
    var known = new IdentityHashMap<Queue, Queue>();
    for (int i = 0; i < last.whole.size(); i++) {
      known.put(last.whole.get(i), last.there.get(i));
    }
    var there = new ArrayList<Queue>(whole.size());
    for (Queue queue : whole) {
      there.add(known.computeIfAbsent(queue, it -> it.in(pool)));
    }
    return List.copyOf(there);
  }
}
