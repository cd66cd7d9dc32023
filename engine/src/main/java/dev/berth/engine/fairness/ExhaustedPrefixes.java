package dev.berth.engine.fairness;

import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.session.Session;
import java.util.HashMap;

/// How many at the beginning of each leaf have nothing to give to the preemptors of a queue, as
/// long as nothing has changed. Where all are protected, each of thousands of preemptors would look
/// at every one of them anew.
///
/// For searches whose [Asked] tell the same of the same group for all preemptors of a queue; asked
/// outside of statements.
public final class ExhaustedPrefixes {
  private final Session session;
  private final HashMap<Key, Integer> known = new HashMap<>();
  private long settled;

  private record Key(int leaf, int queue, long below, boolean shortened) {}

  public ExhaustedPrefixes(Session session) {
    this.session = session;
    this.settled = session.settled();
  }

  private static Key key(int leaf, Asked asked) {
    return new Key(leaf, asked.preemptor().queue(), asked.below(), asked.shortened());
  }

  int of(int leaf, Asked asked) {
    if (settled != session.settled()) {
      known.clear();
      settled = session.settled();
    }
    return known.getOrDefault(key(leaf, asked), 0);
  }

  /// As far as `of` was asked before.
  void note(int leaf, Asked asked, int count) {
    known.merge(key(leaf, asked), count, Math::max);
  }
}
