package dev.berth.simulator.chaos;

import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.Verbs;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.verbs.OutcomeCounter;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// One process of Berth, joined by a factory of `cli`, on the clients of a world.
public interface BerthProcess {
  /// The product's: takes what it is to know.
  Watcher watcher();

  /// Takes what the watches deliver from its start on, and hands it on when it leads.
  Watcher standby();

  /// Whether it has not begun to plan yet.
  boolean standsBy();

  /// What kube-scheduler asks.
  Verbs verbs();

  Ledger ledger();

  /// Stands by, and begins to plan when it leads.
  ///
  /// @param watch opens its watches
  /// @param leads hears that it leads and has caught up
  void start(Freshness fresh, Runnable watch, Runnable leads);

  /// Why it answers no request now; empty = it does.
  Optional<String> missing();

  /// What its writes are behind: how long one that begins now may take.
  Fence fence();

  /// Lets go in good order.
  ///
  /// @param over run when it has
  void leave(Runnable over);

  /// Where it is put.
  ///
  /// @param name unique
  /// @param deposed hears why it leads no more: it is to end
  record Place(
      String name,
      WriterFacades clients,
      EventRecorder events,
      LeaseClient leases,
      Workers workers,
      Listeners listeners,
      Consumer<String> deposed) {
    /// The same with another writer.
    public Place with(ApiWriter other) {
      return new Place(name, clients.with(other), events, leases, workers, listeners, deposed);
    }
  }

  /// Is told what it does.
  ///
  /// @param cycles every cycle that did not fail
  /// @param gangs every gang that passed the barrier or was turned away
  /// @param verbs every answer to kube-scheduler
  record Listeners(
      Consumer<CycleOutcome> cycles, Consumer<BarrierResult> gangs, OutcomeCounter verbs) {}

  /// A line of its log.
  ///
  /// @param error a person must act, or the mistake was Berth's
  /// @param message constant
  /// @param details pairs, and what was thrown
  record Said(boolean error, String message, String details) {}

  /// Instances of one configuration.
  interface ReplicaTemplate {
    BerthProcess launch(Place place);

    /// What the planner makes of this, from the beginning and without memory.
    Plan plan(Snapshot snapshot);
  }

  /// Where slips are.
  interface ReplicaFactory {
    /// @param settings fields of the configuration
    ReplicaTemplate template(Map<String, Object> settings);

    /// Hears everything that the calling thread logs from now on.
    void listen(Consumer<Said> listener);
  }
}
