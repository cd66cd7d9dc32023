package dev.berth.engine.replay;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One entry of a decision log. A planner keeps from call to call how far its searches came, so a
/// plan depends on the calls before it; since the last [Begin] all of them are in the log.
public sealed interface LogEntry {
  /// The planner begins anew: nothing that came before counts.
  ///
  /// @param build the version of Berth that plans
  record Begin(String build, PlannerSettings settings) implements LogEntry {}

  /// A plan was asked for.
  ///
  /// @param staleSince since when each group is stale that is
  /// @param interrupted the how manieth question whether something else is due was answered with
  ///   yes; 0 = none was
  record Planned(
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      SearchEffort effort,
      long interrupted,
      Outcome outcome)
      implements LogEntry {
    public Planned {
      staleSince = Collections.unmodifiableSortedMap(new TreeMap<>(staleSince));
    }

    /// The same call, of which this came.
    public Planned with(Outcome other) {
      return new Planned(snapshot, staleSince, effort, interrupted, other);
    }
  }

  /// It was asked how queues stand: that is no plan, but what the planner keeps is of this snapshot
  /// afterwards.
  record Accounted(Snapshot snapshot) implements LogEntry {}

  /// What came of a call for a plan.
  sealed interface Outcome {
    record Made(Plan plan) implements Outcome {}

    /// A change came meanwhile.
    record Dropped() implements Outcome {}

    /// An internal error.
    ///
    /// @param exception the name of its type
    record Failed(String exception) implements Outcome {}
  }
}
