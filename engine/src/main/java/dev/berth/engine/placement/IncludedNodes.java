package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import java.util.BitSet;

/// Which nodes are [NodeInclusion], computed once for all pods with the same terms, and kept from
/// plan to plan until a node changes in what it says of itself.
final class IncludedNodes {
  private static final int MOST = 4_096;

  private final RecentCache<Question, Answer> kept = new RecentCache<>(MOST);

  private record Question(FreeCapacity room, NodeInclusion honored) {}

  private static final class Answer {
    private final BitSet nodes = new BitSet(0);
    private long described = -1;
  }

  void begin() {
    kept.begin();
  }

  /// By node of a room. Not to be changed.
  BitSet of(FreeCapacity room, NodeInclusion honored) {
    var answer = kept.get(new Question(room, honored), Answer::new);
    var changes = room.changes();
    if (answer.described != changes.described()) {
      for (int n = 0; n < room.nodes(); n++) {
        if (changes.describedAt(n) > answer.described) {
          answer.nodes.set(n, honored.isOf(room.node(n).node()));
        }
      }
      answer.described = changes.described();
    }
    return answer.nodes;
  }
}
