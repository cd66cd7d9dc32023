package dev.berth.engine.replay;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;

/// An [IncrementalPlanner] of which every call is logged.
///
/// Of one thread at a time.
public final class LoggedPlanner {
  private final PlannerSettings settings;
  private final String build;
  private final IncrementalPlanner planner;
  private final PlannerLog log;

  /// @param build the version of Berth that plans
  public LoggedPlanner(PlannerSettings settings, String build, PlannerLog log) {
    this.settings = settings;
    this.build = build;
    this.planner = new Planner(settings).incremental();
    this.log = log;
  }

  private void begin() {
    if (log.mustBegin()) {
      planner.beginAnew();
      log.add(new LogEntry.Begin(build, settings));
    }
  }

  /// As [IncrementalPlanner#planUnless].
  public Optional<Plan> planUnless(
      BooleanSupplier due,
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort) {
    begin();
    var interruption = new Interruption(due);
    try {
      var plan = planner.planUnless(interruption, snapshot, staleSince, effort);
      var outcome =
          plan.<LogEntry.Outcome>map(LogEntry.Outcome.Made::new)
              .orElseGet(LogEntry.Outcome.Dropped::new);
      log.add(new LogEntry.Planned(snapshot, staleSince, effort, interruption.at(), outcome));
      return plan;
    } catch (RuntimeException ours) {
      var outcome = new LogEntry.Outcome.Failed(ours.getClass().getName());
      log.add(new LogEntry.Planned(snapshot, staleSince, effort, interruption.at(), outcome));
      throw ours;
    }
  }

  /// As [IncrementalPlanner#accounts].
  public Accounts accounts(Snapshot snapshot) {
    begin();
    log.add(new LogEntry.Accounted(snapshot));
    return planner.accounts(snapshot);
  }
}
