package dev.berth.simulator.scenario;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.WriteClients;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.Verbs;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/// What is simulated: Berth, joined by a factory of `cli`, on the clients of a world.
public interface Product {
  /// Takes what the watches deliver.
  Watcher watcher();

  /// What kube-scheduler asks.
  Verbs verbs();

  /// Begins to plan.
  void start();

  /// What it believes now.
  Snapshot snapshot();

  /// The longest that it may let pass before it does something of itself, a gang's own grace aside.
  Duration patience();

  /// Where it is put.
  ///
  /// @param owners of pods, of kinds that are not watched
  /// @param listener hears of every cycle
  /// @param internalErrors hears of every cycle that failed
  record Place(
      WriteClients clients,
      EventRecorder events,
      OwnerClient owners,
      Workers workers,
      Consumer<CycleOutcome> listener,
      Consumer<RuntimeException> internalErrors) {}

  /// Where products are made.
  interface Factory {
    /// @param settings fields of the configuration, as written
    /// @throws ScenarioException where they cannot be used
    Product build(Map<String, Object> settings, Place place) throws ScenarioException;
  }
}
