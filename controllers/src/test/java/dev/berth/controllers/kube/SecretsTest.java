package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.SecretClient.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is kept of certificates, and which pods are restarted for them.
final class SecretsTest {
  private static final String PODS = "/api/v1/namespaces/berth-system/pods";
  private static final Instant SIGNED = Instant.parse("2026-01-01T12:00:00Z");

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private ApiSecrets secrets;
  private ApiSchedulers schedulers;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    server.acceptAnyUid();
    cluster = server.cluster(folder);
    var settings = new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
    var api = new Api(cluster, settings, () -> 0.5, Metrics.unseen());
    secrets = new ApiSecrets(api, "berth-system");
    schedulers = new ApiSchedulers(api, "berth-system");
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void aSecretIsCreatedReadAndWrittenOnlyWithItsVersion() throws ClientException {
    assertThat(secrets.read("berth-ca")).isEmpty();
    secrets.write("berth-ca", new Secret(new TreeMap<>(Map.of("tls.crt", "one\n")), ""));
    var created = secrets.read("berth-ca").orElseThrow();
    assertThat(created.data()).containsExactly(Map.entry("tls.crt", "one\n"));

    var changed = new TreeMap<>(Map.of("tls.crt", "two\n"));
    secrets.write("berth-ca", new Secret(changed, created.version()));

    assertThat(secrets.read("berth-ca").orElseThrow().data()).isEqualTo(changed);
    for (String known : List.of("", created.version())) {
      var lost =
          catchThrowableOfType(
              ClientException.class, () -> secrets.write("berth-ca", new Secret(changed, known)));
      assertThat(lost.kind()).as("known: " + known).isEqualTo(ClientException.Kind.CONFLICT);
    }
    var first = server.requests().get(1).body();
    assertThat(first).contains("kubernetes.io/tls", "app.kubernetes.io/part-of", "b25lCg==");
  }

  @Test
  void kubeSchedulersThatRunSinceBeforeAreDeletedAndNoOthers() throws ClientException {
    server.answers(
        PODS,
        Map.of(
            "items",
            List.of(
                pod("old", Map.of("running", Map.of("startedAt", "2026-01-01T11:59:59Z"))),
                pod("young", Map.of("running", Map.of("startedAt", "2026-01-01T12:00:00Z"))),
                pod("mounts", Map.of("waiting", Map.of("reason", "ContainerCreating"))),
                pod("unreadable", Map.of("running", Map.of("startedAt", "yesterday"))))));

    assertThat(schedulers.restart(SIGNED)).isEqualTo(1);

    var deleted =
        server.requests().stream().filter(each -> each.method().equals("DELETE")).toList();
    assertThat(deleted).hasSize(1);
    assertThat(deleted.getFirst().path()).isEqualTo(PODS + "/old");
    assertThat(deleted.getFirst().body()).contains("\"uid\":\"uid-old\"");
    assertThat(server.requests().getFirst().query())
        .isEqualTo("labelSelector=app.kubernetes.io%2Fname%3Dberth-scheduler");
  }

  private static Map<String, Object> pod(String name, Map<String, Object> state) {
    return Map.of(
        "metadata",
        Map.of("name", name, "uid", "uid-" + name),
        "status",
        Map.of("containerStatuses", List.of(Map.of("state", state))));
  }
}
