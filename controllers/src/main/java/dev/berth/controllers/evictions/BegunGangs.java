package dev.berth.controllers.evictions;

import dev.berth.engine.Staleness;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentSkipListMap;

/// Gangs of which members were evicted for a plan. A core leaves as a whole (docs/users/policy.md):
/// of a plan that ends when some of its victims are on their way, those that are left of their gang
/// go as well, if they are fewer than its minimum. They could do nothing, and would be evicted as
/// stale. Any thread.
final class BegunGangs {
  private final LedgerReader ledger;
  private final Duration remembered;
  private final ConcurrentSkipListMap<GroupKey, Instant> begun = new ConcurrentSkipListMap<>();

  /// @param remembered for how long after its last eviction
  BegunGangs(LedgerReader ledger, Duration remembered) {
    this.ledger = ledger;
    this.remembered = remembered;
  }

  /// A victim was evicted with success.
  void leaves(Victim victim, Instant now) {
    begun.values().removeIf(last -> isOver(last, now));
    if (isForGood(victim)) {
      ledger
          .groupOf(victim.uid())
          .filter(group -> !group.single())
          .map(PodGroup::key)
          .ifPresent(group -> begun.put(group, now));
    }
  }

  /// Whether a victim without a plan is what is left of such a gang.
  boolean isLeftOver(Victim victim, Instant now) {
    return isForGood(victim)
        && ledger.groupOf(victim.uid()).filter(it -> isTorn(it, now)).isPresent();
  }

  private boolean isTorn(PodGroup group, Instant now) {
    Instant last = begun.get(group.key());
    return last != null && !isOver(last, now) && Staleness.isLeftStale(group);
  }

  private boolean isOver(Instant last, Instant now) {
    return now.isAfter(last.plus(remembered));
  }

  /// One that starts again elsewhere leaves no gang below its minimum.
  private static boolean isForGood(Victim victim) {
    return victim.cause() == Cause.RECLAIM || victim.cause() == Cause.PREEMPT;
  }
}
