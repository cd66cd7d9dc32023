package dev.berth.engine;

import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/// Runs the actions in order, each once, over the cluster as it would be: snapshot in, plan out.
///
/// A function: the same snapshot gives the same plan. It keeps nothing between two plans, so one
/// planner may be used by any number of threads; [#incremental] is for one alone.
public final class Planner {
  private final PlannerSettings settings;

  public Planner(PlannerSettings settings) {
    this.settings = settings;
  }

  public PlannerSettings settings() {
    return settings;
  }

  public Plan plan(Snapshot snapshot) {
    return plan(snapshot, Collections.emptySortedMap());
  }

  /// @param staleSince since when each group is stale that is ([Staleness]); others may be left in
  public Plan plan(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    return incremental().plan(snapshot, staleSince);
  }

  /// The same plans, for one thread that plans one snapshot after the other.
  public IncrementalPlanner incremental() {
    return new IncrementalPlanner(settings);
  }

  /// Plans that stand beyond a limit or a quota of their queues, and are to be given back. None
  /// come of plans made here: for when a process begins, and when queues have changed.
  public List<Withdrawn> excess(Snapshot snapshot) {
    return OverLimitPlans.of(snapshot, settings.defaultQueue());
  }

  /// The cluster as it would be after a round.
  Session carriedOut(Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    var kept = PlannerCache.over(snapshot, settings);
    new PlanningRound(settings).carryOut(kept, staleSince);
    return kept.session();
  }
}
