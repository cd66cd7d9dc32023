package dev.berth.engine.ledger;

import dev.berth.engine.model.NodeName;
import java.time.Instant;
import java.util.TreeMap;

/// Nodes on which no further device can be held for shares. A trouble ends with its time, or when
/// the node is another one than had it.
final class HolderFailures {
  private final TreeMap<NodeName, Instant> until = new TreeMap<>();
  private final NodeUsageTable rooms;

  HolderFailures(NodeUsageTable rooms) {
    this.rooms = rooms;
  }

  void begin(NodeName node, String words, Instant end) {
    until.put(node, end);
    rooms.trouble(node, words);
  }

  boolean endAt(NodeName node) {
    boolean had = until.remove(node) != null;
    if (had) {
      rooms.trouble(node, "");
    }
    return had;
  }

  boolean endAllUntil(Instant now) {
    boolean any = false;
    for (NodeName node : until.keySet().toArray(NodeName[]::new)) {
      if (!until.getOrDefault(node, Instant.MAX).isAfter(now)) {
        any |= endAt(node);
      }
    }
    return any;
  }
}
