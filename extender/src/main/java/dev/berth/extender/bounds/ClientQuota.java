package dev.berth.extender.bounds;

import java.util.HashMap;
import java.util.Map;

/// What clients hold at the same time, bounded by a weight (places, bytes): so much in all; an
/// eighth of it for one party, so that no tenant keeps all others out, and a quarter for viewers of
/// everything, so that all tenants together do not keep them out. What is heavier than its part is
/// taken where nothing else of that part is. Any thread.
public final class ClientQuota {
  private final long most;
  private final Map<String, Long> taken = new HashMap<>(); // guarded by this
  private long all; // guarded by this

  /// The answer to a client that asks for a part.
  public enum Answer {
    TAKEN,
    FULL,
    /// The party has its part.
    PARTY_FULL
  }

  /// @param most weight of all together
  public ClientQuota(long most) {
    this.most = most;
  }

  /// @param party empty = an administrator, that is a viewer of everything: bounded by all alone
  public synchronized Answer take(String party, long weight) {
    long own = taken.getOrDefault(party, 0L);
    boolean isNamed = !party.isEmpty();
    long named = all - taken.getOrDefault("", 0L);
    if (isFull(all, weight, most) || isNamed && isFull(named, weight, most * 3 / 4)) {
      return Answer.FULL;
    }
    if (isNamed && isFull(own, weight, most / 8)) {
      return Answer.PARTY_FULL;
    }
    all += weight;
    taken.put(party, own + weight);
    return Answer.TAKEN;
  }

  private static boolean isFull(long has, long weight, long most) {
    return has > 0 && has + weight > most;
  }

  /// @param weight that it had taken
  public synchronized void leave(String party, long weight) {
    all -= weight;
    taken.computeIfPresent(party, (_, own) -> own > weight ? own - weight : null);
  }
}
