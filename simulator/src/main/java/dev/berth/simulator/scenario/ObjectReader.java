package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.request.GroupManifest;
import dev.berth.engine.request.NumaManifest;
import dev.berth.engine.request.PriorityClassManifest;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.QueueResources;
import dev.berth.engine.request.TopologyManifest;
import dev.berth.simulator.scenario.Scenario.Item;
import dev.berth.simulator.world.Disruptions;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.QuantityProblems;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Reads the objects of a scenario, with the product's own manifest readers.
///
/// What an API server served is read as Berth reads it: what is wrong in it is a warning, and keeps
/// nothing else from being read.
///
/// In what was written by hand an unknown field is an error. What a pod asks for may be nonsense:
/// the API server takes such a pod too, and it waits and says why. Of Berth's own kinds, which the
/// API server checks by their schema, a nonsense is an error here, and so it is of a
/// NodeResourceTopology, which would say nothing, and of a PodDisruptionBudget.
final class ObjectReader {
  private final List<String> wrongs;
  private final List<String> warnings;
  private final Predicate<Map<String, Object>> served;
  private final List<Item> watched = new ArrayList<>();
  private final List<Item> ignored = new ArrayList<>();
  private final TreeSet<String> names = new TreeSet<>();
  private Instant newest = Instant.MIN;

  /// @param wrongs of objects that were written by hand, and so may not be played
  /// @param warnings of objects that an API server served
  /// @param served tells these
  ObjectReader(List<String> wrongs, List<String> warnings, Predicate<Map<String, Object>> served) {
    this.wrongs = wrongs;
    this.warnings = warnings;
    this.served = served;
  }

  /// Those that the API server of the world knows.
  List<Item> watched() {
    return watched;
  }

  /// Those that are accepted, and have no effect but as owners of pods.
  List<Item> ignored() {
    return ignored;
  }

  Optional<Instant> newestTime() {
    return newest.equals(Instant.MIN) ? Optional.empty() : Optional.of(newest);
  }

  /// A `List`, as `kubectl get -o yaml` writes it, is taken apart, and what it holds of other kinds
  /// is left aside.
  void read(String path, Map<String, Object> tree) {
    if (ObjectTree.text(tree, "kind").equals("List")) {
      var items = ObjectTree.maps(tree, "items");
      for (int i = 0; i < items.size(); i++) {
        var item = items.get(i);
        if (Kinds.isOfOthers(item)) {
          checkKnown(path + ".items[" + i + "]", item);
          leaveAside(item);
        } else {
          read(path + ".items[" + i + "]", item);
        }
      }
    } else if (!Kinds.isKnown(tree) && served.test(tree)) {
      leaveAside(tree);
    } else if (!Kinds.isKnown(tree)) {
      wrongs.add(
          path
              + " is "
              + ObjectTree.text(tree, "apiVersion")
              + " "
              + ObjectTree.text(tree, "kind")
              + ", a kind that a scenario does not know; known are "
              + Kinds.names());
    } else if (ObjectTree.name(tree).isEmpty()) {
      wrongs.add(path + ".metadata.name is missing on this " + ObjectTree.text(tree, "kind"));
    } else {
      take(path, tree);
    }
  }

  /// An object of a kind that a scenario does without.
  void leaveAside(Map<String, Object> tree) {
    ignored.add(new Item(ObjectTree.text(tree, "kind"), tree));
  }

  private void take(String path, Map<String, Object> tree) {
    String kind = ObjectTree.text(tree, "kind");
    String title = kind + " " + ObjectTree.name(tree);
    boolean isServed = served.test(tree);
    if (Kinds.isNamespaced(tree)) {
      ObjectTree.under(tree, "metadata").putIfAbsent("namespace", "default");
    }
    String namespace = ObjectTree.text(tree, "metadata", "namespace");
    if (!names.add(kind + " " + namespace + "/" + title)) {
      (isServed ? warnings : wrongs).add(path + ": " + title + " is there already");
      if (isServed) {
        return;
      }
    }
    if (isServed) {
      String named =
          namespace.isEmpty() ? title : kind + " " + namespace + "/" + ObjectTree.name(tree);
      if (isRefused(named, tree)) {
        return;
      }
    } else {
      check(path, title, tree);
    }
    lookForTimes(ObjectTree.map(tree, "metadata"));
    lookForTimes(ObjectTree.map(tree, "status"));
    // its other moments are to come
    lookForTimes(Map.of("updated", ObjectTree.text(tree, "status", "forecast", "updated")));
    (Kinds.watched(tree).isPresent() ? watched : ignored).add(new Item(kind, tree));
  }

  private void check(String path, String title, Map<String, Object> tree) {
    checkFields(path, title, tree);
    checkKnown(path, tree);
    unknownResources(tree)
        .forEach((at, why) -> wrongs.add(path + "." + at + " on " + title + " " + why));
    for (Problem problem : problems(tree)) {
      wrongs.add(path + ": " + problem.on(title));
    }
  }

  /// Warns of what is wrong in an object that an API server served. Berth goes on with its own
  /// kinds as they are, and says in their status what is wrong.
  ///
  /// @return whether it is of a kind that an API server checks, so that it cannot be as it is
  private boolean isRefused(String title, Map<String, Object> tree) {
    unknownResources(tree).forEach((at, why) -> warnings.add(title + ": " + at + " " + why));
    var problems = problems(tree);
    boolean isOurs =
        switch (Kinds.watched(tree).orElse(Kind.POD)) {
          case QUEUE, POD_GROUP, TOPOLOGY, NODE_RESOURCE_TOPOLOGY -> true;
          default -> false;
        };
    String end = isOurs ? "" : " It is left out.";
    problems.forEach(problem -> warnings.add(problem.on(title) + end));
    return !isOurs && !problems.isEmpty();
  }

  /// A key that is no resource would be counted, and nothing would ever ask for it.
  ///
  /// @return by the way to each of those, what is wrong with it
  private static SortedMap<String, String> unknownResources(Map<String, Object> tree) {
    var unknown = new TreeMap<String, String>();
    if (Kinds.watched(tree).equals(Optional.of(Kind.QUEUE))) {
      for (String field : List.of("quota", "limit", "weight")) {
        for (String key : ObjectTree.map(tree, "spec", field).keySet()) {
          if (!QueueResources.isKnown(key)) {
            unknown.put("spec." + field + "." + key, QueueResources.notKnown(key));
          }
        }
      }
    }
    return unknown;
  }

  private void checkFields(String path, String title, Map<String, Object> tree) {
    var known = Kinds.fields(tree);
    for (String field : tree.keySet()) {
      if (!known.contains(field)) {
        wrongs.add(
            path
                + ("." + field)
                + (" on " + title)
                + " is not a field that Berth knows"
                + Spelling.hint(field, known)
                + "; known are "
                + String.join(", ", known));
      }
    }
  }

  /// Fields below the top, as far as Kubernetes says which there are.
  private void checkKnown(String path, Map<String, Object> tree) {
    if (served.test(tree)) {
      return;
    }
    String title = ObjectTree.text(tree, "kind") + " " + ObjectTree.name(tree);
    for (var unknown : KnownFields.unknown(tree)) {
      boolean isTold = Kinds.isKnown(tree) && unknown.path().indexOf('.') < 0;
      if (!isTold) {
        wrongs.add(
            path
                + ("." + unknown.path())
                + (" on " + title)
                + (" is not a field of " + ObjectTree.text(tree, "kind"))
                + unknown.near());
      }
    }
  }

  private static List<Problem> problems(Map<String, Object> tree) {
    return switch (Kinds.watched(tree).orElse(Kind.POD)) {
      case QUEUE -> QueueManifest.read(tree).orElseThrow().problems();
      case POD_GROUP -> GroupManifest.read(tree).orElseThrow().problems();
      case PRIORITY_CLASS ->
          PriorityClassManifest.read(tree).isPresent()
              ? List.of()
              : List.of(
                  new Problem("value", ObjectTree.text(tree, "value"), "it is a whole number."));
      case NODE_RESOURCE_TOPOLOGY -> NumaManifest.read(tree).orElseThrow().problems();
      case TOPOLOGY ->
          TopologyManifest.read(tree).orElseThrow().levels().isEmpty()
              ? List.of(new Problem("spec.levels", "", "a topology has levels with a nodeLabel."))
              : List.of();
      case DISRUPTION_BUDGET -> Disruptions.problems(tree);
      case NODE -> QuantityProblems.ofNode(tree);
      case POD -> Kinds.watched(tree).isPresent() ? QuantityProblems.ofPod(tree) : List.of();
      case NAMESPACE,
          JOB,
          RESOURCE_CLAIM,
          RESOURCE_SLICE,
          DEVICE_CLASS,
          VOLUME_CLAIM,
          VOLUME,
          STORAGE_CLASS,
          RUNTIME_CLASS,
          CLUSTER_POLICY,
          GPU_CLUSTER,
          KAI_QUEUE,
          KAI_POD_GROUP,
          KAI_TOPOLOGY ->
          List.of();
    };
  }

  /// A pod that is being deleted says when its grace will be over, not when it was asked to go.
  private void lookForTimes(Map<String, ?> tree) {
    for (var entry : tree.entrySet()) {
      if (entry.getValue() instanceof String text
          && !entry.getKey().equals("deletionTimestamp")
          && text.length() >= 20
          && text.endsWith("Z")) {
        try {
          Instant time = Instant.parse(text);
          newest = time.isAfter(newest) ? time : newest;
        } catch (DateTimeException noTime) {
          // some other text
        }
      }
    }
  }
}
