package dev.berth.engine.ledger.objects;

import dev.berth.engine.model.Pod;
import org.jspecify.annotations.Nullable;

/// One object for what many pods ask alike, so that a session over all of them compares references.
///
/// Remembers what was asked last, one at each place of its hash. What comes to a place that is
/// taken drives out what was there: that costs a comparison by value later on, nothing else.
public final class Interner {
  private static final int PLACES = 1 << 10;

  private final Pod.@Nullable Asks[] seen = new Pod.Asks[PLACES];

  /// The same pod with an object for its asks that others have too.
  public Pod of(Pod pod) {
    int hash = pod.asks().hashCode();
    int place = (hash ^ hash >>> 16) & (PLACES - 1);
    var known = seen[place];
    if (known != null && known.equals(pod.asks())) {
      return pod.asking(known);
    }
    seen[place] = pod.asks();
    return pod;
  }
}
