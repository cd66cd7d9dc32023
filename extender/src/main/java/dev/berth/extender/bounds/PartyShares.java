package dev.berth.extender.bounds;

import java.util.HashMap;
import java.util.Map;

/// Places for clients that follow events, ask a long question or wait for an explanation: so many
/// in all; a quarter of them for one party, so that no tenant keeps all others out, and a quarter
/// for viewers of everything, so that all tenants together do not keep them out. Any thread.
public final class PartyShares {
  private static final int PART = 4;

  private final int most;
  private final Map<String, Integer> taken = new HashMap<>(); // guarded by this
  private int all; // guarded by this

  /// The answer to a client that asks for a place.
  public enum Answer {
    TAKEN,
    FULL,
    /// The party has its part.
    PARTY_FULL
  }

  public PartyShares(int most) {
    this.most = most;
  }

  /// @param party empty = an administrator, that is a viewer of everything: bounded by all places
  ///   alone
  public synchronized Answer take(String party) {
    int named = all - taken.getOrDefault("", 0);
    boolean isNamed = !party.isEmpty();
    if (all >= most
        || isNamed && named >= Math.max(1, most * 3 / 4)) { // the rest is for administrators
      return Answer.FULL;
    }
    if (isNamed && taken.getOrDefault(party, 0) >= Math.max(1, most / PART)) {
      return Answer.PARTY_FULL;
    }
    all++;
    taken.merge(party, 1, Integer::sum);
    return Answer.TAKEN;
  }

  public synchronized void leave(String party) {
    all--;
    taken.computeIfPresent(party, (_, count) -> count > 1 ? count - 1 : null);
  }
}
