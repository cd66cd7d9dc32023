package dev.berth.extender.verbs;

import dev.berth.extender.verbs.BindRequests.BindRequest;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;

/// Binds that wait for the ledger to change: for a holder's report, for the watch to bring the pod.
/// The code that takes a bind request out owns it. Each has at most one alarm, which stays set when
/// it is taken out.
final class WaitingBinds {
  private final SequencedSet<BindRequest> waiting = new LinkedHashSet<>();
  private final Set<BindRequest> alarmed = new HashSet<>(); // looked up only
  private long changes;

  synchronized void changed() {
    changes++;
  }

  /// To be read before looking at the ledger, and handed to [#park].
  synchronized long changes() {
    return changes;
  }

  /// @param again whether the ledger changed since the look: look again
  /// @param needsAlarm whether none is set yet: it is the caller's to set
  record Added(boolean again, boolean needsAlarm) {}

  /// @param seen changes before the look that found that it must wait
  synchronized Added add(BindRequest request, long seen) {
    waiting.add(request);
    return new Added(changes != seen, alarmed.add(request));
  }

  /// Its alarm has gone off.
  ///
  /// @return whether it was waiting and now is the caller's
  synchronized boolean takeAlarmed(BindRequest request) {
    alarmed.remove(request);
    return waiting.remove(request);
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
