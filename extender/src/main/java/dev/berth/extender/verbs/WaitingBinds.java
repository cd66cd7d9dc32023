package dev.berth.extender.verbs;

import dev.berth.extender.verbs.BindRequests.BindRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// Binds that wait for the ledger to change: for a holder's report, for the watch to bring the pod.
/// Whoever takes an bind request out owns it.
final class WaitingBinds {
  private final SequencedSet<BindRequest> waiting = new LinkedHashSet<>();
  private long changes;

  synchronized void changed() {
    changes++;
  }

  /// To be read before looking at the ledger, and handed to [#park].
  synchronized long changes() {
    return changes;
  }

  /// @param seen changes before the look that found that it must wait
  /// @return whether there was one since then: look again
  synchronized boolean park(BindRequest request, long seen) {
    waiting.add(request);
    return changes != seen;
  }

  /// @return whether it was waiting and now is the caller's
  synchronized boolean take(BindRequest request) {
    return waiting.remove(request);
  }

  synchronized List<BindRequest> takeAll() {
    var all = List.copyOf(waiting);
    waiting.clear();
    return all;
  }
}
