package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth queues`, `berth workloads` and `berth gpus`, as users and programs read them.
final class ListsTest {
  private static final String FILE = "../examples/scenarios/queue-limit.yaml";

  private final CommandOutput output = new CommandOutput();
  @TempDir private Path folder = Path.of("");

  private int queues(String... arguments) {
    return output.run(QueuesCommand::new, arguments);
  }

  private int workloads(String... arguments) {
    return output.run(WorkloadsCommand::new, arguments);
  }

  private int gpus(String... arguments) {
    return output.run(GpusCommand::new, arguments);
  }

  private String told() {
    return output.told();
  }

  private String wrong() {
    return output.wrong();
  }

  @Test
  void queuesStandBelowTheirParent() {
    assertThat(queues("-f", FILE)).isZero();
    assertThat(told())
        .isEqualTo(
            """
            NAME       QUOTA   LIMIT       FAIR-SHARE   ALLOCATED   REQUESTED   RUNNING   WAITING
            default    0       unlimited   0            0           0           0         0
            research   8       4           4            0           6           0         6
              speech   2       2           2            0           3           0         3
              vision   2       unlimited   2            0           3           0         3
            """);
  }

  @Test
  void whatAQueueHasInANodePoolIsToldBesides() throws IOException {
    String pools = "../examples/scenarios/quota-of-a-pool.yaml";
    assertThat(queues("-f", pools, "-o", "wide")).as(wrong()).isZero();
    assertThat(told()).contains("POOLS").contains("h100: quota 2, limit unlimited");
    output.reset();
    assertThat(queues("-f", pools, "-o", "json")).isZero();
    assertThat(new ObjectMapper().readTree(told()).findValues("pools").toString())
        .contains("[{\"name\":\"h100\",\"quota\":\"2\",\"limit\":\"unlimited\"}]");
  }

  @Test
  void workloadsSayWhatTheNextPlanDoesWithThemAndWhyTheyWait() {
    assertThat(workloads("-f", FILE, "--queue", "speech")).isZero();
    assertThat(told())
        .isEqualTo(
            """
            NAMESPACE   NAME       QUEUE    PHASE     PODS   GPUS   AGE   REASON
            default     speech-0   speech   Pending   0/1    1      0s    next plan: starts
            default     speech-1   speech   Pending   0/1    1      0s    next plan: starts
            default     speech-2   speech   Queued    0/1    1      0s    Waits: queue speech has 2 \
            of its limit of 2 GPUs in use and this group asks for 1; besides, queue research has 4 of \
            its limit of 4 GPUs in use and this group asks for 1. Helps: 1 GPU released in \
            speech, or a limit of 3 GPUs; and 1 GPU released in research, or a limit of 5 GPUs.
            """);
  }

  @Test
  void anUnknownQueueIsToldWithTheNearest() {
    assertThat(workloads("-f", FILE, "-q", "spech")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            "berth: there is no queue spech (did you mean speech?); there are research, speech,"
                + " vision\n");
  }

  @Test
  void theDefaultQueueNeedsNoObject() {
    assertThat(workloads("-f", FILE, "-q", "default")).as(wrong()).isZero();
  }

  @Test
  void namesAreThoseThatExplainTakes() {
    assertThat(workloads("-f", FILE, "-n", "default", "-q", "vision", "-o", "name")).isZero();
    assertThat(told().lines())
        .containsExactly("default/vision-0", "default/vision-1", "default/vision-2");
  }

  @Test
  void jsonAndYamlAreTheSame() throws IOException {
    assertThat(gpus("-f", FILE, "-o", "json")).isZero();
    JsonNode json = new ObjectMapper().readTree(told());
    output.reset();
    assertThat(gpus("-f", FILE, "-o", "yaml")).isZero();
    assertThat(new ObjectMapper(new YAMLFactory()).readTree(told())).isEqualTo(json);
    assertThat(json.at("/gpus/0/node").asText()).isEqualTo("worker-a");
    assertThat(json.at("/gpus/0/free").asInt()).isEqualTo(8);
  }

  @Test
  void aQueueMeansThoseBelowItToo() {
    assertThat(workloads("-f", FILE, "-q", "research", "-o", "name")).isZero();
    String all = told();
    output.reset();
    assertThat(workloads("-f", FILE, "-o", "name")).isZero();
    assertThat(all).isNotEmpty().isEqualTo(told());
  }

  @Test
  void nothingFoundIsNoError() {
    assertThat(workloads("-f", FILE, "-n", "nowhere")).isZero();
    assertThat(told()).isEmpty();
    assertThat(wrong())
        .isEqualTo(
            """
            berth: nothing that was read is of namespace nowhere; there are default
            No workloads found in namespace nowhere.
            """);
  }

  @Test
  void aFileAndAClusterAreTooMuch() {
    assertThat(queues("-f", FILE, "--context", "prod")).isEqualTo(2);
    assertThat(wrong()).contains("--filename reads a file, --kubeconfig and --context a cluster");
  }

  @Test
  void aRunningClusterIsReadPageByPageAndPlannedForByItsOwnConfiguration() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      assertThat(workloads("--kubeconfig", cluster.kubeconfig(), "-o", "json")).isZero();
    }
    var items = new ObjectMapper().readTree(told()).at("/workloads");
    assertThat(items).hasSize(2);
    assertThat(items.get(0).at("/name").asText()).isEqualTo("runs");
    assertThat(items.get(0).at("/phase").asText()).isEqualTo("Running");
    assertThat(items.get(0).at("/nodes/0").asText()).isEqualTo("worker");
    assertThat(items.get(1).at("/queue").asText()).as("the default of its Berth").isEqualTo("own");
    assertThat(items.get(1).at("/phase").asText()).isEqualTo("Pending");
    assertThat(wrong()).isEmpty();
  }

  /// The label stands on the Deployment alone.
  @Test
  void ownersOfPodsAreReadToo() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.ownPods();
      assertThat(workloads("--kubeconfig", cluster.kubeconfig(), "-o", "json")).isZero();
      var waits = new ObjectMapper().readTree(told()).at("/workloads/1");
      assertThat(waits.at("/queue").asText()).isEqualTo("serving");
      assertThat(waits.at("/reason").asText()).contains("there is no queue serving");
      assertThat(wrong()).isEmpty();
      output.reset();
      cluster.forbidden.add("/apis/apps/v1/namespaces/team/deployments/llm");
      assertThat(workloads("--kubeconfig", cluster.kubeconfig(), "-o", "json")).isZero();
      assertThat(new ObjectMapper().readTree(told()).at("/workloads/1/queue").asText())
          .isEqualTo("own");
      assertThat(wrong())
          .isEqualTo(
              "berth: owners of kind Deployment could not be read: what they say of their pods is"
                  + " left out\n");
    }
  }

  @Test
  void whatMayNotBeReadIsTold() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.forbidden.add("/apis/policy/v1/poddisruptionbudgets");
      cluster.answers.remove("/api/v1/namespaces/berth-system/configmaps/berth");
      assertThat(queues("--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(wrong().lines())
          .containsExactly(
              "berth: poddisruptionbudgets may not be listed by this user (kubectl auth can-i list"
                  + " poddisruptionbudgets -A): left out",
              "berth: Berth's configuration, ConfigMap berth in berth-system, could not be read"
                  + " (404): the defaults are taken; --config FILE gives another");
      output.reset();
      cluster.forbidden.add("/api/v1/pods");
      assertThat(queues("--kubeconfig", cluster.kubeconfig())).isEqualTo(2);
      assertThat(told()).isEmpty();
      assertThat(wrong())
          .isEqualTo(
              "berth: pods may not be listed by this user (kubectl auth can-i list pods -A)\n");
    }
  }
}
