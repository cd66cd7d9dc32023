package dev.berth.engine.ledger;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Victims of plans that ended, or were not kept: whether they stay after all decides over plans
/// that a limit admitted because of their leaving. None, once a change is done.
final class SparedVictims {
  private final LinkedHashSet<PodRecord> spared = new LinkedHashSet<>();

  void add(List<PodRecord> victims) {
    spared.addAll(victims);
  }

  /// Whether one of these was to leave for a plan that has just ended, and stays.
  boolean anyStays(Predicate<PodRecord> which) {
    return spared.stream().anyMatch(victim -> stays(victim) && which.test(victim));
  }

  /// The next victim of a plan that has ended which stays; each is returned once.
  Optional<PodRecord> nextRemaining() {
    while (!spared.isEmpty()) {
      PodRecord victim = spared.removeFirst();
      if (stays(victim)) {
        return Optional.of(victim);
      }
    }
    return Optional.empty();
  }

  private static boolean stays(PodRecord victim) {
    return !victim.isGoing() && victim.charge.node() != NodeUsage.NOWHERE;
  }
}
