package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.OwnerClient.Barred;
import dev.berth.controllers.client.OwnerClient.Found;
import dev.berth.controllers.client.OwnerClient.Missing;
import dev.berth.controllers.client.OwnerClient.Present;
import dev.berth.controllers.client.OwnerClient.Unread;
import dev.berth.controllers.client.OwnerClient.Wanted;
import dev.berth.controllers.client.PodGroupClient.Owner;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.QueueName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Owners that are read by name, and the objects of their gangs.
final class OwnersTest {
  private static final String RAY = "/apis/ray.io/v1/namespaces/default/rayclusters/ray";
  private static final Wanted CLUSTER =
      new Wanted("ray.io/v1", "RayCluster", "default", "ray", "uid-ray", true);

  @TempDir private Path folder;
  private final HandCranked workers = new HandCranked();
  private FakeApiServer server;
  private KubeCluster cluster;
  private Api api;
  private ApiOwners owners;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
    var quick = new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
    api = new Api(cluster, quick, () -> 0.5, Metrics.unseen());
    owners = new ApiOwners(api, workers.time());
    server.answers(
        "/apis/ray.io/v1",
        Map.of(
            "resources",
            List.of(
                Map.of("name", "rayclusters/status", "kind", "RayCluster", "namespaced", true),
                Map.of("name", "rayclusters", "kind", "RayCluster", "namespaced", true))));
    server.answers(RAY, Map.of("metadata", Map.of("name", "ray", "uid", "uid-ray")));
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void anOwnerIsFoundByDiscoveryAndRemembered() throws ClientException {
    assertThat(owners.recall(CLUSTER)).isEqualTo(new Unread());
    assertThat(owners.read(CLUSTER)).isInstanceOf(Present.class);
    assertThat(owners.recall(CLUSTER)).isInstanceOf(Present.class);
    assertThat(owners.read(CLUSTER)).as("asked again").isInstanceOf(Present.class);
    assertThat(server.count("GET", "/rayclusters/ray")).isEqualTo(2);
    assertThat(server.count("GET", "/apis/ray.io/v1")).as("discoveries").isEqualTo(1);
    workers.turn(Duration.ofMinutes(11));
    assertThat(owners.recall(CLUSTER)).as("too long ago").isEqualTo(new Unread());
  }

  @Test
  void metadataAloneIsAskedForWhereItIsEnough() throws ClientException {
    owners.read(new Wanted("ray.io/v1", "RayCluster", "default", "ray", "uid-ray", false));
    assertThat(accepted()).startsWith("application/json;as=PartialObjectMetadata");
    owners.read(CLUSTER);
    assertThat(accepted()).isEqualTo("application/json");
  }

  private String accepted() {
    return server.requests().stream()
        .filter(request -> request.path().equals(RAY))
        .toList()
        .getLast()
        .headers()
        .getOrDefault("Accept", "");
  }

  @Test
  void whatMayNotBeReadIsBarredForAWhile() throws ClientException {
    server.always(RAY, 403);
    assertThat(owners.read(CLUSTER)).isEqualTo(new Barred());
    assertThat(owners.recall(CLUSTER)).isEqualTo(new Barred());
    workers.turn(Duration.ofMinutes(2));
    assertThat(owners.recall(CLUSTER)).as("perhaps we may by now").isEqualTo(new Unread());
  }

  /// As it does in its first second, before it has read the roles.
  @Test
  void aServerThatForbidsEverythingBarsNoOwner() throws ClientException {
    server.always(RAY, 403);
    server.always("/api/v1/namespaces", 403);
    assertThatThrownBy(() -> owners.read(CLUSTER))
        .isInstanceOfSatisfying(
            ClientException.class,
            failed -> assertThat(failed.kind()).isEqualTo(ClientException.Kind.NOT_NOW));
    assertThat(owners.recall(CLUSTER)).isEqualTo(new Unread());
    server.always("/apis/new.io/v1", 403);
    assertThatThrownBy(() -> read("new.io/v1", "Thing"))
        .as("nor a kind")
        .isInstanceOf(ClientException.class);
  }

  @Test
  void aKindThatIsNotServedIsBarred() throws ClientException {
    assertThat(read("ray.io/v1", "RayHat")).isEqualTo(new Barred());
    server.always("/apis/gone.io/v1", 404);
    assertThat(read("gone.io/v1", "Thing")).isEqualTo(new Barred());
  }

  /// Its operator was installed, or updated, after we had looked for another kind.
  @Test
  void aKindThatComesLaterIsFound() throws ClientException {
    assertThat(owners.read(CLUSTER)).isInstanceOf(Present.class);
    assertThat(read("ray.io/v1", "RayHat")).isEqualTo(new Barred());
    server.answers(
        "/apis/ray.io/v1",
        Map.of(
            "resources", List.of(Map.of("name", "rayhats", "kind", "RayHat", "namespaced", true))));
    server.answers(
        "/apis/ray.io/v1/namespaces/default/rayhats/x",
        Map.of("metadata", Map.of("name", "x", "uid", "uid")));
    assertThat(read("ray.io/v1", "RayHat")).as("asked just now").isEqualTo(new Barred());
    assertThat(server.count("GET", "/apis/ray.io/v1")).as("discoveries").isEqualTo(1);
    workers.turn(Duration.ofSeconds(11));
    assertThat(read("ray.io/v1", "RayHat")).isInstanceOf(Present.class);
  }

  @Test
  void anotherIncarnationIsMissingAndNotRemembered() throws ClientException {
    var other = new Wanted("ray.io/v1", "RayCluster", "default", "ray", "uid-other", true);
    assertThat(owners.read(other)).isEqualTo(new Missing());
    assertThat(owners.recall(other)).isEqualTo(new Unread());
  }

  @Test
  void aGroupWithoutVersionIsFoundInThatWhichIsServed() throws ClientException {
    server.answers(
        "/apis/ray.io", Map.of("versions", List.of(Map.of("groupVersion", "ray.io/v1"))));
    var found = owners.read(new Wanted("ray.io/", "RayCluster", "default", "ray", "", true));
    assertThat(found).isInstanceOf(Present.class);
    assertThat(((Present) found).apiVersion()).isEqualTo("ray.io/v1");
  }

  /// An answer that never ends holds a thread for as long as a call may take, and no longer.
  @Test
  void everyReadHasADeadline() {
    server.drips(RAY);
    long start = System.nanoTime();
    assertThatThrownBy(() -> owners.read(CLUSTER))
        .isInstanceOfSatisfying(
            ClientException.class,
            failed -> assertThat(failed.kind()).isEqualTo(ClientException.Kind.UNREACHABLE));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
  }

  @Test
  void whatIsTooLargeMayNotBeRead() throws ClientException {
    server.answers(RAY, Map.of("metadata", Map.of("uid", "uid-ray"), "spec", "x".repeat(5 << 20)));
    assertThat(owners.read(CLUSTER)).isEqualTo(new Barred());
  }

  /// An aggregated API that is down: each pod that names a kind of it would ask again.
  @Test
  void aDiscoveryThatFailsIsNotTriedAgainForAWhile() throws ClientException {
    server.always("/apis/down.io/v1", 503);
    assertThatThrownBy(() -> read("down.io/v1", "Thing")).isInstanceOf(ClientException.class);
    long asked = server.count("GET", "/apis/down.io/v1");
    assertThatThrownBy(() -> read("down.io/v1", "Other"))
        .isInstanceOfSatisfying(
            ClientException.class,
            failed -> assertThat(failed.kind()).isEqualTo(ClientException.Kind.UNREACHABLE));
    assertThat(server.count("GET", "/apis/down.io/v1")).isEqualTo(asked);
    workers.turn(Duration.ofSeconds(5));
    assertThatThrownBy(() -> read("down.io/v1", "Thing")).isInstanceOf(ClientException.class);
    assertThat(server.count("GET", "/apis/down.io/v1")).isGreaterThan(asked);
    assertThat(owners.read(CLUSTER)).as("others").isInstanceOf(Present.class);
  }

  @Test
  void whatRulesNeverReadIsNotKept() throws ClientException {
    var template =
        Map.of(
            "metadata",
            Map.of("annotations", Map.of("a", "b")),
            "spec",
            Map.of(
                "priority", 1, "containers", List.of("x".repeat(3 << 20)), "volumes", List.of()));
    server.answers(
        RAY,
        Map.of(
            "metadata",
            Map.of("uid", "uid-ray", "managedFields", List.of(Map.of())),
            "spec",
            Map.of("headGroupSpec", Map.of("template", template))));
    assertThat(((Present) owners.read(CLUSTER)).object())
        .isEqualTo(
            Map.of(
                "metadata",
                Map.of("uid", "uid-ray"),
                "spec",
                Map.of(
                    "headGroupSpec",
                    Map.of(
                        "template",
                        Map.of(
                            "metadata",
                            Map.of("annotations", Map.of("a", "b")),
                            "spec",
                            Map.of("priority", 1))))));
  }

  /// Its JSON is short: it is its tree that takes memory.
  @Test
  void ofWhatTakesTooMuchMemoryTheHeadAloneIsKept() throws ClientException {
    server.answers(
        RAY,
        Map.of(
            "metadata",
            Map.of("name", "ray", "uid", "uid-ray", "labels", Map.of("a", "b")),
            "spec",
            java.util.Collections.nCopies(21_000, 1)));
    assertThat(((Present) owners.read(CLUSTER)).object())
        .isEqualTo(
            Map.of(
                "metadata",
                Map.of("name", "ray", "uid", "uid-ray"),
                OwnerClient.TOO_LARGE,
                21_000 * 100L + 887));
  }

  @Test
  void whatIsRememberedIsBoundedByItsBytes() throws ClientException {
    int size = 1 << 20;
    for (int i = 0; i < 100; i++) {
      String name = "ray-" + i;
      server.answers(
          "/apis/ray.io/v1/namespaces/default/rayclusters/" + name,
          Map.of("metadata", Map.of("name", name), "spec", "x".repeat(size)));
      owners.read(named(name));
    }
    long known =
        java.util.stream.IntStream.range(0, 100)
            .filter(i -> owners.recall(named("ray-" + i)) instanceof Present)
            .count();
    assertThat(known * size).isBetween(1L, 64L << 20);
    assertThat(owners.recall(named("ray-99"))).as("the last").isInstanceOf(Present.class);
  }

  private static Wanted named(String name) {
    return new Wanted("ray.io/v1", "RayCluster", "default", name, "", true);
  }

  private Found read(String version, String kind) throws ClientException {
    return owners.read(new Wanted(version, kind, "default", "x", "uid", true));
  }

  @Test
  void aGroupIsMadeOnceThenOnlyReshaped() throws ClientException {
    var groups = new ApiGroups(api);
    server.acceptAnyUid();
    groups.keep(spec(2, List.of()), new QueueName("research"), Owner.NONE, Edits.NONE);
    var roles = List.of(new SubGroup("head", "", 1, 0, TopologyAsk.NONE));
    groups.keep(spec(0, roles), new QueueName("other"), Owner.NONE, Edits.NONE);
    assertThat(server.objectAt("/apis/berth.dev/v1alpha1/podgroups", "default", "ray").get("spec"))
        .as("the queue stays, what must start together is new")
        .isEqualTo(
            Map.of(
                "queue", "research", "subGroups", List.of(Map.of("name", "head", "minMember", 1))));
    var edits = new Edits(Map.of("priorityClassName", "high"), List.of("queue"));
    groups.keep(spec(3, List.of()), new QueueName("other"), Owner.NONE, edits);
    assertThat(server.objectAt("/apis/berth.dev/v1alpha1/podgroups", "default", "ray").get("spec"))
        .as("what is to follow its workload")
        .isEqualTo(Map.of("minMember", 3, "priorityClassName", "high"));
  }

  private static GroupSpec spec(int minMember, List<SubGroup> roles) {
    var none = Membership.UNTOLD.said();
    return new GroupSpec(
        new GroupKey("default", "ray"),
        "",
        0,
        none.created(),
        QueueName.NONE,
        minMember,
        0,
        roles,
        TopologyAsk.NONE,
        "",
        none.preemptibility(),
        none.patience(),
        none.staleSince(),
        List.of());
  }
}
