package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.scenario.Ending;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// A cluster from a file, a dump or a scenario, played until it rests: what is asked of it is asked
/// of that.
///
/// @param settings of the planner
record PlayedFile(Ending ending, PlannerSettings settings, Planner planner) {
  /// @throws ScenarioException where the file holds no cluster, or more than one
  static PlayedFile of(Path file) throws ScenarioException {
    QuietLogging.log();
    return of(scenario(file));
  }

  /// The one scenario of a file.
  ///
  /// @throws ScenarioException where it holds none, or more than one
  static Scenario scenario(Path file) throws ScenarioException {
    for (Path each : ScenarioFiles.in(List.of(file))) {
      var found = ScenarioFiles.read(each);
      if (!found.wrong().isEmpty()) {
        throw new ScenarioException(found.wrong().lines().map(line -> each + ": " + line).toList());
      }
      if (found.scenarios().size() != 1) {
        throw new ScenarioException(
            List.of(
                each
                    + ": "
                    + (found.scenarios().isEmpty()
                        ? "there is no scenario, and no object of a cluster"
                        : "there are "
                            + found.scenarios().size()
                            + " scenarios; give a file with one")));
      }
      return found.scenarios().getFirst();
    }
    throw new ScenarioException(List.of(file + ": there is no file in this folder"));
  }

  private static PlayedFile of(Scenario scenario) throws ScenarioException {
    Config config = ScenarioProduct.config(scenario.settings());
    var ending = ScenarioRun.play(scenario, ScenarioProduct.shipyard());
    return new PlayedFile(ending, config.planner(), new Planner(config.planner()));
  }

  WhatIf whatIf() {
    return new WhatIf(planner, ending.snapshot(), Collections.emptySortedMap());
  }

  /// The group that is called so: by `namespace/name`, by its name where one namespace alone has
  /// such, or by the name of one of its pods.
  ///
  /// @throws ScenarioException where there is none, or more than one
  GroupKey group(String name) throws ScenarioException {
    var found = new TreeMap<GroupKey, String>();
    for (PodGroup group : ending.snapshot().groups()) {
      boolean isIt = isCalled(name, group.key().namespace(), group.key().name());
      for (var member : group.members()) {
        isIt |= isCalled(name, member.pod().key().namespace(), member.pod().key().name());
      }
      if (isIt) {
        found.put(group.key(), name);
      }
    }
    if (found.size() == 1) {
      return found.firstKey();
    }
    if (found.isEmpty()) {
      var names = ending.snapshot().groups().stream().map(group -> group.key().name()).toList();
      String hint = Spelling.hint(name.substring(name.indexOf('/') + 1), names);
      throw new ScenarioException(
          List.of("there is no workload, and no pod of one, called " + name + hint));
    }
    throw new ScenarioException(
        List.of(name + " may be each of " + found.keySet() + ": name its namespace, too"));
  }

  private static boolean isCalled(String wanted, String namespace, String name) {
    return wanted.equals(name) || wanted.equals(namespace + "/" + name);
  }
}
