package dev.berth.simulator.check;

import dev.berth.simulator.world.ObjectTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The queues as they are and as they were, for as long as a change may not be known yet.
final class QueueHistory {
  private static final long MILLIS = 1000;

  /// What a queue was, and until when.
  private record Was(Map<String, Object> queue, Instant until) {}

  /// A bound of a queue, in thousandths.
  record Most(String queue, String what, long millis) {
    void check(long used, String pod, List<String> broken) {
      if (used > millis) {
        broken.add(
            "queue "
                + queue
                + " takes "
                + used
                + " thousandths with "
                + pod
                + ", beyond its "
                + what
                + " of "
                + millis);
      }
    }
  }

  private final Duration blind;
  private final TreeMap<String, Map<String, Object>> queues = new TreeMap<>();
  private final TreeMap<String, List<Was>> history = new TreeMap<>();
  private Instant treeChanged = Instant.MIN;

  /// @param blind how late a change of a queue may be known
  QueueHistory(Duration blind) {
    this.blind = blind;
  }

  /// @param isFirst whether no node is known yet: the tree is planted then
  void changed(String name, Optional<Map<String, Object>> after, Instant now, boolean isFirst) {
    var was = Optional.ofNullable(queues.get(name));
    boolean sameSpec =
        was.map(queue -> ObjectTree.map(queue, "spec"))
            .equals(after.map(queue -> ObjectTree.map(queue, "spec")));
    if (sameSpec) {
      return;
    }
    was.ifPresent(
        queue -> history.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Was(queue, now)));
    boolean first = queues.isEmpty() || isFirst;
    boolean sameTree =
        was.isPresent()
            && after.isPresent()
            && ObjectTree.text(was.get(), "spec", "parent")
                .equals(ObjectTree.text(after.get(), "spec", "parent"));
    if (!first && !sameTree) {
      treeChanged = now;
    }
    after.ifPresentOrElse(it -> queues.put(name, it), () -> queues.remove(name));
  }

  /// Whether the tree changed so lately that the change may not be known.
  boolean isTreeUnsettled(Instant now) {
    return treeChanged.isAfter(now.minus(blind));
  }

  boolean isThere(String queue) {
    return queues.containsKey(queue);
  }

  /// Empty = it is a root, or does not exist.
  String parent(String queue) {
    return ObjectTree.text(queues.getOrDefault(queue, Map.of()), "spec", "parent");
  }

  boolean isBelow(String leaf, String queue) {
    String at = leaf;
    while (!at.isEmpty() && !at.equals(queue)) {
      at = parent(at);
    }
    return !at.isEmpty();
  }

  /// The largest value of a bound that a process may still know.
  Most most(String queue, String what, long otherwise, Instant now) {
    long most = millis(queues.getOrDefault(queue, Map.of()), what, otherwise);
    var since = now.minus(blind);
    for (Was was : history.getOrDefault(queue, List.of())) {
      if (was.until().isAfter(since)) {
        most = Math.max(most, millis(was.queue(), what, otherwise));
      }
    }
    return new Most(queue, what, most);
  }

  private static long millis(Map<String, Object> queue, String what, long otherwise) {
    if (ObjectTree.text(queue, "spec", what, "gpu").equals("unlimited")) {
      return Long.MAX_VALUE;
    }
    long devices = ObjectTree.number(queue, otherwise, "spec", what, "gpu");
    return devices == Long.MAX_VALUE ? devices : devices * MILLIS;
  }
}
