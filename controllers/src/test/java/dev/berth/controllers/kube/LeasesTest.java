package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaseClient.Lease;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.kube.FakeApiServer.Fault;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeasesTest {
  private static final WriteSettings QUICK =
      new WriteSettings(8, 3, Duration.ofSeconds(2), Duration.ofMillis(5));
  private static final Instant THEN = Instant.parse("2026-01-01T00:00:00.5Z");
  private static final Lease FIRST =
      new Lease("berth-1", Duration.ofSeconds(15), THEN, THEN, 0, "");
  private static final PodKey POD = new PodKey("default", "a");
  private static final PodUid UID = new PodUid("uid-a");

  @TempDir private Path folder;
  private FakeApiServer server;
  private KubeCluster cluster;
  private Api api;
  private ApiLeases leases;
  private final AtomicInteger unanswered = new AtomicInteger();

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    server.acceptAnyUid();
    cluster = server.cluster(folder);
    api = new Api(cluster, QUICK, () -> 0.5, Metrics.unseen());
    leases = new ApiLeases(api, "berth-system", "berth");
    server.put(Kind.POD, "default", "a", "uid-a");
  }

  @AfterEach
  void end() {
    cluster.close();
    server.close();
  }

  @Test
  void aLeaseIsCreatedReadAndRenewed() throws ClientException {
    assertThat(leases.read()).isEmpty();
    var written = leases.write(FIRST);
    assertThat(leases.read()).contains(written);
    var renewed = leases.write(written.renewedAt(THEN.plusSeconds(2)));
    assertThat(leases.read()).contains(renewed);
    assertThat(server.requests().getLast().method()).isEqualTo("GET");
    assertThat(
            server.requests().stream()
                .filter(request -> request.method().equals("PATCH"))
                .toList()
                .getLast()
                .body())
        .contains(
            """
            "spec":{"holderIdentity":"berth-1","leaseDurationSeconds":15,\
            "acquireTime":"2026-01-01T00:00:00.500000Z","renewTime":"2026-01-01T00:00:02.500000Z",\
            "leaseTransitions":0}\
            """);
  }

  @Test
  void theSecondWriteMeetsAConflict() throws ClientException {
    var written = leases.write(FIRST);
    assertThat(kind(() -> leases.write(FIRST))).isEqualTo("CONFLICT");
    var _ = leases.write(written.renewedAt(THEN.plusSeconds(2)));
    assertThat(kind(() -> leases.write(written.renewedAt(THEN.plusSeconds(3)))))
        .isEqualTo("CONFLICT");
  }

  @Test
  void aLeaseIsTriedOnceSinceTheElectorMustKnowWhenItWasSent() {
    server.once("POST", "/leases", Fault.BROKEN);
    assertThat(kind(() -> leases.write(FIRST))).isEqualTo("UNREACHABLE");
    assertThat(server.count("POST", "/leases")).isEqualTo(1);
  }

  @Test
  void behindAClosedFenceNothingIsSent() {
    var pods = new ApiPods(api.behind(open(0)));
    assertThat(kind(() -> pods.lift(POD, UID, 0, "p"))).isEqualTo("NOT_NOW");
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void theServerIsToldHowLongAWriteMayTake() throws ClientException {
    new ApiPods(api.behind(open(9))).lift(POD, UID, 0, "p");
    assertThat(server.requests().getLast().parameter("timeout")).isEqualTo("9000ms");
    new ApiPods(api).lift(POD, UID, 0, "p");
    assertThat(server.requests().getLast().query()).as("without a fence").isEmpty();
  }

  @Test
  void aWriteTakesNoLongerThanTheLease() {
    server.countInFlight(Duration.ofSeconds(3));
    var pods =
        new ApiPods(
            api.behind(
                new Fence() {
                  @Override
                  public Optional<String> barred() {
                    return Optional.empty();
                  }

                  @Override
                  public Duration left() {
                    return Duration.ofMillis(100);
                  }

                  @Override
                  public void unanswered() {}
                }));
    long began = System.nanoTime();
    assertThat(kind(() -> pods.lift(POD, UID, 0, "p"))).isEqualTo("UNREACHABLE");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(1900));
  }

  /// The first attempt may have been done.
  @Test
  void aFenceThatClosesBetweenTwoAttemptsLeavesTheOutcomeOpen() {
    server.once("POST", "/binding", Fault.CUT_AFTER);
    server.always("/api/v1/namespaces/default/pods/a", 500);
    var pods = new ApiPods(api.behind(open(1)));
    assertThat(kind(() -> pods.bind(POD, UID, new NodeName("n1"), new TreeMap<>())))
        .isEqualTo("UNREACHABLE");
    assertThat(server.count("POST", "/binding")).isEqualTo(1);
  }

  @Test
  void anAttemptThatWasLostIsToldEvenWhereTheNextOneIsAnswered() throws ClientException {
    var pods = new ApiPods(api.behind(open(9)));
    server.once("PATCH", "/pods/a", Fault.CUT_AFTER);
    pods.lift(POD, UID, 0, "p");
    assertThat(server.count("PATCH", "/pods/a")).isEqualTo(2);
    assertThat(unanswered).as("after a connection that was cut").hasValue(1);
    server.once("PATCH", "/pods/a", Fault.BROKEN);
    pods.lift(POD, UID, 0, "p");
    assertThat(unanswered).as("after a 500: etcd may still do it").hasValue(2);
    server.once("PATCH", "/pods/a", Fault.OVERLOAD);
    pods.lift(POD, UID, 0, "p");
    assertThat(unanswered).as("after a 429, which was not done").hasValue(2);
  }

  @Test
  void aReadThatWasLostIsNoWriteThatMayStillBeDone() {
    server.always("/apis/coordination.k8s.io/v1/namespaces/berth-system/leases/berth", 500);
    var behind = new ApiLeases(api.behind(open(9)), "berth-system", "berth");
    assertThat(kind(behind::read)).isEqualTo("UNREACHABLE");
    assertThat(unanswered).hasValue(0);
  }

  /// Open for so many looks, nine seconds each.
  private Fence open(int looks) {
    var left = new AtomicInteger(looks);
    return new Fence() {
      @Override
      public Optional<String> barred() {
        return Optional.of("closed by the test");
      }

      @Override
      public Duration left() {
        return Duration.ofSeconds(left.getAndDecrement() > 0 ? 9 : 0);
      }

      @Override
      public void unanswered() {
        unanswered.incrementAndGet();
      }
    };
  }

  private static String kind(Api.Work work) {
    var failed = catchThrowableOfType(ClientException.class, work::run);
    return failed == null ? "success" : failed.kind().name();
  }
}
