package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import java.util.List;

/// The product on a simulated world, without its faults.
final class WorldWiring {
  private WorldWiring() {}

  static Wiring of(Config config, World world, VirtualTime time) {
    return of(config, world, time, _ -> List.of());
  }

  /// @param metrics where it is known what GPUs do
  static Wiring of(Config config, World world, VirtualTime time, MetricsClient metrics) {
    return Wiring.of(
        config,
        new Wiring.ApiClients(WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED)
            .asking(metrics),
        new TimeWorkers(time, new Chance(7, "controllers")),
        new Metrics().counters());
  }
}
