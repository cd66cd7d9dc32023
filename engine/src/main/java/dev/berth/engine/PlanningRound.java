package dev.berth.engine;

import dev.berth.engine.action.Action;
import dev.berth.engine.action.Allocate;
import dev.berth.engine.action.Consolidate;
import dev.berth.engine.action.EvictIdle;
import dev.berth.engine.action.EvictOverdue;
import dev.berth.engine.action.EvictStale;
import dev.berth.engine.action.Preempt;
import dev.berth.engine.action.Reclaim;
import dev.berth.engine.action.ReportMissingCapacity;
import dev.berth.engine.action.ReportMovesSpent;
import dev.berth.engine.action.ReportUnplaced;
import dev.berth.engine.action.Round;
import dev.berth.engine.fairness.Orders;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.victims.Cancellation;
import dev.berth.engine.victims.SearchBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// One round: runs the actions in order, each once, over a session, and tells what came of it.
final class PlanningRound {
  private final PlannerSettings settings;

  PlanningRound(PlannerSettings settings) {
    this.settings = settings;
  }

  /// Leaves in the session what would be after the round.
  void carryOut(PlannerCache kept, SortedMap<GroupKey, Instant> staleSince) {
    var _ = carryOut(kept, staleSince, SearchEffort.A_SLICE, new Cancellation(() -> false));
  }

  /// @param kept over a snapshot, and nothing is changed in its session
  /// @return empty where it was dropped
  Optional<Plan> plan(
      PlannerCache kept,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      Cancellation cancellation) {
    var session = kept.session();
    long trials = carryOut(kept, staleSince, effort, cancellation);
    if (cancellation.dropsPlan()) {
      kept.progress().dropped();
      return Optional.empty();
    }
    var snapshot = session.snapshot();
    return Optional.of(
        new Plan(
            snapshot.version(),
            snapshot.now(),
            new RoundDecisions(settings, session).all(),
            session.nextLook(),
            kept.progress().goesOn(),
            trials,
            session.preemptors().minRuntimeWaits(session.queues())));
  }

  /// @return how many sets of victims were tried
  private long carryOut(
      PlannerCache kept,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      Cancellation cancellation) {
    var session = kept.session();
    kept.progress().begin();
    kept.rankings().begin();
    var shares = Shares.of(session, settings.fairShare());
    var budget =
        new SearchBudget(
            settings.actions().trials(),
            slice(effort),
            settings.actions().exhaustive(),
            cancellation);
    var round =
        new Round(
            session,
            shares,
            new Orders(session, shares),
            new BlockPlacement(session, kept.rankings()),
            settings.strategy(),
            kept.candidates(),
            budget,
            cancellation,
            kept.progress(),
            settings.actions().wideFrom());
    for (Action action : actions(staleSince, kept)) {
      if (cancellation.dropsPlan()) {
        break;
      }
      action.run(round);
    }
    return settings.actions().trials() - budget.trialsLeft();
  }

  private long slice(SearchEffort effort) {
    return switch (effort) {
      case AT_ONCE -> 0;
      case A_SLICE -> settings.actions().slice();
    };
  }

  private List<Action> actions(SortedMap<GroupKey, Instant> staleSince, PlannerCache kept) {
    var may = settings.actions();
    var actions = new ArrayList<Action>();
    actions.add(new Allocate(settings.backfill()));
    if (may.consolidation().maxMoves() > 0) {
      actions.add(new Consolidate(may.consolidation()));
    }
    if (may.reclaiming().enabled()) {
      actions.add(new Reclaim(may.reclaiming()));
    }
    if (may.preempts()) {
      actions.add(new Preempt());
    }
    actions.add(new EvictStale(settings.stalenessGracePeriod(), staleSince));
    actions.add(new EvictOverdue(kept.endings(), settings.maxRuntimeWarning()));
    actions.add(new EvictIdle(kept.idle()));
    actions.add(new ReportUnplaced());
    actions.add(new ReportMissingCapacity());
    if (may.consolidation().maxMoves() > 0) {
      actions.add(new ReportMovesSpent());
    }
    return actions;
  }
}
