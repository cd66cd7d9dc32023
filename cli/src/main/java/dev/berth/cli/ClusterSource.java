package dev.berth.cli;

import dev.berth.cli.lists.ObjectKind;
import dev.berth.cli.lists.SeenCluster;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.engine.Planner;
import dev.berth.engine.explain.WhatIf;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioRun;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Where commands take the cluster from: from the API server, or from a file. A cluster that runs
/// is read once, and planned for with the configuration of its Berth.
final class ClusterSource {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "What kubectl get -o yaml wrote, or a Scenario, in the place of a cluster that runs.")
  private Optional<Path> file = Optional.empty();

  @Mixin private ClusterReading reading = new ClusterReading();

  /// The cluster as it is, and the plan that would follow.
  ///
  /// @param errors where it is told what could not be read
  /// @throws ScenarioException where there is no cluster to be read, with the way out
  SeenCluster read(SingleLineOutput errors) throws ScenarioException {
    return read(Optional.empty(), errors);
  }

  /// The same.
  ///
  /// @param namespace of which is asked; empty = all
  /// @throws ScenarioException also where it does not exist
  SeenCluster read(Optional<String> namespace, SingleLineOutput errors) throws ScenarioException {
    QuietLogging.log();
    Scenario scenario = reading.scenario(file, ClusterReading.FileOption.FILENAME, errors);
    if (namespace.isPresent()) {
      NamedNamespace.check(scenario, namespace.get(), errors);
    }
    return seen(scenario);
  }

  /// The cluster as it is, with its objects.
  ///
  /// @param scenario what was read
  /// @param seen the same, and the plan that would follow
  record Read(Scenario scenario, SeenCluster seen) {}

  /// The same, with its objects.
  ///
  /// @param besides kinds that are read of a cluster that runs besides those that commands read
  Read readWith(List<ObjectKind> besides, SingleLineOutput errors) throws ScenarioException {
    QuietLogging.log();
    Scenario scenario =
        reading.read(file, ClusterReading.FileOption.FILENAME, besides, errors).scenario();
    return new Read(scenario, seen(scenario));
  }

  private static SeenCluster seen(Scenario scenario) throws ScenarioException {
    var settings = ScenarioProduct.config(scenario.settings()).planner();
    var planner = new Planner(settings);
    var snapshot = ScenarioRun.look(scenario, ScenarioProduct.shipyard());
    var plan = new WhatIf(planner, snapshot, Collections.emptySortedMap()).plan(List.of());
    var accounts = Cycle.PlanningPolicy.by(planner).accounts(snapshot);
    return SeenCluster.of(
        snapshot,
        accounts,
        plan,
        WaitingWords.of(scenario),
        ToldForecasts.of(scenario),
        scenario.priorityClasses(),
        settings.maxRuntimeWarning());
  }

  /// What is asked of a cluster.
  interface Question {
    void ask(AskedCluster cluster) throws ScenarioException;
  }

  /// Asks a cluster that runs, or a dump of one, as it is; a Scenario is played until it rests
  /// first.
  ///
  /// @return the exit status: 0 = it was answered, 2 = not, and the errors say why
  int ask(Question question, SingleLineOutput errors) {
    return ask(Optional.empty(), question, errors);
  }

  /// The same.
  ///
  /// @param namespace of which is asked; empty = all
  int ask(Optional<String> namespace, Question question, SingleLineOutput errors) {
    QuietLogging.log();
    try {
      var read = reading.read(file, ClusterReading.FileOption.FILENAME, errors);
      if (namespace.isPresent()) {
        NamedNamespace.check(read.scenario(), namespace.get(), errors);
      }
      question.ask(
          read.isAtAMoment()
              ? AskedCluster.asItIs(read.scenario())
              : AskedCluster.played(read.scenario()));
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }
}
