package dev.berth.cli.lists;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The GPUs of a queue in the node pools for which it says something of its own.
public final class PoolAmounts {
  private PoolAmounts() {}

  /// `h100: quota 2, limit unlimited`; nodes without the label of pools are called `-`. Empty where
  /// it has the same in each.
  public static String words(Queue queue) {
    var words = new ArrayList<String>();
    for (String pool : queue.pools().keySet()) {
      words.add(
          (pool.isEmpty() ? "-" : pool)
              + (": quota " + quota(queue, pool))
              + (", limit " + limit(queue, pool)));
    }
    return String.join("; ", words);
  }

  /// The same for programs, where it has not the same in each.
  public static void addTo(Map<String, Object> item, Queue queue) {
    var pools = new ArrayList<Map<String, Object>>();
    for (String pool : queue.pools().keySet()) {
      var there = new LinkedHashMap<String, Object>();
      there.put("name", pool);
      there.put("quota", quota(queue, pool));
      there.put("limit", limit(queue, pool));
      pools.add(there);
    }
    if (!pools.isEmpty()) {
      item.put("pools", List.copyOf(pools));
    }
  }

  private static String quota(Queue queue, String pool) {
    return Queue.text(Resource.GPU, queue.in(pool).quota().of(Resource.GPU));
  }

  private static String limit(Queue queue, String pool) {
    return Queue.text(Resource.GPU, queue.in(pool).limitOf(Resource.GPU));
  }
}
