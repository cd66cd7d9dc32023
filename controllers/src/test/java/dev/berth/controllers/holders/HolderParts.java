package dev.berth.controllers.holders;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.StoppedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Resource;

/// Joins the parts of a [HolderKeeper] as the product does.
final class HolderParts {
  private HolderParts() {}

  static HolderKeeper keeper(
      World world, HolderClient holders, Workers workers, HolderSettings settings) {
    var events = new InMemoryEvents();
    var timeouts = new HolderTimeouts(world.ledger, events, settings.readyTimeout());
    var writes =
        new HolderWrites(
            world.ledger, holders, _ -> Resource.NVIDIA, timeouts, settings.creationTimeout());
    var termination =
        new ShareTermination(
            new StoppedPods(), events, Metrics.unseen(), settings.lossTermination());
    return new HolderKeeper(
        new HolderSlots(world.ledger, writes, world, workers, settings),
        timeouts,
        new LostShares(world.ledger, termination, world, workers, settings),
        world,
        workers);
  }
}
