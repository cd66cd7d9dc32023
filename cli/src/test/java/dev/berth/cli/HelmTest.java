package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.door.Fence;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.LeaderLabel;
import dev.berth.controllers.door.Leases;
import dev.berth.controllers.door.Owners;
import dev.berth.controllers.door.Watcher;
import dev.berth.controllers.lease.LeaderLabelKeeper;
import dev.berth.controllers.lease.LeaseSettings;
import dev.berth.controllers.loop.Workers;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldGroups;
import dev.berth.simulator.world.WorldHolders;
import dev.berth.simulator.world.WorldLeases;
import dev.berth.simulator.world.WorldPods;
import dev.berth.simulator.world.WorldQueues;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HelmTest {
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

  @Test
  void whoLeavesBeforeItWasReadyDoesNotWaitForThat() throws ConfigException {
    var helm = Helm.alone(workers, metrics.controllers());
    helm.stand(unready(), () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(1));
    helm.leave(() -> {});
    time.runFor(Duration.ofSeconds(10));
    long before = time.happened();
    time.runFor(Duration.ofMinutes(1));
    assertEquals(before, time.happened(), "looks after it has left");
  }

  @Test
  void aStandbyIsAvailableOnceItHasReadWhoLeads() throws Exception {
    var leases = new WorldLeases(world);
    leases.write(
        new Leases.Lease("other", SETTINGS.duration(), time.instant(), time.instant(), 0, ""));
    var helm =
        Helm.by(leases, "this", SETTINGS, time::instant, workers, workers, metrics.controllers());
    assertThat(helm.unavailable()).contains("the lease is not read yet");
    helm.stand(unready(), () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(1));
    assertThat(helm.unavailable()).isEmpty();
    assertThat(helm.barred()).contains("other holds the lease, this one stands by");
    helm.leave(() -> {});
    assertThat(helm.unavailable()).contains("this one stops");
  }

  @Test
  void aLeaderHasNoLabelAndIsNotAvailableBeforeItAnswers() throws Exception {
    var helm =
        Helm.by(
                new WorldLeases(world),
                "this",
                SETTINGS,
                time::instant,
                workers,
                workers,
                metrics.controllers())
            .labelling(Optional.of(new LeaderLabelKeeper(new Recorded(), workers)));
    var product = product(helm);
    helm.stand(product, () -> {}, _ -> {});
    time.runFor(Duration.ofSeconds(5));
    assertThat(helm.barred()).as("it leads").isEmpty();
    assertThat(helm.unavailable().orElseThrow()).startsWith("not yet delivered: ");
    assertThat(labels).containsExactly("remove");

    world.watch(EnumSet.allOf(Watcher.Kind.class), product.watcher());
    product.start(Freshness.always());
    time.runFor(Duration.ofSeconds(1));
    assertThat(helm.unavailable()).isEmpty();
    assertThat(labels).containsExactly("remove", "put");
    helm.leave(() -> {});
    time.runFor(Duration.ofSeconds(30));
    assertThat(labels).containsExactly("remove", "put", "remove");
  }

  private final class Recorded implements LeaderLabel {
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
    var doors =
        new Wiring.Doors(
            new WorldPods(world),
            new WorldHolders(world),
            new WorldGroups(world),
            new WorldQueues(world),
            new WorldEvents(world),
            Owners.BARRED);
    return new Wiring(Config.read(Map.of()), doors, workers, metrics.counters(), fence);
  }
}
