package dev.berth.engine.session;

import java.util.Collection;

/// What namespaces may cost of something that they share: each gets an equal part, and what others
/// leave of theirs.
final class NamespaceShares {
  private NamespaceShares() {}

  /// @param most of all together
  /// @param costs of each
  /// @return the most that one may cost; `MAX_VALUE` = there is enough for all
  static long part(long most, Collection<Long> costs) {
    long left = most;
    long[] ascending = costs.stream().mapToLong(cost -> cost).sorted().toArray();
    for (int i = 0; i < ascending.length; i++) {
      long part = left / (ascending.length - i);
      if (ascending[i] > part) {
        return part;
      }
      left -= ascending[i];
    }
    return Long.MAX_VALUE;
  }
}
