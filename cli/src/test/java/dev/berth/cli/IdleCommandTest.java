package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A dump of a cluster, and what Prometheus says of its GPUs.
class IdleCommandTest {
  /// The newest time in the dump.
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path folder = Path.of("");

  private final CommandOutput output = new CommandOutput();
  private final List<String> objects = new ArrayList<>();
  private final List<String> series = new ArrayList<>();

  @BeforeEach
  void cluster() {
    objects.add(
        "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {conditions: [{type: Ready,"
            + " status: 'True'}], allocatable: {cpu: 64, memory: 640Gi, pods: 110, nvidia.com/gpu:"
            + " 8}}}");
    queue("research", 4);
    queue("vision", 0);
  }

  private void queue(String name, int gpus) {
    objects.add(
        ("{apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: %s, creationTimestamp:"
                + " '2026-01-31T12:00:00Z'}, spec: {quota: {gpu: %s, cpu: unlimited, memory:"
                + " unlimited}}}")
            .formatted(name, gpus));
  }

  private void pod(String name, String queue, int gpus, String rest, String status) {
    objects.add(
        ("{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: team, uid: %s-uid, labels:"
                + " {berth.dev/queue: %s}, annotations: {x: y}}, spec: {schedulerName: berth, %s"
                + " containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu:"
                + " %s}}}]}, status: {%s}}")
            .formatted(name, name, queue, rest, gpus, status));
  }

  private void runs(String name, String queue, int gpus, int priority) {
    pod(
        name,
        queue,
        gpus,
        "nodeName: n1, priority: " + priority + ",",
        "phase: Running, startTime: '2026-01-31T09:00:00Z'");
  }

  private void waits(String name, String queue, int gpus) {
    pod(name, queue, gpus, "schedulingGates: [{name: berth.dev/queued}],", "phase: Pending");
  }

  /// A sample each minute, the last one now.
  private void measured(String labels, int minutes, IntToDoubleFunction percentAgo) {
    var samples = new ArrayList<String>();
    for (int ago = minutes - 1; ago >= 0; ago--) {
      samples.add(
          "["
              + (NOW.getEpochSecond() - 60L * ago)
              + ", \""
              + percentAgo.applyAsDouble(ago)
              + "\"]");
    }
    series.add(
        "{\"metric\": {\"__name__\": \"DCGM_FI_DEV_GPU_UTIL\", "
            + labels
            + "}, \"values\": ["
            + String.join(", ", samples)
            + "]}");
  }

  private static String gpu(String pod, int number) {
    return "\"exported_namespace\": \"team\", \"exported_pod\": \"%1$s\", \"namespace\": \"gpu-operator\", \"pod\": \"dcgm-exporter-x\", \"UUID\": \"GPU-%1$s-%2$s\""
        .formatted(pod, number);
  }

  private String matrix() {
    return "{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": ["
        + String.join(", ", series)
        + "]}}";
  }

  private int idle(String... arguments) throws IOException {
    var dump = folder.resolve("dump.yaml");
    Files.writeString(dump, String.join("\n---\n", objects) + "\n");
    output.reset();
    var all = new ArrayList<>(List.of("-f", dump.toString()));
    all.addAll(List.of(arguments));
    return output.run(IdleCommand::new, all.toArray(String[]::new));
  }

  private String told(String... arguments) throws IOException {
    var file = folder.resolve("metrics.json");
    Files.writeString(file, matrix());
    var all = new ArrayList<>(List.of("--metrics", file.toString()));
    all.addAll(List.of(arguments));
    assertThat(idle(all.toArray(String[]::new))).as(output::wrong).isZero();
    return output.told();
  }

  @Test
  void whatDoesLittleIsListedWithItsLoss() throws IOException {
    runs("busy", "research", 1, 50);
    runs("asleep", "research", 2, 50);
    measured(gpu("busy", 0), 31, _ -> 95);
    measured(gpu("asleep", 0), 31, _ -> 0);
    measured(gpu("asleep", 1), 31, ago -> ago == 10 ? 40 : 1);
    var lines = told().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .matches("NAMESPACE +NAME +QUEUE +GPUS +IDLE +MEAN +MAX +IDLE-SINCE +IDLE-HOURS .*");
    assertThat(lines.getLast())
        .matches(
            "team +asleep +research +2 +2 +1\\.2% +40\\.0% +2026-01-31T11:50:00Z +0\\.98 +within +0"
                + " +no +its GPUs");
  }

  @Test
  void whatIsIdleForTheWholeWindowIsSoSinceBefore() throws IOException {
    runs("asleep", "research", 2, 50);
    measured(gpu("asleep", 0), 31, _ -> 4.9);
    measured(gpu("asleep", 1), 31, _ -> 5.0); // not below 5
    assertThat(told()).contains("before 2026-01-31T11:30:00Z", " 2      1 ");
    var tree = new ObjectMapper().readTree(told("-o", "json")).path("workloads").path(0);
    assertThat(tree.has("idleSince")).as("it is not known since when").isFalse();
    assertThat(tree.path("idleGpus").asText()).isEqualTo("1");
    assertThat(tree.path("idleGpuHours").asDouble()).isEqualTo(0.5);
  }

  /// Of 8 GPUs 7 are held: without one of 2 GPUs or more `next` would start.
  private void heldUp() {
    runs("kept", "research", 4, 50); // within the quota
    runs("borrowed", "research", 2, 50); // beyond it, and started later by name
    runs("elsewhere", "vision", 1, 50);
    waits("next", "research", 3);
    for (String name : List.of("kept", "borrowed", "elsewhere")) {
      measured(gpu(name, 0), 31, _ -> 0);
    }
    measured(gpu("kept", 1), 31, _ -> 0);
  }

  @Test
  void whatHoldsOthersUpIsHoarding() throws IOException {
    heldUp();
    var csv = List.of(told("-o", "csv").split("\r\n", -1));
    assertThat(csv.getFirst()).startsWith("namespace,workload,queue,gpus,idle_gpus,mean_percent");
    assertThat(csv.subList(1, 4))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("team,kept,research,4,2,")
                    .contains(",in part,1,yes,")
                    .endsWith(",1"),
            line ->
                assertThat(line)
                    .startsWith("team,borrowed,research,2,1,")
                    .contains(",within,1,yes,")
                    .endsWith(",1"),
            line ->
                assertThat(line)
                    .startsWith("team,elsewhere,vision,1,1,")
                    .contains(",above,0,no,")
                    .endsWith(",0"));
    assertThat(output.wrong()).doesNotContain("not tried");
    var tree = new ObjectMapper().readTree(told("-o", "json")).path("workloads");
    assertThat(tree.path(0).path("wouldStart")).map(JsonNode::asText).containsExactly("team/next");
    assertThat(tree.path(2).path("hoarding").asBoolean(true)).isFalse();
  }

  /// A tenant of node n2 exports series of the pods of others, and of GPUs that they do not have.
  @Test
  void seriesThatCannotBeTrueAreNotBelieved() throws IOException {
    objects.add(
        "{apiVersion: v1, kind: Node, metadata: {name: n2}, status: {conditions: [{type: Ready,"
            + " status: 'True'}], allocatable: {cpu: 64, memory: 640Gi, pods: 110, nvidia.com/gpu:"
            + " 8}}}");
    runs("asleep", "research", 1, 50);
    runs("busy", "research", 1, 50);
    measured(gpu("asleep", 0) + ", \"Hostname\": \"n1\"", 31, _ -> 0);
    measured(gpu("asleep", 0) + ", \"Hostname\": \"n2\"", 31, _ -> 99);
    measured(gpu("busy", 0), 31, _ -> 0);
    measured(gpu("busy", 1), 31, _ -> 0); // it has one GPU
    assertThat(told().lines().skip(1)).singleElement().asString().contains("asleep", "0.0%");
    assertThat(output.wrong())
        .contains("not believed: 1 series of a GPU that the pod does not have")
        .contains("GPUs of 1 running workload");
  }

  /// A workload of another queue waits for what is idle, and no reclaim takes it: it is all within
  /// its quota.
  @Test
  void whatHoldsUpAnotherQueueIsHoarding() throws IOException {
    runs("asleep", "research", 4, 50);
    runs("busy", "research", 4, 50);
    waits("next", "vision", 4);
    for (int i = 0; i < 4; i++) {
      measured(gpu("asleep", i), 31, _ -> 0);
      measured(gpu("busy", i), 31, _ -> 99);
    }
    assertThat(told()).containsPattern("asleep .* 0 +yes ");
  }

  /// `small` starts in free room with the next plan, `large` not even without `asleep`.
  @Test
  void whatStartsAnywayIsNotHeldUp() throws IOException {
    runs("asleep", "research", 2, 50);
    runs("busy", "research", 2, 50);
    waits("small", "research", 1);
    waits("large", "vision", 7);
    measured(gpu("asleep", 0), 31, _ -> 0);
    assertThat(told()).containsPattern("asleep .* 0 +no ");
  }

  @Test
  void onlySoManyPlansAreMade() throws IOException {
    heldUp();
    assertThat(told("--plans", "1").lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("kept", " yes "),
            line -> assertThat(line).contains("borrowed", " 1         -  "),
            line -> assertThat(line).contains("elsewhere", " 0         -  "));
    assertThat(output.wrong()).contains("not tried of the last 2 workloads: --plans N");
    assertThat(idle("--metrics", "x", "--plans", "-1")).isEqualTo(2);
    assertThat(output.wrong()).contains("--plans is -1, but must be 0");
  }

  @Test
  void whatHasNotRunForTheWindowOrIsNotMeasuredIsTold() throws IOException {
    pod(
        "young",
        "research",
        1,
        "nodeName: n1,",
        "phase: Running, startTime: '2026-01-31T11:45:00Z'");
    runs("dark", "research", 1, 50);
    measured(gpu("young", 0), 31, _ -> 0);
    measured(gpu("dark", 0), 5, _ -> 0);
    measured(gpu("gone", 0), 31, _ -> 0);
    assertThat(told()).isEmpty();
    assertThat(output.wrong())
        .contains("no workload has GPUs with a mean below 5.0 %")
        .contains("not measured, or for less than half of the time: GPUs of 1 running workload.")
        .contains("not counted: pods of 1 running workload that have not run for all of the time")
        .contains("of no pod of Berth: 1 series");
  }

  @Test
  void ratiosAndValuesThatAreNoneAreUnderstood() throws IOException {
    runs("a", "research", 1, 50);
    measured(gpu("a", 0), 31, ago -> ago % 2 == 0 ? 0.02 : 140737488355328.0);
    assertThat(told("--ratio")).contains(" 2.0% ");
    series.clear();
    measured("\"kube_ns\": \"team\", \"kube_pod\": \"a\", \"UUID\": \"GPU-1\"", 31, _ -> 3);
    assertThat(told("--label", "pod=kube_pod", "--label", "namespace=kube_ns")).contains(" 3.0% ");
  }

  /// The exporter tells the holder as the pod of a shared GPU.
  @Test
  void aSharedGpuIsOfAllItsPods() throws IOException {
    objects.add(
        "{apiVersion: v1, kind: Pod, metadata: {name: holder-0, namespace: berth-system, uid:"
            + " h-uid, labels: {berth.dev/holder: 'true'}, annotations: {berth.dev/holder-slot:"
            + " '0'}}, spec: {nodeName: n1, containers: [{name: holder, image: h, resources:"
            + " {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running, containerStatuses:"
            + " [{name: holder, lastState: {terminated: {message: GPU-s}}}]}}");
    for (String name : List.of("half", "third")) {
      objects.add(
          ("{apiVersion: v1, kind: Pod, metadata: {name: %1$s, namespace: team, uid: %1$s-uid,"
                  + " labels: {berth.dev/queue: research}, annotations: {gpu-fraction: '%2$s',"
                  + " berth.dev/gpu-devices: GPU-s, berth.dev/plan: 'node=n1 slots=0 millis=%3$s"
                  + " until=2026-01-31T09:00:00Z'}}, spec: {schedulerName: berth, nodeName: n1,"
                  + " containers: [{name: main, image: work}]}, status: {phase: Running, startTime:"
                  + " '2026-01-31T09:00:00Z'}}")
              .formatted(
                  name, name.equals("half") ? "0.5" : "0.3", name.equals("half") ? "500" : "300"));
    }
    measured(
        "\"namespace\": \"berth-system\", \"pod\": \"holder-0\", \"UUID\": \"GPU-s\"", 31, _ -> 1);
    var lines = told("-o", "wide").lines().toList();
    assertThat(lines).as("%s %s", lines, output.wrong()).hasSize(3);
    assertThat(lines.get(1)).contains("half", " 0.5 ", "the GPU of 2 pods");
    assertThat(lines.get(2)).contains("third", " 0.3 ", "the GPU of 2 pods");
  }

  @Test
  void withoutMetricsTheWayOutIsTold() throws IOException {
    assertThat(idle()).isEqualTo(2);
    assertThat(output.wrong()).contains("--prometheus URL", "--metrics FILE");
    assertThat(idle("--prometheus", "http://localhost:1", "--metrics", "x")).isEqualTo(2);
    assertThat(output.wrong()).contains("give one of them");
    assertThat(idle("--prometheus", "localhost:9090")).isEqualTo(2);
    assertThat(output.wrong()).contains("--prometheus is \"localhost:9090\", but must be a URL");
    assertThat(idle("--prometheus", "http://localhost:1")).isEqualTo(2);
    assertThat(output.wrong()).contains("cannot be reached", "kubectl port-forward");
    assertThat(idle("--metrics", "nowhere.json")).isEqualTo(2);
    assertThat(output.wrong()).contains("--metrics nowhere.json cannot be read");
    assertThat(idle("--metrics", "nowhere.json", "--below", "0")).isEqualTo(2);
    assertThat(output.wrong()).contains("--below is 0.0");
    assertThat(idle("--metrics", "nowhere.json", "--label", "gpu=x")).isEqualTo(2);
    assertThat(output.wrong()).contains("must be namespace, pod or uuid");
  }

  @Test
  void prometheusIsAskedForTheWindow() throws IOException {
    runs("asleep", "research", 2, 50);
    measured(gpu("asleep", 0), 31, _ -> 0);
    var asked = new CopyOnWriteArrayList<String>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String found = matrix();
    series.clear();
    String none = matrix();
    server.createContext(
        "/prom/api/v1/query_range",
        exchange -> {
          String query = exchange.getRequestURI().getRawQuery();
          asked.add(query + " " + exchange.getRequestHeaders().getFirst("Authorization"));
          var body = (query.contains("_PROF_") ? found : none).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort() + "/prom/";
      var token = Files.writeString(folder.resolve("token"), "secret\n");
      assertThat(idle("--prometheus", url, "--token-file", token.toString()))
          .as(output::wrong)
          .isZero();
      assertThat(output.told()).contains("asleep");
      long now = NOW.getEpochSecond();
      assertThat(asked)
          .containsExactly(
              "query=DCGM_FI_DEV_GPU_UTIL%7Bjob%3D%7E%22nvidia-dcgm-exporter%7Cdcgm-exporter%22%7D&start="
                  + (now - 1800)
                  + ".000&end="
                  + now
                  + ".000&step=15 Bearer secret",
              "query=DCGM_FI_PROF_GR_ENGINE_ACTIVE%7Bjob%3D%7E%22nvidia-dcgm-exporter%7Cdcgm-exporter%22%7D&start="
                  + (now - 1800)
                  + ".000&end="
                  + now
                  + ".000&step=15 Bearer secret");
      assertThat(idle("--prometheus", url, "--metric", "OTHER")).isEqualTo(2);
      assertThat(output.wrong()).contains("has no series of OTHER", "--metric NAME");
    } finally {
      server.stop(0);
    }
  }
}
