package dev.berth.controllers.evictions;

import dev.berth.engine.Staleness;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/// Gangs of which members were evicted for a plan. A core leaves as a whole (docs/users/policy.md):
/// where that plan is made again without the rest of them, the rest goes as well, if it is fewer
/// than the minimum. It could do nothing, and would be evicted as stale. It stays where it would
/// not be, since its staleness grace never ends, and where the preemptor has no plan any more, or
/// waits for no room: then those that come in the stead of the evicted ones may find some. Any
/// thread.
final class PartlyEvictedGangs {
  private final LedgerReader ledger;
  private final EvictionSettings settings;
  private final ConcurrentSkipListMap<GroupKey, Instant> begun = new ConcurrentSkipListMap<>();

  /// @param settings a gang is remembered for their patience after its last eviction
  PartlyEvictedGangs(LedgerReader ledger, EvictionSettings settings) {
    this.ledger = ledger;
    this.settings = settings;
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

  /// A victim on which no plan counts, if it is what is left of such a gang. It leaves as far as
  /// disruption budgets allow: the right to override them was given for a plan that counted on it.
  Optional<Victim> leftOver(Victim victim, Instant now) {
    return Optional.of(victim)
        .filter(PartlyEvictedGangs::isForGood)
        .filter(left -> waitsForRoom(left.beneficiary()))
        .filter(left -> ledger.groupOf(left.uid()).filter(it -> isTorn(it, now)).isPresent())
        .map(Victim::withinBudgets);
  }

  /// Whether others must make way for a plan of it. One on free room may wait as well, for holders
  /// of devices or other members: nothing that is left of a gang helps it.
  private boolean waitsForRoom(GroupKey group) {
    var members =
        ledger.group(group).stream()
            .flatMap(it -> it.members().stream())
            .map(member -> member.pod().uid())
            .toList();
    return !ledger.pendingEvictions(members).isEmpty();
  }

  private boolean isTorn(PodGroup group, Instant now) {
    Instant last = begun.get(group.key());
    return last != null && !isOver(last, now) && !mayRunOn(group) && Staleness.isLeftStale(group);
  }

  /// Whether it is never evicted as stale, however few of it are left.
  private boolean mayRunOn(PodGroup group) {
    return group.spec().patience().stalenessGraceOr(settings.stalenessGracePeriod()).isNegative();
  }

  private boolean isOver(Instant last, Instant now) {
    return now.isAfter(last.plus(settings.budgetTimeout()));
  }

  /// One that starts again elsewhere leaves no gang below its minimum.
  private static boolean isForGood(Victim victim) {
    return victim.cause() == Cause.RECLAIM || victim.cause() == Cause.PREEMPT;
  }
}
