package dev.berth.simulator.scenario;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.scenario.PodHistory.Eviction;
import dev.berth.simulator.world.PodView;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/// What a run came to.
///
/// @param unrest empty, or what keeps going round
/// @param internalErrors exceptions of Berth that dropped a cycle
/// @param span of virtual time up to the last change
/// @param pods as the world shows them at the end, by `namespace/name`, holders left out
/// @param evictions all that were asked to leave, moves included
/// @param snapshot what the product believes at the end
/// @param waits the groups that wait at the end, why, and behind which
public record Ending(
    Scenario scenario,
    String unrest,
    List<String> internalErrors,
    Duration span,
    List<DecidedCycle> rounds,
    SortedMap<String, PodView> pods,
    List<Eviction> evictions,
    Snapshot snapshot,
    SortedMap<GroupKey, Decision.Wait> waits) {
  public Ending {
    internalErrors = List.copyOf(internalErrors);
    rounds = List.copyOf(rounds);
    evictions = List.copyOf(evictions);
  }
}
