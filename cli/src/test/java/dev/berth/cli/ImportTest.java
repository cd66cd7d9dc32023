package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.controllers.kai.Translation;
import dev.berth.engine.model.Queue;
import dev.berth.engine.request.QueueManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// `berth import`. Most cases are folders: `objects.yaml` of another scheduler, by whose name the
/// folder begins; `queues.yaml`, all that is printed, or no such file where it is an error; and
/// `notes.txt`, all that is told.
final class ImportTest {
  private static final Path CASES = Path.of("src/test/resources/import");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private final CommandOutput output = new CommandOutput();
  @TempDir private Path folder = Path.of("");

  private int imports(String... arguments) {
    return output.run(ImportCommand::new, arguments);
  }

  static List<String> cases() throws IOException {
    try (var folders = Files.list(CASES)) {
      return folders.map(each -> each.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whatIsPrintedAndToldIsAll(String name) throws IOException {
    var expected = CASES.resolve(name).resolve("queues.yaml");
    int status = imports(scheduler(name), "-f", objects(name));
    assertThat(output.wrong()).isEqualTo(Files.readString(CASES.resolve(name + "/notes.txt")));
    assertThat(output.told()).isEqualTo(Files.exists(expected) ? Files.readString(expected) : "");
    assertThat(status).isEqualTo(Files.exists(expected) ? 0 : 2);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void berthReadsWhatIsPrintedAndKnowsEachParentBefore(String name) throws IOException {
    imports(scheduler(name), "-f", objects(name));
    var known = new LinkedHashSet<String>();
    for (Queue queue : printed()) {
      assertThat(queue.problems()).isEmpty();
      assertThat(known.add(queue.name().value())).as("%s is there once", queue.name()).isTrue();
      if (!queue.parent().isNone() && !output.wrong().contains("condition Orphan")) {
        assertThat(known).contains(queue.parent().value());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void jsonIsAListOfTheSame(String name) throws IOException {
    imports(scheduler(name), "-f", objects(name));
    var yaml = documents(output.told());
    output.reset();
    int status = imports(scheduler(name), "-f", objects(name), "-o", "json");
    if (status == 0) {
      var json = new ObjectMapper().readTree(output.told());
      assertThat(json.at("/kind").asText()).isEqualTo("List");
      assertThat(json.at("/items")).containsExactlyElementsOf(yaml);
    } else {
      assertThat(output.told()).isEmpty();
    }
  }

  @Test
  void queuesOfKaiMeanWhatTheyMeanInItsPlace() throws IOException {
    imports("kai", "-f", objects("kai-parents"));
    var inPlace = new ArrayList<Queue>();
    for (JsonNode object : documents(Files.readString(Path.of(objects("kai-parents"))))) {
      inPlace.add(read(Translation.queue(tree(object))));
    }
    assertThat(printed()).containsExactlyInAnyOrderElementsOf(inPlace);
  }

  @Test
  void aFolderOfFilesIsOneImport() throws IOException {
    Files.copy(Path.of(objects("volcano-hierarchy")), folder.resolve("a.yaml"));
    Files.writeString(
        folder.resolve("b.json"),
        """
        {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "QueueList",
         "items": [{"metadata": {"name": "speech"}, "spec": {"parent": "research"}}]}
        """);
    Files.writeString(folder.resolve("notes.txt"), "not read");
    assertThat(imports("volcano", "-f", folder.toString())).isZero();
    assertThat(printed().stream().map(queue -> queue.name().value()))
        .containsExactly("default", "ml", "research", "speech", "vision");
  }

  @Test
  void theSameQueueInTwoFilesIsAnError() throws IOException {
    Files.copy(Path.of(objects("volcano-hierarchy")), folder.resolve("a.yaml"));
    Files.copy(Path.of(objects("volcano-hierarchy")), folder.resolve("b.yaml"));
    assertThat(imports("volcano", "-f", folder.toString())).isEqualTo(2);
    assertThat(output.wrong())
        .startsWith("berth: " + folder.resolve("b.yaml") + ": queue root is there twice: take one");
  }

  @Test
  void aFileAndAClusterAreTooMuch() {
    assertThat(imports("kai", "-f", objects("kai-parents"), "--context", "prod")).isEqualTo(2);
    assertThat(output.wrong())
        .isEqualTo(
            "berth: --filename reads a file, --kubeconfig and --context a cluster that runs: give"
                + " one of them\n");
  }

  @Test
  void aPathThatLeadsNowhereIsAnError() {
    assertThat(imports("kai", "-f", "nowhere.yaml")).isEqualTo(2);
    assertThat(output.wrong()).isEqualTo("berth: nowhere.yaml: there is no such file or folder\n");
  }

  @Test
  void aClusterIsReadInTheVersionThatItServes() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      serveKueue(cluster);
      assertThat(imports("kueue", "--kubeconfig", cluster.kubeconfig())).isZero();
    }
    assertThat(output.told())
        .isEqualTo(
            """
            apiVersion: berth.dev/v1alpha1
            kind: Queue
            metadata:
              name: own
            spec:
              quota:
                cpu: 8
                gpu: 4
                memory: unlimited
              limit:
                cpu: 8
                gpu: 4
              namespaceSelector: {}
            """);
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: localqueues.kueue.x-k8s.io may not be listed by this user (kubectl auth can-i"
                + " list localqueues.kueue.x-k8s.io -A): left out",
            "clusterqueue own: spec.resourceGroups[0].flavors[0].name is all, of which there is no"
                + " ResourceFlavor in this import: its GPU model and node labels are not known.",
            "clusterqueue own: spec.resourceGroups covers no memory: the Queue has an unlimited"
                + " quota of them. (Kueue admits no workload that requests them, unless its"
                + " configuration excludes them.)",
            "clusterqueue own: a Queue own of berth.dev exists already: kubectl apply changes it.",
            "# No Queue is called default: workloads that name no queue wait (NoSuchQueue) until"
                + " there is one, or defaultQueue in Berth's configuration names another.");
  }

  private static void serveKueue(ServedLists cluster) {
    cluster.answers.put(
        "/apis/kueue.x-k8s.io/v1beta1/clusterqueues",
        ServedLists.list(
            """
            {"metadata": {"name": "own"}, "spec": {"namespaceSelector": {}, "cohort": null,
             "preemption": {"withinClusterQueue": "LowerPriority"}, "resourceGroups": [
              {"coveredResources": ["cpu", "nvidia.com/gpu"], "flavors": [{"name": "all",
               "resources": [{"name": "cpu", "nominalQuota": "8"},
                {"name": "nvidia.com/gpu", "nominalQuota": "4"}]}]}]}}
            """));
    cluster.forbidden.add("/apis/kueue.x-k8s.io/v1beta2/localqueues");
  }

  @Test
  void aClusterWithoutTheSchedulerIsAnError() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      assertThat(imports("volcano", "--kubeconfig", cluster.kubeconfig())).isEqualTo(2);
    }
    assertThat(output.told()).isEmpty();
    assertThat(output.wrong())
        .matches(
            "berth: http://127\\.0\\.0\\.1:\\d+/?: there is no object to import: looked for Queue"
                + " of scheduling\\.volcano\\.sh/v1beta1\\.\n");
  }

  @Test
  void queuesThatMayNotBeListedAreAnError() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.forbidden.add("/apis/scheduling.run.ai/v2/queues");
      assertThat(imports("kai", "--kubeconfig", cluster.kubeconfig())).isEqualTo(2);
    }
    assertThat(output.wrong())
        .isEqualTo(
            "berth: queues.scheduling.run.ai may not be listed by this user (kubectl auth can-i"
                + " list queues.scheduling.run.ai -A)\n");
  }

  private static String scheduler(String name) {
    return name.substring(0, name.indexOf('-'));
  }

  private static String objects(String name) {
    return CASES.resolve(name).resolve("objects.yaml").toString();
  }

  private List<Queue> printed() throws IOException {
    return documents(output.told()).stream().map(ImportTest::tree).map(ImportTest::read).toList();
  }

  private static List<JsonNode> documents(String yaml) throws IOException {
    try (var values = YAML.readerFor(JsonNode.class).<JsonNode>readValues(yaml)) {
      return values.readAll();
    }
  }

  @SuppressWarnings("unchecked") // keys of JSON objects are strings
  private static Map<String, Object> tree(JsonNode document) {
    return YAML.convertValue(document, Map.class);
  }

  private static Queue read(Map<String, Object> tree) {
    return QueueManifest.read(tree).orElseThrow().of(0, 0, Instant.EPOCH);
  }
}
