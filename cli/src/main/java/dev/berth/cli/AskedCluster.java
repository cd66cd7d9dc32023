package dev.berth.cli;

import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioRun;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster of which something is asked.
///
/// @param waits the groups that the next plan makes wait, why, and behind which
/// @param planned the plan that would follow; empty = it has not been made
/// @param settings of the planner
/// @param owners of pods
/// @param said what Berth has written on pods of why they wait
/// @param forecasts that Berth has written on PodGroups; none once the cluster has been played
/// @param classes by which a priority may be named
record AskedCluster(
    Snapshot snapshot,
    SortedMap<GroupKey, Decision.Wait> waits,
    Optional<Plan> planned,
    PlannerSettings settings,
    Planner planner,
    OwnerNames owners,
    SortedMap<PodKey, String> said,
    SortedMap<GroupKey, ForecastStatus> forecasts,
    PriorityClasses classes) {
  /// Names that one message lists.
  private static final int FEW = 5;

  /// As it is, with the plan that would follow.
  ///
  /// @throws ScenarioException where its settings cannot be used
  static AskedCluster asItIs(Scenario scenario) throws ScenarioException {
    var settings = ScenarioProduct.config(scenario.settings()).planner();
    var planner = new Planner(settings);
    var snapshot = ScenarioRun.look(scenario, ScenarioProduct.shipyard());
    var plan = whatIf(planner, snapshot).plan(List.of());
    return new AskedCluster(
        snapshot,
        plan.waits(),
        Optional.of(plan),
        settings,
        planner,
        OwnerNames.of(scenario),
        WaitingWords.of(scenario),
        ToldForecasts.of(scenario),
        scenario.priorityClasses());
  }

  /// As it is once it has been played until it rests.
  ///
  /// @throws ScenarioException where its settings cannot be used
  static AskedCluster played(Scenario scenario) throws ScenarioException {
    var settings = ScenarioProduct.config(scenario.settings()).planner();
    var ending = ScenarioRun.play(scenario, ScenarioProduct.shipyard());
    return new AskedCluster(
        ending.snapshot(),
        ending.waits(),
        Optional.empty(),
        settings,
        new Planner(settings),
        OwnerNames.of(scenario),
        WaitingWords.of(scenario),
        Collections.emptySortedMap(),
        scenario.priorityClasses());
  }

  /// The plan that would follow.
  Plan next() {
    return planned.orElseGet(() -> whatIf().plan(List.of()));
  }

  /// Why a group waits.
  String words(Decision.Wait wait) {
    return words(wait, snapshot);
  }

  /// Why a group would wait.
  ///
  /// @param changed the cluster as it would be
  String words(Decision.Wait wait, Snapshot changed) {
    return WaitSentences.of(wait, changed, classes);
  }

  /// What would let a group start that waits.
  ///
  /// @param plans that are made for it, at most
  Counterfactuals.Found remedies(GroupKey group, int plans) {
    return Counterfactuals.of(
        planner, snapshot, Collections.emptySortedMap(), group, plans, classes);
  }

  WhatIf whatIf() {
    return whatIf(planner, snapshot);
  }

  private static WhatIf whatIf(Planner planner, Snapshot snapshot) {
    return new WhatIf(planner, snapshot, Collections.emptySortedMap());
  }

  /// The group that is called so: by `namespace/name`, by its name where one namespace alone has
  /// such, or by the name of one of its pods, or of an owner of a pod, directly or not.
  ///
  /// @throws ScenarioException where there is none, or more than one
  GroupKey group(String name) throws ScenarioException {
    var found = new TreeMap<GroupKey, String>();
    for (PodGroup group : snapshot.groups()) {
      boolean isIt = OwnerNames.isCalled(name, group.key().namespace(), group.key().name());
      for (var member : group.members()) {
        var pod = member.pod();
        isIt |= OwnerNames.isCalled(name, pod.key().namespace(), pod.key().name());
        isIt |= OwnerNames.isCalled(name, pod.key().namespace(), pod.belonging().owner().name());
        for (String owner : owners.of(pod.key())) {
          isIt |= OwnerNames.isCalled(name, pod.key().namespace(), owner);
        }
      }
      if (isIt) {
        found.put(group.key(), name);
      }
    }
    if (found.size() == 1) {
      return found.firstKey();
    }
    if (found.isEmpty()) {
      var ofOthers = owners.ofOthers(name);
      if (ofOthers.isPresent()) {
        throw new ScenarioException(List.of(ofOthers.get()));
      }
      var names = snapshot.groups().stream().map(group -> group.key().name()).toList();
      String hint = Spelling.hint(name.substring(name.indexOf('/') + 1), names);
      throw new ScenarioException(
          List.of("there is no workload, and no pod or owner of one, called " + name + hint));
    }
    var all = found.keySet().stream().map(GroupKey::toString).toList();
    throw new ScenarioException(
        List.of(
            (name + " may be each of " + Phrases.first(all, FEW))
                + ": name one of them, with its namespace"));
  }
}
