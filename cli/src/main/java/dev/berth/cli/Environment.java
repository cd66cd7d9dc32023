package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.lease.FencedWrites;
import dev.berth.controllers.loop.Workers;
import dev.berth.extender.barrier.Timer;
import java.time.Instant;

/// What the product is put into: its configuration, an API server, threads and time, and the
/// metrics.
///
/// @param clients behind the fence
/// @param fenced the fence that they are behind
record Environment(
    Config config,
    Wiring.ApiClients clients,
    FencedWrites fenced,
    Workers workers,
    Wiring.Counters counters,
    Fence fence) {
  /// @param open the clients, before the fence
  static Environment of(
      Config config,
      Wiring.ApiClients open,
      Workers workers,
      Wiring.Counters counters,
      Fence fence) {
    var fenced = new FencedWrites(open.writes().writer(), fence);
    return new Environment(config, open.with(fenced), fenced, workers, counters, fence);
  }

  /// Alarms on the threads and the time of the product.
  Timer timer() {
    return new Timer() {
      @Override
      public void at(Instant when, Runnable what) {
        workers.at(when, what);
      }

      @Override
      public Instant instant() {
        return workers.time().instant();
      }
    };
  }
}
