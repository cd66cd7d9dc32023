package dev.berth.simulator.scenario;

import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.engine.model.Problem;
import dev.berth.engine.request.GroupManifest;
import dev.berth.engine.request.PriorityClassManifest;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.TopologyManifest;
import dev.berth.simulator.scenario.Expectations.OfPod;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.scenario.Scenario.Item;
import dev.berth.simulator.world.Tree;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads one document of kind Scenario. A field that nobody knows is an error that names it; the
/// objects are read by the product's own manifest readers.
///
/// What a pod asks for may be nonsense: the API server takes such a pod too, and it waits and says
/// why. Of our own kinds, which the API server checks by their schema, a nonsense is an error here.
final class ScenarioReader {
  private static final Instant SOME_TIME = Instant.parse("2026-01-01T00:00:00Z");

  private final List<String> wrongs = new ArrayList<>();
  private final List<Item> objects = new ArrayList<>();
  private final List<Item> ignored = new ArrayList<>();
  private final TreeSet<String> names = new TreeSet<>();
  private Instant newest = Instant.MIN;

  static Scenario read(String file, Map<String, Object> document) throws ScenarioException {
    var reader = new ScenarioReader();
    var scenario = reader.scenario(file, document);
    if (!reader.wrongs.isEmpty()) {
      String name = scenario.name();
      throw new ScenarioException(
          reader.wrongs.stream()
              .map(wrong -> name.isEmpty() ? wrong : name + ": " + wrong)
              .toList());
    }
    return scenario;
  }

  private Scenario scenario(String file, Map<String, Object> document) {
    var root = new Fields("", document, wrongs);
    if (!root.text("kind").equals("Scenario")
        || !root.text("apiVersion").equals("berth.dev/v1alpha1")) {
      wrongs.add(
          "this is "
              + root.text("apiVersion")
              + " "
              + root.text("kind")
              + ", but must be berth.dev/v1alpha1 Scenario");
      return new Scenario("", file, SOME_TIME, Map.of(), List.of(), List.of(), nothing());
    }
    var metadata = root.object("metadata");
    var spec = root.object("spec");
    String name = metadata.text("name");
    if (name.isEmpty()) {
      metadata.wrong("name", "a name");
    }
    metadata.tree("labels");
    metadata.tree("annotations");
    var trees = spec.trees("objects");
    for (int i = 0; i < trees.size(); i++) {
      object("spec.objects[" + i + "]", trees.get(i));
    }
    var settings = spec.tree("settings");
    var expectations = expectations(spec.object("expect"));
    Instant now = now(spec);
    root.finish();
    return new Scenario(name, file, now, settings, objects, ignored, expectations);
  }

  private static Expectations nothing() {
    return new Expectations(new TreeMap<>(), new TreeMap<>(), Expectations.ANY);
  }

  private Instant now(Fields spec) {
    String text = spec.text("now");
    if (text.isEmpty()) {
      return newest.equals(Instant.MIN) ? SOME_TIME : newest;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException malformed) {
      spec.wrong("now", "a time like \"2026-01-01T01:00:00Z\"");
      return SOME_TIME;
    }
  }

  // The objects

  private void object(String path, Map<String, Object> tree) {
    if (Tree.text(tree, "kind").equals("List")) {
      var items = Tree.maps(tree, "items");
      for (int i = 0; i < items.size(); i++) {
        object(path + ".items[" + i + "]", items.get(i));
      }
      return;
    }
    String kind = Tree.text(tree, "kind");
    String name = Tree.name(tree);
    String title = kind + " " + name;
    if (!Kinds.isKnown(tree)) {
      wrongs.add(
          path
              + " is "
              + Tree.text(tree, "apiVersion")
              + " "
              + kind
              + ", a kind that a scenario does not know; known are "
              + Kinds.names());
      return;
    }
    if (name.isEmpty()) {
      wrongs.add(path + ".metadata.name is missing on this " + kind);
      return;
    }
    for (String field : tree.keySet()) {
      if (!Kinds.fields(tree).contains(field)) {
        wrongs.add(
            path
                + "."
                + field
                + " on "
                + title
                + " is not a field that Berth knows; known are "
                + String.join(", ", Kinds.fields(tree)));
      }
    }
    if (Kinds.isNamespaced(tree)) {
      Tree.under(tree, "metadata").putIfAbsent("namespace", "default");
    }
    if (!names.add(kind + " " + Tree.text(tree, "metadata", "namespace") + "/" + name)) {
      wrongs.add(path + ": " + title + " is there already");
    }
    for (Problem problem : problems(tree)) {
      wrongs.add(path + ": " + problem.on(title));
    }
    lookForTimes(Tree.map(tree, "metadata"));
    lookForTimes(Tree.map(tree, "status"));
    (Kinds.watched(tree).isPresent() ? objects : ignored).add(new Item(kind, tree));
  }

  private static List<Problem> problems(Map<String, Object> tree) {
    return switch (Kinds.watched(tree).orElse(Kind.POD)) {
      case QUEUE -> QueueManifest.read(tree).orElseThrow().problems();
      case POD_GROUP -> GroupManifest.read(tree).orElseThrow().problems();
      case PRIORITY_CLASS ->
          PriorityClassManifest.read(tree).isPresent()
              ? List.of()
              : List.of(new Problem("value", Tree.text(tree, "value"), "it is a whole number."));
      case TOPOLOGY ->
          TopologyManifest.read(tree).orElseThrow().levels().isEmpty()
              ? List.of(new Problem("spec.levels", "", "a topology has levels with a nodeLabel."))
              : List.of();
      case NODE, POD, NAMESPACE, JOB -> List.of();
    };
  }

  private void lookForTimes(Map<String, ?> tree) {
    for (Object value : tree.values()) {
      if (value instanceof String text && text.length() >= 20 && text.endsWith("Z")) {
        try {
          Instant time = Instant.parse(text);
          newest = time.isAfter(newest) ? time : newest;
        } catch (DateTimeException noTime) {
          // some other text
        }
      }
    }
  }

  // What is expected

  private static Expectations expectations(Fields expect) {
    var pods = new TreeMap<String, OfPod>();
    expect.object("pods").objects().forEach((name, pod) -> pods.put(key(name), pod(pod)));
    var running = new TreeMap<String, Integer>();
    expect
        .object("workloads")
        .objects()
        .forEach((name, workload) -> {
          var count = workload.count("running");
          if (count.isEmpty() && !workload.has("running")) {
            workload.wrong("running", "how many members run");
          }
          running.put(key(name), count.orElse(0));
        });
    return new Expectations(
        pods, running, expect.object("evictions").count("max").orElse(Expectations.ANY));
  }

  private static String key(String name) {
    return name.indexOf('/') < 0 ? "default/" + name : name;
  }

  private static OfPod pod(Fields pod) {
    String word = pod.text("phase");
    for (Phase phase : Phase.values()) {
      if (phase.word().equals(word)) {
        return new OfPod(phase, pod.texts("nodeIn"));
      }
    }
    pod.wrong("phase", String.join(" or ", Phase.words()));
    return new OfPod(Phase.ANY, pod.texts("nodeIn"));
  }
}
