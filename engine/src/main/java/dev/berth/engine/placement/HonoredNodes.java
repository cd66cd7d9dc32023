package dev.berth.engine.placement;

import dev.berth.engine.session.Room;
import java.util.BitSet;
import java.util.LinkedHashMap;

/// Which nodes are [Honored], asked once for all who ask the same, and kept from plan to plan as
/// long as nodes are described alike. What no plan has asked for lately is dropped, and where there
/// is too much of it what was asked for longest ago.
final class HonoredNodes {
  private static final int PLANS = 64;
  private static final int MOST = 4_096;

  private final LinkedHashMap<Question, Answer> kept = // the one asked for last at the end
      new LinkedHashMap<>(16, 0.75f, true);
  private long plans;

  private record Question(Room room, Honored honored) {}

  private static final class Answer {
    private final BitSet nodes = new BitSet(0);
    private long described = -1;
    private long used;
  }

  void begin() {
    plans++;
    if (plans % PLANS == 0) {
      kept.values().removeIf(each -> each.used < plans - PLANS);
    }
  }

  /// By node of a room. Not to be changed.
  BitSet of(Room room, Honored honored) {
    var answer = kept.computeIfAbsent(new Question(room, honored), _ -> new Answer());
    if (answer.described != room.described()) {
      for (int n = 0; n < room.nodes(); n++) {
        if (room.describedAt(n) > answer.described) {
          answer.nodes.set(n, honored.isOf(room.node(n).node()));
        }
      }
      answer.described = room.described();
    }
    answer.used = plans;
    if (kept.size() > MOST) {
      kept.remove(kept.firstEntry().getKey());
    }
    return answer.nodes;
  }
}
