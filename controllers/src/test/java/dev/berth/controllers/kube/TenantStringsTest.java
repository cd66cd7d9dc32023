package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient.Barred;
import dev.berth.controllers.client.OwnerClient.Missing;
import dev.berth.controllers.client.OwnerClient.Wanted;
import dev.berth.controllers.client.PodGroupClient.Owner;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.ShareClaim;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every string that a tenant may choose, and that comes into a URL: it adds no segment, no query
/// and no host, and what is no name is never sent. `-Dseed=` plays other strings.
final class TenantStringsTest {
  private static final long SEED = Long.getLong("seed", 42);
  private static final int RANDOM = 200;
  private static final List<String> WRITTEN =
      List.of(
          "?watch=true",
          "?watch=true&timeoutSeconds=0",
          "x?watch=true",
          "x#y",
          "../secrets/token",
          "../../../../../api/v1/secrets",
          "..",
          ".",
          "x/..",
          "x/status",
          "/",
          "//evil.example/x",
          "%2e%2e%2fsecrets",
          "x%2fstatus",
          "x%00",
          "x\u0000",
          "x\r\nHost: evil",
          "x\ny",
          "x y",
          " ",
          "x;y=z",
          "x&y",
          "@evil.example",
          "http://evil.example/",
          "X",
          "ünïcode",
          "\uD83D\uDE00",
          "\uD800",
          "-x",
          "x-",
          ".x",
          "x..y",
          "x".repeat(254),
          "x".repeat(262_144),
          "");

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private Api api;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    var once = new WriteSettings(8, 1, Duration.ofSeconds(2), Duration.ofMillis(5));
    api = new Api(cluster, once, () -> 0.5, Metrics.unseen());
    for (String version : List.of("/apis/ray.io/v1", "/api/v1")) {
      server.answers(
          version,
          Map.of(
              "resources",
              List.of(Map.of("name", "rayclusters", "kind", "RayCluster", "namespaced", true))));
    }
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  /// Written ones, and random ones of the characters that mean something somewhere.
  static List<String> strings() {
    var strings = new ArrayList<>(WRITTEN);
    var random = new Random(SEED);
    String meaningful = "?&=#%/\\:@;., \t\r\n\u0000\"'<>{}[]$`|~!*()+^ax0-_\u2028\u00e9";
    while (strings.size() < WRITTEN.size() + RANDOM) {
      var text = new StringBuilder();
      int length = 1 + random.nextInt(12);
      for (int i = 0; i < length; i++) {
        text.append(meaningful.charAt(random.nextInt(meaningful.length())));
      }
      if (!ApiPath.isName(text.toString())) {
        strings.add(text.toString());
      }
    }
    return strings;
  }

  private interface Sending {
    void send(String text) throws ClientException;
  }

  /// Where such a string stands when Berth writes.
  private List<Sending> writes() {
    var pods = new ApiPods(api);
    var groups = new ApiGroups(api);
    var holders = new ApiHolders(api, HolderPodSettings.DEFAULT);
    var templates = new ApiClaimTemplates(api, ClaimTemplateSettings.DEFAULT);
    var status = QueueStatus.read(Map.of());
    var uid = new PodUid("uid");
    var node = new NodeName("n");
    return List.of(
        text -> pods.lift(new PodKey("default", text), uid, 0, "p"),
        text -> pods.nominate(new PodKey("default", text), uid, node),
        text -> new ApiPodConditions(api).waits(new PodKey("default", text), uid, 1, "m"),
        text -> pods.bind(new PodKey("default", text), uid, node, new TreeMap<>()),
        text -> pods.evict(new PodKey("default", text), uid),
        text -> pods.stop(new PodKey("default", text), uid, Duration.ofSeconds(1)),
        text -> pods.evict(new PodKey(text, "a"), uid),
        text -> holders.create(new NodeName(text), 0, Resource.NVIDIA),
        text -> new ApiQueues(api).status(new QueueName(text), status, status),
        text -> groups.delete(new GroupKey("default", text), "uid"),
        text -> groups.create(new GroupKey(text, "g"), 1, QueueName.NONE, Owner.NONE),
        text -> templates.create(text, new ShareClaim(1000, 1)));
  }

  @Test
  void noStringOfTenantsIsSentAsAName() {
    for (Sending each : writes()) {
      for (String text : strings()) {
        assertThatThrownBy(() -> each.send(text))
            .as("%s", text)
            .isInstanceOfSatisfying(
                ClientException.class,
                failed -> assertThat(failed.kind()).isEqualTo(ClientException.Kind.REFUSED));
      }
    }
    assertThat(server.requests()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "namespace", "version", "group", "kind"})
  void noStringOfTenantsIsReadAsAnOwner(String where) throws ClientException {
    var owners = new ApiOwners(api, InstantSource.system());
    for (String text : strings()) {
      var wanted =
          switch (where) {
            case "name" -> new Wanted("ray.io/v1", "RayCluster", "default", text, "", true);
            case "namespace" -> new Wanted("ray.io/v1", "RayCluster", text, "x", "", true);
            case "version" -> new Wanted(text, "RayCluster", "default", "x", "", true);
            case "group" -> new Wanted(text + "/", "RayCluster", "default", "x", "", true);
            default -> new Wanted("ray.io/v1", text, "default", "x", "", true);
          };
      if (where.equals("namespace")) {
        assertThatThrownBy(() -> owners.read(wanted)).isInstanceOf(ClientException.class);
      } else {
        assertThat(owners.read(wanted))
            .as("%s", text)
            .isEqualTo(where.equals("name") ? new Missing() : new Barred());
      }
    }
    assertThat(server.requests())
        .as("discovery alone")
        .allSatisfy(request -> {
          assertThat(request.path()).matches("/apis?(/[a-z0-9.-]+){1,2}");
          assertThat(request.query()).isEmpty();
        });
  }

  @Test
  void everyNameThatKubernetesAdmitsIsSent() throws ClientException {
    for (String name : List.of("a", "0", "a.b-c.d0", "x".repeat(253))) {
      assertThat(ApiPath.in("ray.io/v1", "default", "rayclusters").named(name))
          .hasToString("/apis/ray.io/v1/namespaces/default/rayclusters/" + name);
    }
    assertThat(ApiPath.fixed("/x").with("a", "&b=c d").with("e", "#"))
        .hasToString("/x?a=%26b%3Dc+d&e=%23");
  }

  /// What is refused is told in one line, cut to what a person reads.
  @Test
  void aRefusalIsOneShortLine() {
    for (String text : strings()) {
      assertThatThrownBy(() -> ApiPath.in("v1", "default", "pods").named(text))
          .message()
          .hasSizeLessThan(200)
          .doesNotContain("\n", "\r", "\u0000");
    }
  }
}
