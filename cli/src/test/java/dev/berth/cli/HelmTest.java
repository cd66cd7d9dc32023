package dev.berth.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.door.Fence;
import dev.berth.controllers.door.Owners;
import dev.berth.controllers.loop.Workers;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldGroups;
import dev.berth.simulator.world.WorldHolders;
import dev.berth.simulator.world.WorldPods;
import dev.berth.simulator.world.WorldQueues;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HelmTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Workers workers = new TimeWorkers(time, new Chance(1, "workers"));
  private final Metrics metrics = new Metrics();

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

  /// No watch ever delivers.
  private Wiring unready() throws ConfigException {
    var world = new World(time, WorldSettings.of(1));
    var doors =
        new Wiring.Doors(
            new WorldPods(world),
            new WorldHolders(world),
            new WorldGroups(world),
            new WorldQueues(world),
            new WorldEvents(world),
            Owners.BARRED);
    return new Wiring(Config.read(Map.of()), doors, workers, metrics.counters(), Fence.OPEN);
  }
}
