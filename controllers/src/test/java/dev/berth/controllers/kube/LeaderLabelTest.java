package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaderLabelClient;
import dev.berth.controllers.client.Watcher.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeaderLabelTest {
  private static final WriteSettings QUICK =
      new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
  private static final String PODS = "/api/v1/namespaces/berth-system/pods";

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private Api api;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    server.acceptAnyUid();
    cluster = server.cluster(folder);
    api = new Api(cluster, QUICK, () -> 0.5, Metrics.unseen());
    server.put(Kind.POD, "berth-system", "berth-1", "uid-1");
    server.put(Kind.POD, "berth-system", "berth-2", "uid-2");
    server.answers(PODS, Map.of("items", List.of(named("berth-1"), named("berth-2"))));
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void theLeaderLabelsItsPodAndTakesTheLabelOffEveryOther() throws ClientException {
    label("berth-1", api).put();
    assertThat(labelOf("berth-1")).isEqualTo("true");
    label("berth-2", api).put();
    assertThat(labelOf("berth-2")).isEqualTo("true");
    assertThat(labelOf("berth-1")).isEmpty();
    assertThat(server.requests().getLast().path()).isEqualTo(PODS + "/berth-1");
    assertThat(server.requests().get(1).query()).isEqualTo("labelSelector=berth.dev%2Fleader");
  }

  @Test
  void aPodThatIsGoneNeedsNoLabelTakenOff() throws ClientException {
    server.answers(PODS, Map.of("items", List.of(named("gone"), named("berth-1"))));
    label("berth-1", api).put();
    label("berth-2", api).put();
    assertThat(labelOf("berth-1")).isEmpty();
  }

  @Test
  void withoutTheLeaseNoLabelIsPutButOnesOwnIsRemoved() throws ClientException {
    label("berth-1", api).put();
    var barred = label("berth-1", api.behind(closed()));
    assertThatThrownBy(barred::put).isInstanceOf(ClientException.class);
    barred.remove();
    assertThat(labelOf("berth-1")).isEmpty();
  }

  @Test
  void aMarkOnThePodTellsItsVersion() throws ClientException {
    var pod = Map.of("POD_NAME", "berth-1", "POD_NAMESPACE", "berth-system");
    var own = ApiOwnPod.from(pod, api).orElseThrow();
    String marked = own.mark("berth-1_x/4");
    assertThat(marked)
        .isEqualTo(String.valueOf(server.version(Kind.POD, "berth-system", "berth-1")));
    assertThat(
            JsonBodies.at(
                server.object(Kind.POD, "berth-system", "berth-1"),
                "metadata",
                "annotations",
                "berth.dev/term"))
        .isEqualTo("berth-1_x/4");
    assertThat(ApiOwnPod.from(Map.of(), api)).isEmpty();
    assertThatThrownBy(() -> ApiOwnPod.from(pod, api.behind(closed())).orElseThrow().mark("x"))
        .isInstanceOf(ClientException.class);
  }

  @Test
  void aProcessWithoutAPodHasNoLabel() {
    assertThat(ApiLeaderLabel.from(Map.of("HOSTNAME", "laptop"), api, api)).isEmpty();
    var pod = Map.of("POD_NAME", "berth-1", "POD_NAMESPACE", "berth-system");
    assertThat(ApiLeaderLabel.from(pod, api, api)).isPresent();
  }

  private LeaderLabelClient label(String pod, Api fenced) {
    return new ApiLeaderLabel(fenced, api, "berth-system", pod);
  }

  private String labelOf(String pod) {
    return JsonBodies.at(
        server.object(Kind.POD, "berth-system", pod), "metadata", "labels", "berth.dev/leader");
  }

  private static Map<String, Object> named(String pod) {
    return Map.of("metadata", Map.of("name", pod));
  }

  private static Fence closed() {
    return new Fence() {
      @Override
      public Optional<String> barred() {
        return Optional.of("berth-2 holds the lease");
      }

      @Override
      public Duration left() {
        return Duration.ZERO;
      }

      @Override
      public void unanswered() {}
    };
  }
}
