package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;

/// The product on a simulated world, without its faults.
final class WorldWiring {
  private WorldWiring() {}

  static Wiring of(Config config, World world, VirtualTime time) {
    return Wiring.of(
        config,
        new Wiring.ApiClients(WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED),
        new TimeWorkers(time, new Chance(7, "controllers")),
        new Metrics().counters());
  }
}
