package dev.berth.cli.projects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.request.NamespaceManifest;
import dev.berth.engine.request.QueueManifest;
import dev.berth.engine.request.QueueResources;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.world.ObjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of the manifests of any projects.
final class ProjectLawTest {
  @TempDir private Path folder = Path.of("");

  static List<Long> seeds() {
    var seeds = new ArrayList<Long>();
    for (long seed = 1; seed <= 40; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  /// Projects whose parents come before them, with namespaces of their own.
  private static List<String> projects(Random random) {
    var projects = new ArrayList<String>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      var spec = new ArrayList<String>();
      if (i > 0 && random.nextBoolean()) {
        spec.add("parent: p" + random.nextInt(i));
      }
      if (random.nextBoolean()) {
        spec.add("quota: {gpu: " + List.of("1", "0.5", "unlimited").get(random.nextInt(3)) + "}");
        spec.add("limit: {gpu: 2, memory: 64Gi}");
      }
      if (random.nextBoolean()) {
        spec.add("weight: {gpu: 0.5}, priority: " + random.nextInt(200));
      }
      if (random.nextBoolean()) {
        spec.add("pools: [{name: h100, weight: {gpu: 2}}, {name: '', limit: {}}], maxRuntime: 1h");
      }
      var namespaces = new ArrayList<String>();
      for (int n = random.nextInt(4); n > 0; n--) {
        namespaces.add("n" + i + "-" + n);
      }
      spec.add("namespaces: " + namespaces);
      spec.add("scheduler: " + random.nextBoolean());
      spec.add("createNamespaces: " + random.nextBoolean());
      for (String right : List.of("members", "viewers", "leads")) {
        if (random.nextBoolean()) {
          spec.add(
              right
                  + ": {groups: [g"
                  + random.nextInt(3)
                  + "], users: [u], serviceAccounts:"
                  + " [n/a]}");
        }
      }
      if (!namespaces.isEmpty() && random.nextBoolean()) {
        spec.add("priorityClasses: {build: " + random.nextInt(3) + ", train: unlimited}");
      }
      projects.add(
          "{apiVersion: berth.dev/v1alpha1, kind: Project, metadata: {name: p"
              + i
              + "}, spec: {"
              + String.join(", ", spec)
              + "}}\n");
    }
    return projects;
  }

  private List<Map<String, Object>> manifests(List<String> projects)
      throws IOException, ScenarioException {
    var file = Files.writeString(folder.resolve("p.yaml"), String.join("---\n", projects));
    return ProjectSet.read(List.of(file), Optional.empty()).manifests();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSameProjectsGiveTheSameManifestsInAnyOrder(long seed)
      throws IOException, ScenarioException {
    var random = new Random(seed);
    var projects = projects(random);
    var manifests = manifests(projects);
    Collections.shuffle(projects, random);
    assertThat(manifests(projects)).isEqualTo(manifests);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void eachObjectIsThereOnceAndBelongsToItsProject(long seed)
      throws IOException, ScenarioException {
    var seen = new HashSet<String>();
    for (var manifest : manifests(projects(new Random(seed)))) {
      String key =
          ObjectTree.text(manifest, "kind")
              + " "
              + ObjectTree.text(manifest, "metadata", "namespace")
              + "/"
              + ObjectTree.name(manifest);
      assertThat(seen.add(key)).as("%s is there once", key).isTrue();
      assertThat(ObjectTree.label(manifest, "berth.dev/project")).matches("p[0-9]");
      assertThat(ObjectTree.label(manifest, "berth.dev/project-version")).matches("[0-9a-f]{10}");
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void berthReadsEachQueueAndKnowsItsParentBefore(long seed) throws IOException, ScenarioException {
    var known = new LinkedHashSet<String>();
    for (var manifest : manifests(projects(new Random(seed)))) {
      if (ObjectTree.text(manifest, "kind").equals("Queue")) {
        var queue = QueueManifest.read(manifest).orElseThrow();
        assertThat(queue.problems()).isEmpty();
        assertThat(QueueResources.problems(queue)).isEmpty();
        if (!queue.parent().isNone()) {
          assertThat(known).contains(queue.parent().value());
        }
        known.add(queue.name().value());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theQueueOfEachNamespaceTakesItAndNoOther(long seed) throws IOException, ScenarioException {
    var manifests = manifests(projects(new Random(seed)));
    for (var manifest : manifests) {
      if (!ObjectTree.text(manifest, "kind").equals("Namespace")) {
        continue;
      }
      var namespace = NamespaceManifest.read(manifest).orElseThrow();
      var labels = new TreeMap<>(namespace.labels());
      labels.put("kubernetes.io/metadata.name", namespace.name());
      for (var other : manifests) {
        if (ObjectTree.text(other, "kind").equals("Queue")) {
          var queue = QueueManifest.read(other).orElseThrow();
          assertThat(queue.namespaces().orElseThrow().matches(labels))
              .as("queue %s takes namespace %s", queue.name(), namespace.name())
              .isEqualTo(namespace.queue().equals(queue.name()));
        }
      }
    }
  }

  /// Nothing that is printed grants more than the roles of Kubernetes and the own queue.
  @ParameterizedTest
  @MethodSource("seeds")
  void rightsAreThoseOfTheFileAlone(long seed) throws IOException, ScenarioException {
    for (var manifest : manifests(projects(new Random(seed)))) {
      String project = ObjectTree.label(manifest, "berth.dev/project");
      switch (ObjectTree.text(manifest, "kind")) {
        case "RoleBinding" ->
            assertThat(ObjectTree.text(manifest, "roleRef", "name")).isIn("edit", "view");
        case "ClusterRoleBinding" ->
            assertThat(ObjectTree.text(manifest, "roleRef", "name"))
                .isIn(
                    "berth-queue-writer",
                    "berth-project-" + project + "-view",
                    "berth-project-" + project + "-own");
        case "ClusterRole" ->
            assertThat(ObjectTree.maps(manifest, "rules"))
                .singleElement()
                .satisfies(rule -> {
                  assertThat(ObjectTree.list(rule, "resourceNames")).containsExactly(project);
                  assertThat(ObjectTree.list(rule, "resources")).containsExactly("queues");
                });
        default -> {} // no rights
      }
    }
  }
}
