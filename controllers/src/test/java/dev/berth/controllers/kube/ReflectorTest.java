package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReflectorTest {
  private static final WatchSettings QUICK =
      new WatchSettings(
          3,
          Duration.ofMillis(20),
          Duration.ofMillis(200),
          Duration.ofSeconds(2),
          Duration.ofSeconds(30),
          Duration.ofMillis(50),
          3);

  @TempDir private Path folder;

  private final CollectorRegistry registry = new CollectorRegistry();

  private Duration passing = Duration.ZERO; // from one look at the clock to the next
  private Duration passed = Duration.ZERO;
  private FakeApiServer server;
  private KubeCluster cluster;
  private Watches watches;
  private final Deliveries deliveries = new Deliveries();
  private final List<String> wentBack = new CopyOnWriteArrayList<>();
  private final AnsweredWrites answered = new AnsweredWrites();

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer();
    cluster = server.cluster(folder);
  }

  @AfterEach
  void end() {
    if (watches != null) {
      watches.close();
    }
    cluster.close();
    server.close();
  }

  @Test
  void listsInPagesAndThenWatchesFromThatVersion() {
    for (int i = 0; i < 7; i++) {
      server.put(Kind.POD, "default", "p" + i, "uid-" + i);
    }
    long listed = server.version();
    watch();
    deliveries.await("synced");
    assertThat(deliveries.lines())
        .containsExactly(
            "seen p0", "seen p1", "seen p2", "seen p3", "seen p4", "seen p5", "seen p6", "synced");

    awaitWatches(1);
    server.put(Kind.POD, "default", "later", "uid-later");
    deliveries.await("seen later");
    server.remove(Kind.POD, "default", "p3");
    deliveries.await("gone p3 uid-3");
    assertThat(
            registry.getSampleValue(
                "berth_watch_events_total", new String[] {"kind"}, new String[] {"pod"}))
        .as("seven of the list, one that came, one that went")
        .isEqualTo(9);

    assertThat(lists()).as("pages").hasSize(3);
    assertThat(lists().get(0).parameter("continue")).isEmpty();
    assertThat(lists().get(1).parameter("continue")).isNotEmpty();
    assertThat(watchRequests().getFirst().parameter("resourceVersion"))
        .isEqualTo(String.valueOf(listed));
    assertThat(watchRequests().getFirst().parameter("allowWatchBookmarks")).isEqualTo("true");
    assertThat(server.requests())
        .allSatisfy(r -> assertThat(r.headers()).containsEntry("Authorization", "Bearer secret"));
  }

  @Test
  void tellsHowFarItHasDeliveredAfterTheWholeListAndAfterEachEvent() {
    for (int i = 0; i < 4; i++) {
      server.put(Kind.POD, "default", "p" + i, "uid-" + i);
    }
    deliveries.tellsVersions = true;
    long listed = server.version();
    watch();
    deliveries.await("reached " + listed);
    assertThat(deliveries.lines())
        .containsExactly("seen p0", "seen p1", "seen p2", "seen p3", "synced", "reached " + listed);
    awaitWatches(1);
    server.put(Kind.POD, "default", "later", "uid-later");
    deliveries.await("reached " + server.version());
    assertThat(deliveries.lines()).endsWith("seen later", "reached " + server.version());
    server.bookmark();
    deliveries.await("reached " + server.version());
  }

  @Test
  void goesOnFromTheLastBookmarkWhenTheConnectionIsCut() {
    watch();
    awaitWatches(1);
    server.bookmark();
    long bookmarked = server.version();
    server.put(Kind.POD, "default", "a", "uid-a");
    deliveries.await("seen a");
    long seen = server.version();
    server.cutWatches();
    await("a second watch", () -> watchRequests().size() >= 2);
    assertThat(seen).isGreaterThan(bookmarked);
    assertThat(watchRequests().get(1).parameter("resourceVersion")).isEqualTo(String.valueOf(seen));

    awaitWatches(1);
    server.bookmark();
    long second = server.version();
    server.put(Kind.NODE, "", "not-a-pod", "uid-n"); // moves the version, not this watch
    server.cutWatches();
    await("a third watch", () -> watchRequests().size() >= 3);
    assertThat(Long.parseLong(watchRequests().get(2).parameter("resourceVersion")))
        .isGreaterThanOrEqualTo(second);
    assertThat(lists()).as("nothing is listed anew").hasSize(1);
    assertThat(watches.isFresh()).as("fresh over a cut").isTrue();
  }

  /// A load balancer with a short idle timeout cuts streams of kinds that seldom change.
  @Test
  void aQuietStreamThatLastedIsOpenedAgainAtOnceHoweverOftenItIsCut() {
    passing =
        Duration.ofSeconds(11); // with each look at the clock of a test that waits for nothing
    var settings =
        new WatchSettings(
            3,
            Duration.ofMillis(20),
            Duration.ofSeconds(60),
            Duration.ofSeconds(2),
            Duration.ofSeconds(30),
            Duration.ofMillis(50),
            1000);
    watch(Kind.POD, settings);
    long start = System.nanoTime();
    for (int cut = 1; cut <= 10; cut++) {
      awaitWatches(1);
      server.cutWatches();
      int watched = cut + 1;
      await(watched + " watches", () -> watchRequests().size() >= watched);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)) // 20 ms doubled ten times: 20 s
        .isLessThan(Duration.ofSeconds(8));
  }

  /// Its last event may be hours old: what counts is how long ago its stream ended.
  @Test
  void aQuietKindIsFreshForAsLongAsOthersWhenItsStreamIsCut() throws InterruptedException {
    var pause = Duration.ofSeconds(60); // it stays cut for the rest of the test
    var patience = Duration.ofSeconds(10);
    var silenceTimeout = Duration.ofSeconds(60);
    watch(Kind.POD, new WatchSettings(3, pause, pause, patience, silenceTimeout, pause, 3));
    awaitWatches(1);
    deliveries.tellsVersions = true;
    server.bookmark();
    deliveries.await("reached " + server.version());
    passed = Duration.ofSeconds(20);
    assertThat(watches.isFresh()).as("while it streams").isTrue();
    server.cutWatches();
    Thread.sleep(500); // it has noticed
    assertThat(watches.isFresh()).as("after the cut").isTrue();
    passed = Duration.ofSeconds(31);
    assertThat(watches.isFresh()).as("when it stays cut").isFalse();
  }

  @Test
  void anExpiredVersionListsAnewAndReportsWhatVanished() {
    server.put(Kind.POD, "default", "stays", "uid-stays");
    server.put(Kind.POD, "default", "goes", "uid-goes");
    server.put(Kind.POD, "default", "comes-back", "uid-before");
    watch();
    deliveries.await("synced");
    awaitWatches(1);
    deliveries.clear();

    server.removeUnseen(Kind.POD, "default", "goes");
    server.removeUnseen(Kind.POD, "default", "comes-back");
    server.cutWatchesAfter(() -> {
      server.put(Kind.POD, "default", "comes-back", "uid-after");
      server.forget();
    });
    deliveries.await("synced");

    assertThat(deliveries.lines())
        .containsExactly(
            "gone comes-back uid-before",
            "seen comes-back",
            "seen stays",
            "gone goes uid-goes",
            "synced");
  }

  /// A watch that was blind for what was written knows nothing else of it.
  @Test
  void aListThatDoesNotShowWhatWasAnsweredToOwnWritesIsOfAnEarlierState() throws ClientException {
    var key = new PodKey("default", "a");
    server.put(Kind.POD, "default", "a", "uid-a");
    evicted(key, new PodUid("uid-a"));
    watch();
    deliveries.await("synced");
    assertThat(wentBack)
        .containsExactly(
            "etcd went back to an earlier state: pods show a of version "
                + server.version()
                + ", which is past");
  }

  private void evicted(PodKey pod, PodUid uid) throws ClientException {
    answered.noting(_ -> ApiWriter.NOT_TOLD).write(new ApiWrite.Evict(pod, uid));
  }

  @Test
  void aListThatBeganBeforeAnAnswerTellsNothing() throws ClientException {
    var key = new PodKey("default", "a");
    server.put(Kind.POD, "default", "a", "uid-a");
    watch();
    deliveries.await("synced");
    evicted(key, new PodUid("uid-a"));
    evicted(key, new PodUid("uid-of-another"));
    server.put(Kind.POD, "default", "b", "uid-b");
    deliveries.await("seen b");
    assertThat(wentBack).isEmpty();
  }

  @Test
  void aServerThatWasRestoredToAnEarlierDayIsListedAnew() {
    server.put(Kind.POD, "default", "a", "uid-a");
    watch();
    deliveries.await("synced");
    awaitWatches(1);
    server.restore(5);
    server.cutWatches();
    deliveries.await("synced", 2);
    awaitWatches(1);
    assertThat(watchRequests().getLast().parameter("resourceVersion")).isEqualTo("5");
    assertThat(wentBack)
        .containsExactly(
            "etcd went back to an earlier state: pods were of version 101 and are of 5");
  }

  @Test
  void anErrorInTheStreamIsReadAsSuch() {
    watch();
    awaitWatches(1);
    server.sayToWatches(
        """
        {"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}}\
        """);
    deliveries.await("synced", 2);
  }

  @Test
  void aStreamThatEndsAtOnceIsReadAnewAfterAPause() throws InterruptedException {
    server.endEveryWatchAtOnce();
    watch();
    deliveries.await("synced");
    Thread.sleep(1000);
    assertThat(watchRequests().size()).as("watches in a second").isBetween(3, 20);
  }

  @Test
  void garbageInTheStreamIsSkippedByAskingAgain() {
    watch();
    awaitWatches(1);
    server.put(Kind.POD, "default", "a", "uid-a");
    deliveries.await("seen a");
    server.sayToWatches("<html>gateway</html>");
    await("another watch", () -> watchRequests().size() >= 2);
    server.put(Kind.POD, "default", "b", "uid-b");
    deliveries.await("seen b");
    assertThat(deliveries.lines()).containsExactly("synced", "seen a", "seen b");
  }

  @Test
  void aSilentStreamIsTakenForDead() {
    cluster.close();
    cluster = server.cluster(folder, Duration.ofMillis(300));
    watch();
    awaitWatches(1);
    await("a second watch though nobody ended the first", () -> watchRequests().size() >= 2);
    assertThat(lists()).hasSize(1);
  }

  @Test
  void aKindThatIsNotInstalledIsEmptyUntilItIs() {
    server.always(Kind.POD.path(), 404);
    watch();
    deliveries.await("synced");
    assertThat(watches.isFresh()).as("all watches are fresh").isTrue();
    server.never(Kind.POD.path());
    server.put(Kind.POD, "default", "a", "uid-a");
    deliveries.await("seen a");
  }

  /// It is requested every half a minute, and nothing waits for that.
  @Test
  void aKindThatIsNotInstalledIsFreshUntilItIsAskedForAgain() throws InterruptedException {
    server.always(Kind.RESOURCE_CLAIM.path(), 404);
    var seldom =
        new WatchSettings(
            3,
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            3);
    watch(Kind.RESOURCE_CLAIM, seldom);
    deliveries.await("synced");
    Thread.sleep(1000);
    assertThat(watches.isFresh()).as("all watches are fresh").isTrue();
    assertThat(watches.whatIsMissing()).isEmpty();
  }

  @Test
  void aKindThatWeDoWithoutMayBeRefused() {
    server.always(Kind.RESOURCE_CLAIM.path(), 403);
    watch(Kind.RESOURCE_CLAIM);
    deliveries.await("synced");
    assertThat(watches.isFresh()).as("all watches are fresh").isTrue();
    assertThat(deliveries.readable).containsExactly(false);
    server.never(Kind.RESOURCE_CLAIM.path());
    server.put(Kind.RESOURCE_CLAIM, "default", "a", "uid-a");
    deliveries.await("seen a");
    deliveries.await("synced", 2);
    assertThat(deliveries.readable).containsExactly(false, true);
  }

  /// As a kube-apiserver does that has just started.
  @Test
  void whatWasReadStandsThroughARefusalThatPasses() {
    server.put(Kind.RESOURCE_CLAIM, "default", "a", "uid-a");
    watch(Kind.RESOURCE_CLAIM);
    deliveries.await("seen a");
    int before = watchRequests().size();
    server.always(Kind.RESOURCE_CLAIM.path(), 403);
    server.cutWatches();
    await("asked again", () -> watchRequests().size() + lists().size() >= before + 3);
    server.never(Kind.RESOURCE_CLAIM.path());
    server.put(Kind.RESOURCE_CLAIM, "default", "b", "uid-b");
    deliveries.await("seen b");
    assertThat(deliveries.lines()).doesNotContain("gone a uid-a");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404})
  void zonesOfNodesAreReadOnceTheyAreServedToUs(int refusal) {
    server.always(Kind.NODE_RESOURCE_TOPOLOGY.path(), refusal);
    watch(Kind.NODE_RESOURCE_TOPOLOGY);
    deliveries.await("synced");
    assertThat(watches.isFresh()).as("all watches are fresh").isTrue();
    server.never(Kind.NODE_RESOURCE_TOPOLOGY.path());
    server.put(Kind.NODE_RESOURCE_TOPOLOGY, "", "n1", "uid-n1");
    deliveries.await("seen n1");
  }

  @Test
  void isNotFreshBeforeTheFirstListAndSaysWhatIsMissing() {
    server.always(Kind.POD.path(), 503);
    watch();
    await("some attempts", () -> lists().size() >= 2);
    assertThat(watches.isFresh()).as("all watches are fresh").isFalse();
    assertThat(watches.whatIsMissing()).isEqualTo("pods (not listed)");
    server.never(Kind.POD.path());
    deliveries.await("synced");
    await("fresh", watches::isFresh);
    assertThat(watches.whatIsMissing()).isEmpty();
  }

  @Test
  void isStaleWhenTheServerIsAwayForLong() {
    watch();
    awaitWatches(1);
    assertThat(watches.isFresh()).as("all watches are fresh").isTrue();
    server.close();
    await("stale", () -> !watches.isFresh());
    assertThat(watches.whatIsMissing()).isEqualTo("pods (stale)");
  }

  @Test
  void aListThatBreaksInTheMiddleBeginsAgain() {
    for (int i = 0; i < 5; i++) {
      server.put(Kind.POD, "default", "p" + i, "uid-" + i);
    }
    server.secondPage(410);
    watch();
    deliveries.await("synced");
    assertThat(deliveries.lines()).endsWith("seen p3", "seen p4", "synced");
    assertThat(deliveries.lines()).noneMatch(line -> line.startsWith("gone"));
  }

  /// Between two pages etcd may be compacted; the second is of a later version then. What changed
  /// on the first page meanwhile comes with the watch alone.
  @Test
  void whatChangesBetweenTwoPagesIsNotLost() {
    for (int i = 0; i < 5; i++) {
      server.put(Kind.POD, "default", "p" + i, "uid-" + i);
    }
    long listed = server.version();
    server.beforeSecondPage(() -> server.put(Kind.POD, "default", "p0", "uid-of-another"));
    watch();
    deliveries.await("gone p0 uid-0");
    awaitWatches(1);
    assertThat(watchRequests().getFirst().parameter("resourceVersion"))
        .isEqualTo(String.valueOf(listed));
    assertThat(lists()).hasSize(2);
  }

  @Test
  void anEventThatCanNeverBeReadIsPassedByAList() {
    server.put(Kind.POD, "default", "a", "uid-a");
    watch();
    deliveries.await("synced");
    awaitWatches(1);
    server.poison("<html>gateway</html>");
    server.cutWatches();
    await("some watches", () -> watchRequests().size() >= 3);
    server.put(Kind.POD, "default", "b", "uid-b");
    deliveries.await("seen b");
    assertThat(lists()).as("one at the beginning, one past the event").hasSize(2);
    assertThat(wentBack).isEmpty();
  }

  private void watch() {
    watch(Kind.POD);
  }

  private void watch(Kind kind) {
    watch(kind, QUICK);
  }

  private void watch(Kind kind, WatchSettings settings) {
    watches =
        new Watches(
            cluster,
            List.of(kind),
            deliveries,
            settings,
            new WatchClock(this::now, () -> 0.5),
            new WatchObserver(new Metrics(registry), answered, wentBack::add));
    watches.start();
  }

  private synchronized Instant now() {
    passed = passed.plus(passing);
    return Instant.now().plus(passed);
  }

  private List<FakeApiServer.Request> lists() {
    return server.requests().stream().filter(r -> !r.isWatch()).toList();
  }

  private List<FakeApiServer.Request> watchRequests() {
    return server.requests().stream().filter(FakeApiServer.Request::isWatch).toList();
  }

  private void awaitWatches(int open) {
    await(open + " open watches", () -> server.openWatches() == open);
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("waited in vain for " + what);
      }
      Thread.onSpinWait();
      java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
    }
  }
}
