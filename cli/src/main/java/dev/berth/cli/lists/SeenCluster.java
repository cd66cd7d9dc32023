package dev.berth.cli.lists;

import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster, how its queues stand, and what the next plan would be.
///
/// @param decisions of that plan, by group; a group without one keeps what it has
/// @param said what Berth has written on pods of why they wait
/// @param forecasts that Berth has written on PodGroups
/// @param classes by which a priority may be named
/// @param maxRuntimeWarning how long workloads are warned before they are evicted for their
///   max-runtime, where no queue says it
public record SeenCluster(
    Snapshot snapshot,
    Accounts accounts,
    SortedMap<GroupKey, Decision> decisions,
    SortedMap<PodKey, String> said,
    SortedMap<GroupKey, ForecastStatus> forecasts,
    PriorityClasses classes,
    Duration maxRuntimeWarning) {
  public SeenCluster {
    decisions = Collections.unmodifiableSortedMap(new TreeMap<>(decisions));
  }

  public static SeenCluster of(
      Snapshot snapshot,
      Accounts accounts,
      Plan plan,
      SortedMap<PodKey, String> said,
      SortedMap<GroupKey, ForecastStatus> forecasts,
      PriorityClasses classes,
      Duration maxRuntimeWarning) {
    var decisions = new TreeMap<GroupKey, Decision>();
    plan.decisions().forEach(decision -> decisions.putIfAbsent(decision.group(), decision));
    return new SeenCluster(
        snapshot, accounts, decisions, said, forecasts, classes, maxRuntimeWarning);
  }
}
