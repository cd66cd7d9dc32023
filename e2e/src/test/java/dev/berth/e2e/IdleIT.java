package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Idle rules of queues, with a double of Prometheus that says what GPUs do: workloads are told,
/// and evicted where the rule says so; those that work, work again or are not measured stay.
class IdleIT {
  private static final int PORTS = 29300;
  private static final Duration WARNING = Duration.ofSeconds(15);
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";

  /// What the GPU of a pod did at most, in percent.
  private static final Map<String, Integer> USED = new ConcurrentSkipListMap<>();

  private static final AtomicReference<String> asked = new AtomicReference<>("");
  private static HttpServer prometheus;

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() throws IOException {
    prometheus = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    prometheus.createContext(
        "/api/v1/query",
        exchange -> {
          var query = exchange.getRequestURI().getRawQuery();
          asked.set(URLDecoder.decode(query, StandardCharsets.UTF_8));
          var body = answer().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    prometheus.start();
    cluster =
        ControlPlane.configured(
            "idle: {prometheus: {url: 'http://127.0.0.1:%d', period: 1s}}\n"
                .formatted(prometheus.getAddress().getPort()),
            PORTS,
            "--nodes",
            "1",
            "--gpus",
            "8");
    api = cluster.admin();
    api.createOrFail(
        QUEUES,
        AdmissionRequests.queue(
            "team", "{'idle': {'after': '1m', 'warning': '15s', 'action': 'Evict'}}"));
    api.createOrFail(QUEUES, AdmissionRequests.queue("told", "{'idle': {'after': '1m'}}"));
  }

  @AfterAll
  static void down() {
    prometheus.stop(0);
  }

  private static String answer() {
    return USED.entrySet().stream()
        .map(each ->
            """
            {"metric": {"namespace": "default", "pod": "%s", "gpu": "0", "UUID": "GPU-%s",
             "job": "dcgm-exporter"}, "value": [%d, "%d"]}\
            """
                .formatted(
                    each.getKey(), each.getKey(), Instant.now().getEpochSecond(), each.getValue()))
        .collect(
            Collectors.joining(
                ",",
                "{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": [",
                "]}}"));
  }

  @Test
  void workloadsThatDoNothingAreToldAndEvicted() {
    runs("idler", "team", true);
    runs("single", "team", false);
    runs("worker", "team", true);
    runs("wakes", "team", true);
    runs("unmeasured", "team", true);
    runs("resting", "told", true);
    USED.putAll(Map.of("idler", 0, "single", 0, "worker", 80, "wakes", 0, "resting", 0));

    for (String name : new String[] {"idler", "wakes"}) {
      await(GROUPS + "/" + name, "Idle", "True", "GpusIdleNearEviction");
    }
    await(GROUPS + "/resting", "Idle", "True", "GpusIdle");
    await(PODS + "/single", "berth.dev/Idle", "True", "GpusIdleNearEviction");
    var told =
        Instant.parse(condition(GROUPS + "/idler", "Idle").path("lastTransitionTime").asText());
    assertThat(asked.get())
        .as("what Prometheus is asked")
        .contains(
            "max_over_time(DCGM_FI_DEV_GPU_UTIL{job=~\"nvidia-dcgm-exporter|dcgm-exporter\"}");
    USED.put("wakes", 50);
    await(GROUPS + "/wakes", "Idle", "False", "GpusNotIdle");

    for (String name : new String[] {"idler", "single"}) {
      ControlPlane.await(
          name + " is evicted",
          () -> api.list(PODS).stream().noneMatch(each -> Api.name(each).equals(name)),
          () -> api.list(PODS).toString());
    }
    assertThat(Instant.now()).as("not before the warning is over").isAfter(told.plus(WARNING));
    Api.pause(WARNING.plusSeconds(5));
    for (String name : new String[] {"worker", "wakes", "unmeasured", "resting"}) {
      var there = api.get(PODS + "/" + name);
      assertThat(there.path("status").path("phase").asText()).as(name).isEqualTo("Running");
      assertThat(there.path("metadata").has("deletionTimestamp")).as(name).isFalse();
    }
    for (String name : new String[] {"worker", "unmeasured"}) {
      assertThat(condition(GROUPS + "/" + name, "Idle").isMissingNode()).as(name).isTrue();
    }
    assertThat(api.list("/apis/events.k8s.io/v1/namespaces/default/events"))
        .as("an event on the pod, which says why")
        .anySatisfy(event -> {
          assertThat(event.path("reason").asText()).isEqualTo("GpusIdleNearEviction");
          assertThat(event.path("regarding").path("name").asText()).isEqualTo("idler");
          assertThat(event.path("regarding").path("kind").asText()).isEqualTo("Pod");
        });
  }

  /// Runs since two hours ago, as far as its status says.
  private static void runs(String name, String queue, boolean hasGroup) {
    var made = pod(name).labelled("berth.dev/queue", queue).gpus(1);
    if (hasGroup) {
      api.createOrFail(GROUPS, group(name, 1, "'queue': '" + queue + "'"));
      made = made.in(name);
    }
    api.createOrFail(PODS, made.toString());
    ControlPlane.await(
        name + " runs",
        () -> api.get(PODS + "/" + name).path("status").path("phase").asText().equals("Running"),
        () -> api.get(PODS + "/" + name).toString());
    var answer =
        api.patch(
            PODS + "/" + name + "/status",
            "{\"status\": {\"startTime\": \"%s\"}}".formatted(hoursAgo(2)));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
  }

  private static Instant hoursAgo(int hours) {
    return Instant.ofEpochSecond(Instant.now().getEpochSecond()).minus(Duration.ofHours(hours));
  }

  private static JsonNode condition(String path, String type) {
    return StreamSupport.stream(
            api.get(path).path("status").path("conditions").spliterator(), false)
        .filter(each -> each.path("type").asText().equals(type))
        .findFirst()
        .orElse(MissingNode.getInstance());
  }

  private static void await(String path, String type, String status, String reason) {
    ControlPlane.await(
        path + " says " + type + " " + status + " " + reason,
        () ->
            condition(path, type).path("status").asText().equals(status)
                && condition(path, type).path("reason").asText().equals(reason),
        () -> api.get(path) + "\n" + asked.get() + "\n" + answer());
  }
}
