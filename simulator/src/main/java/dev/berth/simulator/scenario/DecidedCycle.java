package dev.berth.simulator.scenario;

import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.SortedMap;

/// A planning cycle that decided something.
///
/// @param snapshot what it saw
/// @param waits the groups that wait after it, why, and behind which
public record DecidedCycle(
    int number, Snapshot snapshot, Plan plan, SortedMap<GroupKey, Decision.Wait> waits) {
  static boolean isOne(CycleOutcome outcome) {
    return outcome.plan().decisions().stream()
        .anyMatch(decision -> !(decision instanceof Decision.Wait));
  }

  /// Whether the same is decided here, whatever waits.
  boolean decidesAs(DecidedCycle other) {
    return decisions().equals(other.decisions());
  }

  private List<Decision> decisions() {
    return plan.decisions().stream()
        .filter(decision -> !(decision instanceof Decision.Wait))
        .toList();
  }

  static List<Victim> victims(Decision decision) {
    return switch (decision) {
      case Decision.Reserve reserve -> reserve.victims();
      case Decision.Evict evict -> evict.victims();
      case Decision.Withdraw _, Decision.Wait _ -> List.of();
    };
  }
}
