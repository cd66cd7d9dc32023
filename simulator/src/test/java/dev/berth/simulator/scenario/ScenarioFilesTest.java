package dev.berth.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.simulator.scenario.Expectations.Phase;
import dev.berth.simulator.world.ObjectTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioFilesTest {
  private static final String HEAD =
      """
      apiVersion: berth.dev/v1alpha1
      kind: Scenario
      metadata: {name: one}
      """;
  private static final String QUEUE =
      "{apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: research}, spec: {%s}}";

  private static final String BUDGET =
      "{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {%s}}";

  @TempDir private Path folder;

  private ScenarioFiles.Found read(String name, String text) throws IOException {
    return ScenarioFiles.read(Files.writeString(folder.resolve(name), text));
  }

  private Scenario good(String spec) throws IOException {
    var found = read("good.yaml", HEAD + spec);
    assertThat(found.wrong()).isEqualTo("");
    return found.scenarios().getFirst();
  }

  private String wrong(String spec) throws IOException {
    var found = read("wrong.yaml", HEAD + spec);
    assertThat(found.scenarios()).as("a wrong scenario is not played").isEqualTo(List.of());
    return found.wrong();
  }

  @Test
  void whatIsExpectedIsRead() throws IOException {
    var scenario =
        good(
            """
            spec:
              now: "2026-01-01T01:00:00Z"
              settings: {placement: {gpu: spread}}
              expect:
                pods:
                  team/a: {phase: Running, nodeIn: [n1, n2]}
                  b: {phase: Terminating}
                workloads: {team/run: {running: 3}}
                evictions: {max: 2}
            """);
    assertThat(scenario.name()).isEqualTo("one");
    assertThat(scenario.now()).isEqualTo(Instant.parse("2026-01-01T01:00:00Z"));
    assertThat(ObjectTree.text(scenario.settings(), "placement", "gpu")).isEqualTo("spread");
    var expected = scenario.expectations();
    assertThat(expected.pods().toString())
        .isEqualTo(
            "{default/b=OfPod[phase=TERMINATING, nodeIn=[]],"
                + " team/a=OfPod[phase=RUNNING, nodeIn=[n1, n2]]}");
    assertThat(expected.running().toString()).isEqualTo("{team/run=3}");
    assertThat(expected.evictions()).isEqualTo(2);
  }

  @Test
  void itBeginsAtTheNewestTimeInTheObjects() throws IOException {
    var scenario =
        good(
            """
            spec:
              objects:
                - {apiVersion: v1, kind: Node, metadata: {name: n, creationTimestamp: 2025-05-01T00:00:00Z}}
                - apiVersion: v1
                  kind: Pod
                  metadata: {name: p, creationTimestamp: "2025-05-02T00:00:00Z"}
                  status: {phase: Running, startTime: "2025-05-02T00:00:07Z"}
            """);
    assertThat(scenario.now()).isEqualTo(Instant.parse("2025-05-02T00:00:07Z"));
  }

  @Test
  void aPodWithoutPhaseMayBeInAny() throws IOException {
    var scenario = good("spec: {expect: {pods: {a: {nodeIn: [n1]}}}}");
    assertThat(scenario.expectations().pods().firstEntry().getValue().phase()).isEqualTo(Phase.ANY);
  }

  @Test
  void aFileMayHoldManyDocumentsAndAListToo() throws IOException {
    var found = read("many.yaml", HEAD + "---\n# nothing\n---\n" + HEAD.replace("one", "two"));
    assertThat(found.scenarios().stream().map(Scenario::name).toList())
        .isEqualTo(List.of("one", "two"));
    var json =
        read(
            "many.json",
            """
            [{"apiVersion": "berth.dev/v1alpha1", "kind": "Scenario", "metadata": {"name": "three"}},
             {"apiVersion": "berth.dev/v1alpha1", "kind": "Scenario", "metadata": {"name": "four"}}]
            """);
    assertThat(json.scenarios().stream().map(Scenario::name).toList())
        .isEqualTo(List.of("three", "four"));
  }

  @Test
  void anchorsSaveWriting() throws IOException {
    var scenario =
        good(
            """
            spec:
              objects:
                - &a {apiVersion: v1, kind: Node, metadata: {name: a}, spec: {unschedulable: true}}
                - {<<: *a, metadata: {name: b}}
            """);
    assertThat(ObjectTree.isTrue(scenario.objects().getLast().object(), "spec", "unschedulable"))
        .isTrue();
  }

  @Test
  void aListFromKubectlIsTakenApart() throws IOException {
    var scenario =
        good(
            """
            spec:
              objects:
                - apiVersion: v1
                  kind: List
                  items: [{apiVersion: v1, kind: Node, metadata: {name: a}}]
            """);
    assertThat(scenario.objects().getFirst().kind()).isEqualTo("Node");
  }

  @Test
  void anUnknownFieldIsNamedWithItsWay() throws IOException {
    assertThat(wrong("spec: {expectations: {}}"))
        .isEqualTo(
            "one: spec.expectations is not a field that Berth knows; known are expect, now,"
                + " objects, settings");
    assertThat(wrong("spec: {expect: {pods: {default/a: {phase: Running, node: n1}}}}"))
        .isEqualTo(
            "one: spec.expect.pods.default/a.node is not a field that Berth knows; known are"
                + " nodeIn, phase");
    assertThat(wrong("spec: {expect: {evictions: {most: 3}}}"))
        .isEqualTo(
            "one: spec.expect.evictions.most is not a field that Berth knows; known are max");
  }

  @Test
  void anUnknownFieldOfAnObjectIsNamed() throws IOException {
    String ofQueue = wrong("spec: {objects: [" + QUEUE.formatted("quotas: {gpu: 1}") + "]}");
    assertThat(
            ofQueue.startsWith(
                "one: spec.objects[0]: spec.quotas is \"{…}\" on Queue research, but there is no"
                    + " such field (did you mean quota?). Known are parent,"))
        .as(ofQueue)
        .isTrue();
    assertThat(
            wrong("spec: {objects: [{apiVersion: v1, kind: Node, metadata: {name: n}, state: {}}]}")
                .startsWith("one: spec.objects[0].state on Node n is not a field that Berth knows"))
        .isTrue();
  }

  @Test
  void anUnknownKindIsNamed() throws IOException {
    String wrong =
        wrong("spec: {objects: [{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}]}");
    assertThat(
            wrong.startsWith(
                "one: spec.objects[0] is apps/v1 Deployment, a kind that a scenario does not"
                    + " know;"))
        .as(wrong)
        .isTrue();
    String otherGroup =
        wrong("spec: {objects: [{apiVersion: kueue/v1, kind: Queue, metadata: {name: d}}]}");
    assertThat(otherGroup.startsWith("one: spec.objects[0] is kueue/v1 Queue"))
        .as(otherGroup)
        .isTrue();
  }

  @Test
  void anObjectIsThereOnce() throws IOException {
    String queue = QUEUE.formatted("");
    assertThat(wrong("spec: {objects: [" + queue + "," + queue + "]}"))
        .isEqualTo("one: spec.objects[1]: Queue research is there already");
  }

  @Test
  void wrongValuesAreTold() throws IOException {
    assertThat(wrong("spec: {expect: {pods: {a: {phase: Runing}}}}"))
        .isEqualTo(
            "one: spec.expect.pods.a.phase is \"Runing\", but must be Pending or Running or"
                + " Terminating or Succeeded or Failed");
    assertThat(wrong("spec: {expect: {workloads: {run: {}}}}"))
        .isEqualTo(
            "one: spec.expect.workloads.run.running is missing, but must be how many members run");
    assertThat(wrong("spec: {now: noon}"))
        .isEqualTo("one: spec.now is \"noon\", but must be a time like \"2026-01-01T01:00:00Z\"");
  }

  @Test
  void aBudgetThatCannotBeMeantIsNamed() throws IOException {
    String amount = ", but it is a number of pods, like 2, or a share of them, like \"50%\".";
    for (String value :
        List.of("\"x%\"", "\"101%\"", "\"-1%\"", "\"%\"", "\"2\"", "-1", "1.5", "2147483648")) {
      assertThat(wrong("spec: {objects: [" + BUDGET.formatted("minAvailable: " + value) + "]}"))
          .isEqualTo(
              "one: spec.objects[0]: spec.minAvailable is \"%s\" on PodDisruptionBudget web"
                      .formatted(value.replace("\"", ""))
                  + amount);
    }
    assertThat(wrong("spec: {objects: [" + BUDGET.formatted("maxUnavailable: x") + "]}"))
        .isEqualTo(
            "one: spec.objects[0]: spec.maxUnavailable is \"x\" on PodDisruptionBudget web"
                + amount);
    assertThat(
            wrong(
                "spec: {objects: ["
                    + BUDGET.formatted("minAvailable: 1, maxUnavailable: 0")
                    + "]}"))
        .isEqualTo(
            "one: spec.objects[0]: spec.maxUnavailable is \"0\" on PodDisruptionBudget web, but"
                + " minAvailable is there too. Keep one of them.");
    for (String value : List.of("0", "2", "2147483647", "0%", "\"50%\"", "100%")) {
      good("spec: {objects: [" + BUDGET.formatted("minAvailable: " + value) + "]}");
    }
  }

  @Test
  void whatIsNoQuantityIsNamed() throws IOException {
    String pod =
        "spec: {objects: [{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers:"
            + " [{name: main, resources: {limits: {nvidia.com/gpu: %s}}}]}}]}";
    assertThat(wrong(pod.formatted("lots")))
        .isEqualTo(
            "one: spec.objects[0]: spec.containers[0].resources.limits.nvidia.com/gpu is \"lots\""
                + " on Pod a, but it is a quantity, like 2, 500m or 64Gi.");
    assertThat(
            wrong(
                "spec: {objects: [{apiVersion: v1, kind: Node, metadata: {name: n}, status:"
                    + " {allocatable: {memory: 64GB}}}]}"))
        .isEqualTo(
            "one: spec.objects[0]: status.allocatable.memory is \"64GB\" on Node n, but it is a"
                + " quantity, like 2, 500m or 64Gi.");
    for (String value : List.of("2", "\"2\"", "1e3", "0.5", "500m", "64Gi", "12E")) {
      good(pod.formatted(value));
    }
  }

  @Test
  void whatIsNoScenarioSaysSo() throws IOException {
    String wrong = read("map.yaml", "{apiVersion: v1, kind: ConfigMap}").wrong();
    assertThat(
            wrong.startsWith(
                "this is v1 ConfigMap, but must be berth.dev/v1alpha1 Scenario, or an object of a"
                    + " cluster: DeviceClass, Job"))
        .as(wrong)
        .isTrue();
    assertThat(read("no.yaml", "a: [").wrong().endsWith("(line 1)")).isTrue();
    assertThat(read("no.json", "{\"a\": 1, \"a\": 2}").wrong().contains("uplicate")).isTrue();
    assertThat(read("no.yaml", "{a: 1, a: 2}").wrong().contains("duplicate")).isTrue();
  }

  /// `kubectl get nodes,pods -A -o yaml`, and what is written behind one another.
  @Test
  void objectsOfAClusterAreOneScenario() throws IOException {
    var found =
        read(
            "dump.yaml",
            """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Node, metadata: {name: n, creationTimestamp: "2026-03-04T05:06:07Z"}}
            - {apiVersion: v1, kind: Pod, metadata: {name: p, namespace: team}}
            ---
            {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: q}}
            """);
    assertThat(found.wrong()).isEqualTo("");
    var scenario = found.all().getFirst();
    assertThat(found.all().size()).isEqualTo(1);
    assertThat(found.scenarios()).as("it says nothing of what must come of it").isEmpty();
    assertThat(scenario.name()).isEqualTo("dump.yaml");
    assertThat(scenario.now()).isEqualTo(Instant.parse("2026-03-04T05:06:07Z"));
    assertThat(kinds(scenario.objects())).isEqualTo(List.of("Node", "Pod", "Queue"));
    assertThat(
            read("dump.yaml", "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod}]}")
                .wrong())
        .isEqualTo("dump.yaml: document 1.items[0].metadata.name is missing on this Pod");
  }

  /// `kubectl get all -o yaml`.
  @Test
  void whatADumpHoldsBesideIsLeftOut() throws IOException {
    var scenario =
        read(
                "dump.yaml",
                "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Service, metadata:"
                    + " {name: s}}, {apiVersion: v1, kind: Node, metadata: {name: n}}, {apiVersion:"
                    + " kueue.x-k8s.io/v1beta1, kind: Topology, metadata: {name: t}}]}")
            .all()
            .getFirst();
    assertThat(kinds(scenario.objects())).isEqualTo(List.of("Node"));
    assertThat(kinds(scenario.ignored())).isEqualTo(List.of("Service", "Topology"));
    var misspelt =
        read(
                "dump.yaml",
                "{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Nodes, metadata:"
                    + " {name: n}}]}")
            .wrong();
    assertThat(misspelt.contains("v1 Nodes, a kind that a scenario does not know"))
        .as(misspelt)
        .isTrue();
  }

  @Test
  void budgetsAreObjectsOfTheWorldAndTemplatesOfClaimsAreKeptAside() throws IOException {
    var scenario =
        good(
            "spec: {objects: [{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate,"
                + " metadata: {name: t}}, {apiVersion: policy/v1, kind: PodDisruptionBudget,"
                + " metadata: {name: c}}]}");
    assertThat(kinds(scenario.objects())).isEqualTo(List.of("PodDisruptionBudget"));
    assertThat(kinds(scenario.ignored())).isEqualTo(List.of("ResourceClaimTemplate"));
  }

  private static List<String> kinds(List<Scenario.Item> items) {
    return items.stream().map(Scenario.Item::kind).toList();
  }

  @Test
  void foldersAreReadInTheOrderOfNames() throws IOException, ScenarioException {
    Files.createDirectories(folder.resolve("b"));
    for (String name : List.of("b/2.yaml", "b/1.json", "a.yml", "README.md")) {
      Files.writeString(folder.resolve(name), "");
    }
    assertThat(
            ScenarioFiles.in(List.of(folder)).stream()
                .map(file -> folder.relativize(file).toString())
                .toList())
        .isEqualTo(List.of("a.yml", "b/1.json", "b/2.yaml"));
    var nowhere = List.of(folder.resolve("nowhere"));
    assertThatExceptionOfType(ScenarioException.class).isThrownBy(() -> ScenarioFiles.in(nowhere));
  }
}
