package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.LeaderLabelClient;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.OwnPodClient;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.lease.LeaderLabelKeeper;
import dev.berth.controllers.lease.LeaseSettings;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.wire.BindQuestion;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldLeases;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeadershipLifecycleTest {
  private static final LeaseSettings SETTINGS =
      new LeaseSettings(
          true,
          "berth-system",
          "berth",
          Duration.ofSeconds(3),
          Duration.ofSeconds(2),
          Duration.ofMillis(500));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Workers workers = new TimeWorkers(time, new Chance(1, "workers"));
  private final Metrics metrics = new Metrics();
  private final World world = new World(time, WorldSettings.of(1));
  private final List<String> labels = new ArrayList<>();

  private LeadershipLifecycle leadership(LeaseClient leases) {
    return LeadershipLifecycle.by(
        leases, "this", SETTINGS, time::instant, workers, workers, metrics.controllers());
  }

  @Test
  void replicaThatStopsBeforeItWasReadyDoesNotWaitForThat() throws ConfigException {
    var leadership = LeadershipLifecycle.alone(workers, metrics.controllers());
    leadership.stand(unready(), () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(1));
    leadership.leave(() -> {});
    time.runFor(Duration.ofSeconds(10));
    long before = time.happened();
    time.runFor(Duration.ofMinutes(1));
    assertThat(time.happened()).as("looks after it has left").isEqualTo(before);
  }

  @Test
  void aStandbyIsAvailableOnceItHasReadTheLeader() throws Exception {
    var leases = new WorldLeases(world);
    leases.write(
        new LeaseClient.Lease("other", SETTINGS.duration(), time.instant(), time.instant(), 0, ""));
    var leadership = leadership(leases);
    assertThat(leadership.unavailable()).contains("the lease is not read yet");
    leadership.stand(unready(), () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(1));
    assertThat(leadership.unavailable()).isEmpty();
    assertThat(leadership.barred()).contains("other holds the lease, this one stands by");
    leadership.leave(() -> {});
    assertThat(leadership.unavailable()).contains("this one stops");
  }

  @Test
  void aLeaderHasNoLabelAndIsNotAvailableBeforeItAnswers() throws Exception {
    var leadership =
        leadership(new WorldLeases(world))
            .labelling(Optional.of(new LeaderLabelKeeper(new Recorded(), workers)));
    var product = product(leadership);
    leadership.stand(product, () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(5));
    assertThat(leadership.barred()).as("it leads").isEmpty();
    assertThat(leadership.unavailable().orElseThrow()).startsWith("not yet delivered: ");
    assertThat(labels).containsExactly("remove");

    world.watch(EnumSet.allOf(Watcher.Kind.class), product.watcher());
    product.start(Freshness.always());
    time.runFor(Duration.ofSeconds(1));
    assertThat(leadership.unavailable()).isEmpty();
    assertThat(labels).containsExactly("remove", "put");
    leadership.leave(() -> {});
    time.runFor(Duration.ofSeconds(30));
    assertThat(labels).containsExactly("remove", "put", "remove");
  }

  @Test
  void aProcessEndsWhenAPodThatWasBoundHasNoNodeAnyMore() throws Exception {
    var ref = ObjectRef.pod(new PodKey("default", "a"));
    world.create(
        Kind.POD,
        Map.of(
            "metadata",
            Map.of("name", "a", "namespace", "default"),
            "spec",
            Map.of("schedulerName", "berth", "containers", List.of(Map.of("name", "main")))));
    world.patch(ref, Map.of("spec", Map.of("schedulingGates", List.of())));
    var uid = ObjectTree.text(world.find(ref).orElseThrow(), "metadata", "uid");
    var before = world.state();
    world.bind(ref, uid, "n1", Map.of());
    var leadership = LeadershipLifecycle.alone(workers, metrics.controllers());
    var product = product(leadership);
    var ends = new ArrayList<String>();
    leadership.stand(product, () -> {}, ends::add);
    world.watch(EnumSet.allOf(Watcher.Kind.class), product.watcher());
    product.start(Freshness.always());
    time.runFor(Duration.ofSeconds(5));
    world.unwatch(product.watcher());
    bind(product, uid);
    assertThat(ends).as("it is bound").isEmpty();
    world.restore(before);
    bind(product, uid);
    assertThat(ends)
        .containsExactly(
            "etcd went back to an earlier state: pod default/a was bound to n1, and has no node"
                + " now");
  }

  private void bind(Wiring product, String uid) {
    var question =
        new BindQuestion(new PodKey("default", "a"), new PodUid(uid), new NodeName("n1"));
    var _ = product.verbs().bind().answer(question);
    time.runFor(Duration.ofSeconds(1));
  }

  @Test
  void aWarmStandbyBeginsWhenItsWatchHasShownWhatItWroteOnItsPod() throws Exception {
    var kept = new WarmStandby(new Deaf());
    var begun = new ArrayList<String>();
    var marks = new ArrayList<String>();
    var leadership = warm(kept, marks, begun);
    kept.reached(Kind.POD, "100");
    time.runFor(Duration.ofSeconds(2));
    assertThat(leadership.barred()).as("it leads").isEmpty();
    assertThat(marks).as("tried until it is written").containsExactly("fails", "this/0", "this/0");
    assertThat(begun).isEmpty();

    kept.reached(Kind.POD, "106");
    time.runFor(Duration.ofSeconds(1));
    assertThat(begun).as("pods are not listed").isEmpty();
    kept.synced(Kind.POD);
    time.runFor(Duration.ofSeconds(1));
    assertThat(begun).as("the mark is of version 107").isEmpty();
    kept.reached(Kind.POD, "107");
    time.runFor(Duration.ofSeconds(1));
    assertThat(begun).containsExactly("begun");
  }

  @Test
  void aWarmStandbyIsNotAvailableBeforeItsKindsAreListed() throws Exception {
    var leases = new WorldLeases(world);
    leases.write(
        new LeaseClient.Lease("other", SETTINGS.duration(), time.instant(), time.instant(), 0, ""));
    var kept = new WarmStandby(new Deaf());
    var leadership =
        leadership(leases)
            .warmedBy(new LeadershipLifecycle.Warm("this", _ -> "1", kept, List.of(Kind.POD)));
    leadership.stand(unready(), () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(1));
    assertThat(leadership.unavailable()).contains("not yet delivered: pods");
    kept.synced(Kind.POD);
    assertThat(leadership.unavailable()).isEmpty();
  }

  @Test
  void aStandbyWhoseWatchIsAheadOfEtcdEnds() throws Exception {
    var kept = new WarmStandby(new Deaf());
    kept.synced(Kind.POD);
    kept.reached(Kind.POD, "500");
    var begun = new ArrayList<String>();
    warm(kept, new ArrayList<>(), begun);
    time.runFor(Duration.ofSeconds(2));
    assertThat(begun)
        .containsExactly(
            "etcd went back to an earlier state: pods were of version 500 and are of 107");
  }

  /// The first mark fails, the second is written and its reply is lost.
  private LeadershipLifecycle warm(WarmStandby kept, List<String> marks, List<String> begun)
      throws Exception {
    OwnPodClient pod =
        word -> {
          marks.add(marks.isEmpty() ? "fails" : word);
          if (marks.size() < 3) {
            throw new ClientException(ClientException.Kind.UNREACHABLE, "as the test wants");
          }
          return "107";
        };
    var leadership =
        leadership(new WorldLeases(world))
            .warmedBy(new LeadershipLifecycle.Warm("this", pod, kept, List.of(Kind.POD)));
    leadership.stand(unready(), () -> begun.add("begun"), begun::add);
    return leadership;
  }

  private static final class Deaf implements Watcher {
    @Override
    public void seen(Kind kind, Map<String, ?> object) {}

    @Override
    public void gone(Kind kind, Map<String, ?> object) {}

    @Override
    public void synced(Kind kind) {}
  }

  private final class Recorded implements LeaderLabelClient {
    @Override
    public void put() {
      labels.add("put");
    }

    @Override
    public void remove() {
      labels.add("remove");
    }
  }

  /// No watch ever delivers.
  private Wiring unready() throws ConfigException {
    return product(Fence.OPEN);
  }

  private Wiring product(Fence fence) throws ConfigException {
    var clients =
        new Wiring.ApiClients(WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED);
    return Wiring.of(Config.read(Map.of()), clients, workers, metrics.counters(), fence);
  }
}
