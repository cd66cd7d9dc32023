package dev.berth.cli;

import dev.berth.controllers.autoscaling.CapacityKeeper;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.evictions.EvictionRefusals;
import dev.berth.controllers.evictions.Evictions;
import dev.berth.controllers.gates.Gates;
import dev.berth.controllers.groups.HeldUpGroups;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Usage;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Tells what came of a cycle to the parts that report it. Called by the planning thread.
///
/// @param nodes how many there are, as of the last cycle
/// @param heldUp what else holds groups up
/// @param evictions hears that a cycle has planned
/// @param counters hears of every cycle
/// @param cluster hears how queues stand
/// @param forecasts learn from every cycle
/// @param decisions writes them where DEBUG is on
record CycleReport(
    AtomicInteger nodes,
    HeldUp heldUp,
    Evictions evictions,
    ControllersModule.Reports reports,
    CapacityKeeper capacity,
    Consumer<CycleOutcome> counters,
    ClusterListener cluster,
    ForecastFeed forecasts,
    DecisionLog decisions)
    implements Cycle.CycleListener {
  /// Groups that have a plan and still wait: for a gate, for victims, for new nodes.
  record HeldUp(Ledger ledger, Gates gates, EvictionRefusals refusals) {
    private SortedMap<GroupKey, Reason> with(SortedMap<GroupKey, Reason> waits) {
      return HeldUpGroups.with(
          waits,
          ledger.pendingEvictions(gates.waitingPods()),
          ledger.heldUp(),
          ledger.provisioning(),
          ledger.unasked(),
          uid ->
              refusals.refusal(uid).map(no -> new HeldUpGroups.Blocked(no.answer(), no.wayOut())));
    }
  }

  @Override
  public void planned(CycleOutcome outcome) {
    nodes.set(outcome.snapshot().nodes().size());
    var waits = heldUp.with(outcome.waits());
    reports
        .groups()
        .planned(
            outcome.snapshot(), waits, outcome.staleSince(), outcome.endings(), outcome.idle());
    capacity.planned(outcome.snapshot(), outcome.waits());
    evictions.planned();
    forecasts.planned(outcome);
    counters.accept(outcome);
    decisions.planned(outcome);
  }

  @Override
  public void kept(Accounts accounts, Usage usage) {
    reports.queues().told(accounts, usage);
    reports.groups().told(accounts);
    cluster.kept(accounts, usage);
    decisions.kept(accounts);
  }
}
