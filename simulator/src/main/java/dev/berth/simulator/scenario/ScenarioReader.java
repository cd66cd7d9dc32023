package dev.berth.simulator.scenario;

import dev.berth.simulator.scenario.Expectations.OfPod;
import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.world.ObjectTree;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Reads one document of kind Scenario, or the objects of a cluster. An unknown field is an error
/// that names it.
final class ScenarioReader {
  private static final Instant SOME_TIME = Instant.parse("2026-01-01T00:00:00Z");

  private final List<String> wrongs = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final ObjectReader objects;

  private ScenarioReader(Predicate<Map<String, Object>> served) {
    objects = new ObjectReader(wrongs, warnings, served);
  }

  static Scenario read(String file, Map<String, Object> document) throws ScenarioException {
    var reader = new ScenarioReader(ServedObject::isOne);
    return reader.checked(reader.scenario(file, document));
  }

  /// Whether a document is an object of a cluster, or a `List` of them, as `kubectl get -o yaml`
  /// writes it.
  static boolean isOfACluster(Map<String, Object> document) {
    boolean isList =
        ObjectTree.text(document, "kind").equals("List")
            && ObjectTree.text(document, "apiVersion").equals("v1");
    return isList || Kinds.isKnown(document) || ServedObject.isOne(document);
  }

  /// The objects of a cluster, of which nothing is expected.
  static Scenario dump(String file, List<Map<String, Object>> documents) throws ScenarioException {
    var reader = new ScenarioReader(ServedObject::isOne);
    for (int i = 0; i < documents.size(); i++) {
      reader.objects.read("document " + (i + 1), documents.get(i));
    }
    String name = String.valueOf(Path.of(file).getFileName());
    var objects = reader.objects;
    reader.warnings.addAll(DumpGaps.of(objects.watched(), objects.ignored()));
    return reader.checked(
        new Scenario(
            name,
            file,
            objects.newestTime().orElse(SOME_TIME),
            Map.of(),
            objects.watched(),
            objects.ignored(),
            reader.warnings,
            nothing()));
  }

  /// The objects of a cluster that runs, of which nothing is expected.
  static Scenario cluster(
      String name,
      Instant now,
      Map<String, Object> settings,
      List<Map<String, Object>> found,
      Predicate<Map<String, Object>> served)
      throws ScenarioException {
    var reader = new ScenarioReader(served);
    for (var object : found) {
      String title = ObjectTree.text(object, "kind") + " " + ObjectTree.name(object);
      if (Kinds.isKnown(object)) {
        reader.objects.read(title, object);
      } else {
        reader.objects.leaveAside(object);
      }
    }
    var objects = reader.objects;
    return reader.checked(
        new Scenario(
            name,
            "",
            now,
            settings,
            objects.watched(),
            objects.ignored(),
            reader.warnings,
            nothing()));
  }

  private Scenario checked(Scenario scenario) throws ScenarioException {
    if (!wrongs.isEmpty()) {
      String name = scenario.name();
      throw new ScenarioException(
          wrongs.stream().map(wrong -> name.isEmpty() ? wrong : name + ": " + wrong).toList());
    }
    return scenario;
  }

  private Scenario scenario(String file, Map<String, Object> document) {
    var root = new Fields("", document, wrongs);
    if (!root.text("kind").equals("Scenario")
        || !root.text("apiVersion").equals("berth.dev/v1alpha1")) {
      wrongs.add(
          "this is "
              + (root.text("kind").isEmpty()
                  ? "an object without a kind"
                  : (root.text("apiVersion") + " " + root.text("kind")).trim())
              + ", but must be berth.dev/v1alpha1 Scenario, or an object of a cluster: "
              + Kinds.names());
      return new Scenario(
          "", file, SOME_TIME, Map.of(), List.of(), List.of(), List.of(), nothing());
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
      objects.read("spec.objects[" + i + "]", trees.get(i));
    }
    var settings = spec.tree("settings");
    var expectations = expectations(spec.object("expect"));
    Instant now = now(spec);
    root.finish();
    return new Scenario(
        name, file, now, settings, objects.watched(), objects.ignored(), warnings, expectations);
  }

  private static Expectations nothing() {
    return new Expectations(new TreeMap<>(), new TreeMap<>(), Expectations.ANY);
  }

  private Instant now(Fields spec) {
    String text = spec.text("now");
    if (text.isEmpty()) {
      return objects.newestTime().orElse(SOME_TIME);
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeException malformed) {
      spec.wrong("now", "a time like \"2026-01-01T01:00:00Z\"");
      return SOME_TIME;
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
