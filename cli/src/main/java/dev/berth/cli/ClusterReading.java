package dev.berth.cli;

import dev.berth.cli.config.ConfigException;
import dev.berth.cli.config.ConfigFile;
import dev.berth.cli.lists.LiveObjects;
import dev.berth.cli.lists.ObjectKind;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiOwners;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.controllers.kube.WriteSettings;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A cluster as it is: read from the API server once, or from a file, and the options that say
/// which.
final class ClusterReading {
  /// @param written as users write it
  record FileOption(String name, String written) {
    static final FileOption FILENAME = new FileOption("--filename", "-f");
    static final FileOption DUMP = new FileOption("--dump", "--dump");
  }

  /// What was read.
  ///
  /// @param isAtAMoment it is a cluster as it was at a moment, and no Scenario that is to be played
  record Reading(Scenario scenario, boolean isAtAMoment) {}

  private static final int FEW = 10; // scenarios that one message names
  private static final int MOST_WARNINGS = 20;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description =
          "The one Scenario so named, of a file with several. Without it such a file is refused.")
  private Optional<String> only = Optional.empty();

  @Mixin private ClusterOptions running = new ClusterOptions();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Berth's configuration. Default: that of the cluster, ConfigMap berth in berth-system.")
  private Optional<Path> config = Optional.empty();

  /// @param file what kubectl wrote, or Scenarios, in the place of a cluster that runs
  /// @param option by which the file is given, for messages: its name, and how it is written
  /// @param errors where it is told what could not be read
  Scenario scenario(Optional<Path> file, FileOption option, SingleLineOutput errors)
      throws ScenarioException {
    return read(file, option, errors).scenario();
  }

  /// The same, and what it is.
  Reading read(Optional<Path> file, FileOption option, SingleLineOutput errors)
      throws ScenarioException {
    return read(file, option, List.of(), errors);
  }

  /// The same.
  ///
  /// @param besides kinds that are read of a cluster that runs besides those that commands read
  Reading read(
      Optional<Path> file, FileOption option, List<ObjectKind> besides, SingleLineOutput errors)
      throws ScenarioException {
    if (file.isPresent()) {
      if (running.areGiven()) {
        throw new ScenarioException(List.of(ClusterOptions.andAFile(option.name())));
      }
      var read = ofFile(file.get());
      warn(read.scenario(), errors);
      return read;
    }
    if (only.isPresent()) {
      throw new ScenarioException(
          List.of(
              "--only "
                  + only.get()
                  + ": names a Scenario of a file ("
                  + option.written()
                  + " FILE)"));
    }
    try (var cluster = running.open()) {
      var time = InstantSource.system();
      var api =
          new Api(
              cluster, WriteSettings.DEFAULT, Math::random, dev.berth.controllers.Metrics.unseen());
      var live = LiveObjects.read(new ApiReads(cluster), new ApiOwners(api, time), time, besides);
      live.leftOut().forEach(errors::say);
      var scenario =
          ScenarioFiles.cluster(
              cluster.server(),
              live.now(),
              settings(live.configuration()),
              live.objects(),
              _ -> true);
      warn(scenario, errors);
      return new Reading(scenario, true);
    } catch (ClientException failed) {
      throw new ScenarioException(List.of(String.valueOf(failed.getMessage())));
    }
  }

  /// What is wrong in some objects keeps none of the others from being looked at.
  static void warn(Scenario scenario, SingleLineOutput errors) {
    var warnings = scenario.warnings();
    warnings.stream().limit(MOST_WARNINGS).forEach(errors::say);
    if (warnings.size() > MOST_WARNINGS) {
      errors.say("and " + (warnings.size() - MOST_WARNINGS) + " more of such warnings");
    }
  }

  /// The one scenario of a file, or the one that is named, or its one cluster.
  private Reading ofFile(Path file) throws ScenarioException {
    var files = ScenarioFiles.in(List.of(file));
    if (files.isEmpty()) {
      throw new ScenarioException(List.of(file + ": there is no file in this folder"));
    }
    if (files.size() > 1) {
      var names = files.stream().map(each -> each.getFileName().toString()).toList();
      throw new ScenarioException(
          List.of(
              (file + ": is a folder with " + files.size() + " files (")
                  + Phrases.first(names, FEW)
                  + "): name one of them, or write all objects into one file"));
    }
    var its = files.getFirst();
    var found = ScenarioFiles.read(its);
    if (!found.wrong().isEmpty()) {
      throw new ScenarioException(found.wrong().lines().map(line -> its + ": " + line).toList());
    }
    var chosen = one(its, found.all());
    return new Reading(withConfig(chosen), found.cluster().equals(Optional.of(chosen)));
  }

  /// A dump has no settings of its own.
  private Scenario withConfig(Scenario scenario) throws ScenarioException {
    if (config.isEmpty()) {
      return scenario;
    }
    if (!scenario.settings().isEmpty()) {
      throw new ScenarioException(
          List.of("--config " + config.get() + ": the Scenario has settings of its own"));
    }
    return new Scenario(
        scenario.name(),
        scenario.file(),
        scenario.now(),
        settings(""),
        scenario.objects(),
        scenario.ignored(),
        scenario.warnings(),
        scenario.expectations());
  }

  private Scenario one(Path file, List<Scenario> scenarios) throws ScenarioException {
    if (scenarios.isEmpty()) {
      throw new ScenarioException(
          List.of(file + ": there is no scenario, and no object of a cluster"));
    }
    var names = scenarios.stream().map(Scenario::name).toList();
    if (only.isEmpty() && scenarios.size() > 1) {
      throw new ScenarioException(
          List.of(
              file
                  + ": there are "
                  + scenarios.size()
                  + " scenarios; name one with --only: "
                  + Phrases.first(names, FEW)));
    }
    for (Scenario scenario : scenarios) {
      if (only.isEmpty() || only.get().equals(scenario.name())) {
        return scenario;
      }
    }
    throw new ScenarioException(
        List.of(
            file
                + ": there is no scenario "
                + only.get()
                + Spelling.hint(only.get(), names)
                + "; there are "
                + Phrases.first(names, FEW)));
  }

  private Map<String, Object> settings(String ofCluster) throws ScenarioException {
    try {
      var tree =
          config.isPresent()
              ? ConfigFile.tree(config.get())
              : ConfigFile.tree("Berth's configuration in the cluster", ofCluster);
      if (!(tree instanceof Map<?, ?> map)) {
        throw new ScenarioException(List.of("Berth's configuration has no settings: " + tree));
      }
      var settings = new LinkedHashMap<String, Object>();
      map.forEach((key, value) -> settings.put(String.valueOf(key), value));
      return settings;
    } catch (ConfigException wrong) {
      throw new ScenarioException(String.valueOf(wrong.getMessage()).lines().toList());
    }
  }
}
