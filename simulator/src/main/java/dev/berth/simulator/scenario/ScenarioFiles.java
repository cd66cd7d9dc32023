package dev.berth.simulator.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Scenario files: those that are named, and those in folders that are named, in the order of their
/// names.
public final class ScenarioFiles {
  private ScenarioFiles() {}

  /// @param scenarios in their order
  /// @param cluster what the objects beside them are together
  /// @param wrong empty, or why there is no scenario in this place of the file
  public record Found(
      String file, List<Scenario> scenarios, Optional<Scenario> cluster, String wrong) {
    public Found {
      scenarios = List.copyOf(scenarios);
    }

    /// The scenarios, and the cluster as the last of them.
    public List<Scenario> all() {
      return Stream.concat(scenarios.stream(), cluster.stream()).toList();
    }
  }

  /// @throws ScenarioException where a path leads nowhere
  public static List<Path> in(List<Path> places) throws ScenarioException {
    var files = new ArrayList<Path>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        files.addAll(below(place));
      } else if (Files.exists(place)) {
        files.add(place);
      } else {
        throw new ScenarioException(List.of(place + ": there is no such file or folder"));
      }
    }
    return files;
  }

  private static List<Path> below(Path folder) throws ScenarioException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).filter(Documents::isOne).sorted().toList();
    } catch (IOException unreadable) {
      throw new ScenarioException(
          List.of(folder + ": cannot be read (" + unreadable.getClass().getSimpleName() + ")"));
    }
  }

  /// The documents of a file as plain trees without `null`, whatever they are.
  ///
  /// @throws ScenarioException where the file cannot be read, or is no YAML or JSON
  public static List<Map<String, Object>> documents(Path file) throws ScenarioException {
    try {
      return Documents.read(file);
    } catch (ScenarioException wrong) {
      String why = String.valueOf(wrong.getMessage());
      throw new ScenarioException(why.lines().map(line -> file + ": " + line).toList());
    }
  }

  /// The documents of a text by a stranger: what its size and its anchors cost is bounded.
  ///
  /// @param text YAML or JSON
  /// @throws ScenarioException where it is neither, or holds too much
  public static List<Map<String, Object>> documents(String text) throws ScenarioException {
    return Documents.ofStranger(text);
  }

  /// The scenario that a running cluster is.
  ///
  /// @param name of the cluster
  /// @param now the time there
  /// @param settings as in the configuration of its Berth
  /// @param objects each with its `apiVersion` and `kind`; they are kept, and changed. Those of
  ///   other kinds than a scenario knows count as owners of pods
  /// @param served tells which of them an API server served: what is wrong in these is a warning
  /// @throws ScenarioException where an object cannot be what the API server takes
  public static Scenario cluster(
      String name,
      Instant now,
      Map<String, Object> settings,
      List<Map<String, Object>> objects,
      Predicate<Map<String, Object>> served)
      throws ScenarioException {
    return ScenarioReader.cluster(name, now, settings, objects, served);
  }

  /// Reads all scenarios of a file. Those after a wrong one are not read. Objects of a cluster
  /// beside them, such as what `kubectl get -o yaml` writes, are one scenario together.
  public static Found read(Path file) {
    var scenarios = new ArrayList<Scenario>();
    var objects = new ArrayList<Map<String, Object>>();
    try {
      for (var document : Documents.read(file)) {
        if (ScenarioReader.isOfACluster(document)) {
          objects.add(document);
        } else {
          scenarios.add(ScenarioReader.read(file.toString(), document));
        }
      }
      var cluster =
          objects.isEmpty()
              ? Optional.<Scenario>empty()
              : Optional.of(ScenarioReader.dump(file.toString(), objects));
      return new Found(file.toString(), scenarios, cluster, "");
    } catch (ScenarioException wrong) {
      return new Found(
          file.toString(), scenarios, Optional.empty(), String.valueOf(wrong.getMessage()));
    }
  }
}
