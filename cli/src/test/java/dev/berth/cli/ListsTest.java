package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth queues`, `berth workloads` and `berth gpus`, as users and programs read them.
final class ListsTest {
  private static final String FILE = "../examples/scenarios/queue-limit.yaml";
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private final CommandOutput output = new CommandOutput();
  private final List<HttpServer> servers = new ArrayList<>();

  /// Path without query → body of the answer; what is not there is not found.
  private final Map<String, String> answers = new LinkedHashMap<>();

  private final List<String> forbidden = new ArrayList<>();

  @TempDir private Path folder = Path.of("");

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

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
  void workloadsSayWhatTheNextPlanDoesWithThemAndWhyTheyWait() {
    assertThat(workloads("-f", FILE, "--queue", "speech")).isZero();
    assertThat(told())
        .isEqualTo(
            """
            NAMESPACE   NAME       QUEUE    PHASE      PODS   GPUS   AGE   REASON
            default     speech-0   speech   Starting   0/1    1      0s    next plan: starts
            default     speech-1   speech   Starting   0/1    1      0s    next plan: starts
            default     speech-2   speech   Waiting    0/1    1      0s    Waits: queue speech has 2 \
            of its limit of 2 GPUs in use and this group asks for 1; besides, queue research has 4 of \
            its limit of 4 GPUs in use and this group asks for 1. Helps: 1 GPU released in \
            speech, or a limit of 3 GPUs; and 1 GPU released in research, or a limit of 5 GPUs.
            """);
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
  void nothingFoundIsNoError() {
    assertThat(workloads("-f", FILE, "-n", "nowhere")).isZero();
    assertThat(told()).isEmpty();
    assertThat(wrong()).isEqualTo("No workloads found.\n");
  }

  @Test
  void aFileAndAClusterAreTooMuch() {
    assertThat(queues("-f", FILE, "--context", "prod")).isEqualTo(2);
    assertThat(wrong()).contains("--filename reads a file, --kubeconfig and --context a cluster");
  }

  /// Nodes, pods, queues and PodGroups are there, all else is not served.
  @Test
  void aRunningClusterIsReadPageByPageAndPlannedForByItsOwnConfiguration() throws IOException {
    cluster();
    assertThat(workloads("--kubeconfig", kubeconfig(), "-o", "json")).isZero();
    var items = new ObjectMapper().readTree(told()).at("/workloads");
    assertThat(items).hasSize(2);
    assertThat(items.get(0).at("/name").asText()).isEqualTo("runs");
    assertThat(items.get(0).at("/phase").asText()).isEqualTo("Running");
    assertThat(items.get(0).at("/nodes/0").asText()).isEqualTo("worker");
    assertThat(items.get(1).at("/queue").asText()).as("the default of its Berth").isEqualTo("own");
    assertThat(items.get(1).at("/phase").asText()).isEqualTo("Starting");
    assertThat(wrong()).isEmpty();
  }

  @Test
  void whatMayNotBeReadIsTold() throws IOException {
    cluster();
    forbidden.add("/apis/policy/v1/poddisruptionbudgets");
    answers.remove("/api/v1/namespaces/berth-system/configmaps/berth");
    assertThat(queues("--kubeconfig", kubeconfig())).isZero();
    assertThat(wrong().lines())
        .containsExactly(
            "berth: poddisruptionbudgets may not be listed by this user (kubectl auth can-i list"
                + " poddisruptionbudgets -A): left out",
            "berth: Berth's configuration, ConfigMap berth in berth-system, could not be read"
                + " (404): the defaults are taken; --config FILE gives another");
    output.reset();
    forbidden.add("/api/v1/pods");
    assertThat(queues("--kubeconfig", kubeconfig())).isEqualTo(2);
    assertThat(told()).isEmpty();
    assertThat(wrong())
        .isEqualTo(
            "berth: pods may not be listed by this user (kubectl auth can-i list pods -A)\n");
  }

  private void cluster() {
    answers.put(
        "/api/v1/nodes",
        list(
            """
            {"metadata": {"name": "worker", "creationTimestamp": null},
             "status": {"allocatable": {"cpu": "16", "memory": "64Gi", "pods": "110",
              "nvidia.com/gpu": "4"}, "conditions": [{"type": "Ready", "status": "True"}]}}
            """));
    answers.put("/api/v1/pods", list(pod("runs", "\"nodeName\": \"worker\",")));
    answers.put("/api/v1/pods/2", list(pod("waits", "")));
    answers.put("/apis/berth.dev/v1alpha1/queues", list("{\"metadata\": {\"name\": \"own\"}}"));
    answers.put("/apis/berth.dev/v1alpha1/podgroups", list(""));
    answers.put(
        "/api/v1/namespaces/berth-system/configmaps/berth",
        "{\"data\": {\"berth.yaml\": \"defaultQueue: own\"}}");
  }

  private static String pod(String name, String spec) {
    return """
    {"metadata": {"name": "%s", "namespace": "team", "uid": "%s-uid"},
     "spec": {%s "schedulerName": "berth", "containers": [{"name": "main",
      "resources": {"limits": {"nvidia.com/gpu": 1}}}]},
     "status": {"phase": "%s"}}
    """
        .formatted(name, name, spec, spec.isEmpty() ? "Pending" : "Running");
  }

  private static String list(String item) {
    return "{\"metadata\": {}, \"items\": [" + item + "]}";
  }

  private String kubeconfig() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    servers.add(server);
    var file = folder.resolve("kubeconfig-" + servers.size());
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: here
        contexts: [{name: here, context: {cluster: here, user: me}}]
        clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: me, user: {token: secret}}]
        """
            .formatted(server.getAddress().getPort()));
    return file.toString();
  }

  /// The list of pods has two pages.
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    String body = answers.getOrDefault(query.contains("continue=second") ? path + "/2" : path, "");
    if (path.equals("/api/v1/pods") && !query.contains("continue")) {
      body =
          body.replace(
              "\"metadata\": {}, \"items\"", "\"metadata\": {\"continue\": \"second\"}, \"items\"");
    }
    int code = body.isEmpty() ? NOT_FOUND : 200;
    if (forbidden.contains(path)) {
      code = FORBIDDEN;
      body = "{}";
    }
    byte[] bytes = (body.isEmpty() ? "{}" : body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
