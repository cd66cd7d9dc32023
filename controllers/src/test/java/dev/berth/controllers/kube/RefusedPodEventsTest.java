package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.RefusedPodClient.RefusedPod;
import dev.berth.engine.model.OwnerUid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Events by which controllers tell of pods that were not created.
final class RefusedPodEventsTest {
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/ml/events";

  @TempDir private Path folder;
  private final List<Map<String, Object>> items = new ArrayList<>();
  private FakeApiServer server;
  private KubeCluster cluster;
  private ApiRefusedPods pods;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    var quick = new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
    pods = new ApiRefusedPods(new Api(cluster, quick, () -> 0.5, Metrics.unseen()));
    server.answers(EVENTS, Map.of("items", items));
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void theLatestOfEachObjectIsReadWhereverItsMomentStands() throws ClientException {
    event("a", "old", Map.of("deprecatedLastTimestamp", "2026-01-01T00:00:01Z"));
    event("a", "new", Map.of("deprecatedLastTimestamp", "2026-01-01T00:00:03Z"));
    event("a", "older", Map.of("eventTime", "2026-01-01T00:00:02.000000Z"));
    event(
        "b",
        "again",
        Map.of(
            "eventTime",
            "2026-01-01T00:00:01.000000Z",
            "series",
            Map.of("lastObservedTime", "2026-01-01T00:00:09.000000Z")));
    assertThat(pods.in("ml"))
        .containsExactly(pod("a", "new", "00:00:03"), pod("b", "again", "00:00:09"));
    assertThat(server.requests())
        .extracting(request -> request.parameter("fieldSelector"))
        .containsExactly("reason=FailedCreate", "reason=FailedCreatePod");
  }

  /// Tenants may write events.
  @Test
  void whatIsMalformedIsNoFailure() throws ClientException {
    event("a", "when", Map.of("deprecatedLastTimestamp", "yesterday"));
    event("", "of nothing", Map.of("deprecatedLastTimestamp", "2026-01-01T00:00:01Z"));
    items.add(Map.of("regarding", "x", "note", 7));
    assertThat(pods.in("ml")).extracting(RefusedPod::last).containsExactly(Instant.EPOCH);
  }

  /// Roles of an older release lack the right.
  @Test
  void whereEventsMayNotBeReadNothingIsKnown() throws ClientException {
    event("a", "x", Map.of());
    server.always(EVENTS, 403);
    assertThat(pods.in("ml")).isEmpty();
  }

  private void event(String uid, String note, Map<String, Object> moments) {
    var event = new HashMap<String, Object>(moments);
    event.put("note", note);
    event.put(
        "regarding", Map.of("apiVersion", "batch/v1", "kind", "Job", "name", "job", "uid", uid));
    items.add(event);
  }

  private static RefusedPod pod(String uid, String message, String moment) {
    return new RefusedPod(
        "batch/v1",
        "Job",
        "job",
        new OwnerUid(uid),
        message,
        Instant.parse("2026-01-01T" + moment + "Z"));
  }
}
