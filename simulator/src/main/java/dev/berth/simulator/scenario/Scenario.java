package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.request.PriorityClassManifest;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A cluster, a workload, and what must come of it.
///
/// @param file where it was read
/// @param now the time at which it begins
/// @param settings fields of the configuration, as they are written
/// @param objects in the order of the file
/// @param ignored objects of kinds that are accepted, but have no effect but as owners of pods
/// @param warnings what is wrong in objects that an API server served, and what a dump lacks; each
///   a sentence. None of it keeps the rest from being played
public record Scenario(
    String name,
    String file,
    Instant now,
    Map<String, Object> settings,
    List<Item> objects,
    List<Item> ignored,
    List<String> warnings,
    Expectations expectations) {
  public Scenario {
    objects = List.copyOf(objects);
    ignored = List.copyOf(ignored);
    warnings = List.copyOf(warnings);
  }

  /// Its PriorityClasses; unknown where it holds none, as a dump of some kinds alone.
  public PriorityClasses priorityClasses() {
    return PriorityClasses.of(
        objects.stream()
            .filter(item -> item.kind().equals("PriorityClass"))
            .flatMap(item -> PriorityClassManifest.read(item.object()).stream())
            .toList());
  }

  /// One object of the cluster.
  ///
  /// @param kind the word in the file
  public record Item(String kind, Map<String, Object> object) {
    /// What the API server knows it as.
    Kind watched() {
      return Kinds.watched(object).orElseThrow();
    }
  }
}
