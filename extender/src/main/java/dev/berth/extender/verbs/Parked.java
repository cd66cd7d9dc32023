package dev.berth.extender.verbs;

import dev.berth.extender.barrier.Later;
import dev.berth.extender.verbs.Errands.Errand;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;

/// Binds that wait for the ledger to change: for a holder's report, for the watch to bring the pod.
/// Whoever takes an errand out owns it. One alarm for them all, whatever number waits.
final class Parked {
  private final Later later;
  private final Duration lull;
  private final Consumer<Errand> again;

  private final SequencedSet<Errand> waiting = new LinkedHashSet<>();
  private long changes;
  private boolean alarmed;

  /// @param again looks at an errand once more; called from the alarm
  Parked(Later later, Duration lull, Consumer<Errand> again) {
    this.later = later;
    this.lull = lull;
    this.again = again;
  }

  /// To be read before looking at the ledger, and handed to [#park].
  synchronized long changes() {
    return changes;
  }

  /// @param seen changes before the look that found that it must wait: a change since then is not
  ///   missed
  void park(Errand errand, long seen) {
    boolean missedOne;
    synchronized (this) {
      waiting.add(errand);
      missedOne = changes != seen && !alarmed;
      alarmed |= missedOne;
    }
    if (missedOne) {
      later.at(later.instant().plus(lull), this::lookAgain);
    }
  }

  /// The ledger changed. Cheap; any thread.
  void changed() {
    synchronized (this) {
      changes++;
      if (waiting.isEmpty() || alarmed) {
        return;
      }
      alarmed = true;
    }
    later.at(later.instant().plus(lull), this::lookAgain);
  }

  private void lookAgain() {
    List<Errand> all;
    synchronized (this) {
      alarmed = false;
      all = List.copyOf(waiting);
      waiting.clear();
    }
    all.forEach(again);
  }

  /// @return whether it was waiting and now is the caller's
  synchronized boolean take(Errand errand) {
    return waiting.remove(errand);
  }
}
