package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ApiWriter;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.RefusedPodClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.WriteClients;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.replay.LoggedPlanner;
import dev.berth.engine.replay.PlannerLog;
import dev.berth.extender.Verbs;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.verbs.OutcomeCounter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// The product, joined: one ledger in the middle, controllers on one side, verbs on the other. The
/// clients may lead to an API server or to the simulator's world.
///
/// ```
/// watches → Intake, Grouping → Ledger → Cycle → Gates, HolderKeeper, Evictions, GroupKeeper →
/// clients
///                                ↑       └──→ QueueKeeper → client
/// kube-scheduler → Verbs → Barrier → Bindings → client
/// ```
///
/// Nothing is planned, answered or written but behind the fence: while this process leads.
public final class Wiring {
  /// What leads to the API server.
  ///
  /// @param writes the clients that write
  /// @param metrics where it is known what GPUs do; empty = none
  public record ApiClients(
      WriterFacades writes,
      EventRecorder events,
      OwnerClient owners,
      RefusedPodClient refusals,
      Optional<MetricsClient> metrics) {
    /// With nothing before the clients, where controllers tell of no refused pods.
    public ApiClients(WriteClients clients, EventRecorder events, OwnerClient owners) {
      this(WriterFacades.of(clients), events, owners, RefusedPodClient.NONE, Optional.empty());
    }

    ApiClients with(ApiWriter writer) {
      return new ApiClients(writes.with(writer), events, owners, refusals, metrics);
    }

    /// The same with a server of metrics.
    ApiClients asking(MetricsClient server) {
      return new ApiClients(writes, events, owners, refusals, Optional.of(server));
    }
  }

  /// The components that count.
  ///
  /// @param cluster hears what becomes of queues and pods
  public record Counters(
      Metrics controllers,
      OutcomeCounter verbs,
      Consumer<BarrierResult> gangs,
      Consumer<CycleOutcome> cycles,
      ClusterListener cluster) {
    /// Without a listener for queues and pods.
    public Counters(
        Metrics controllers,
        OutcomeCounter verbs,
        Consumer<BarrierResult> gangs,
        Consumer<CycleOutcome> cycles) {
      this(controllers, verbs, gangs, cycles, ClusterListener.NONE);
    }

    /// The same with a further listener for every cycle.
    Counters andTell(Consumer<CycleOutcome> listener) {
      return new Counters(controllers, verbs, gangs, cycles.andThen(listener), cluster);
    }
  }

  private final Environment environment;
  private final EngineModule engine;
  private final ControllersModule controllers;
  private final ExtenderModule extender;
  private final ApiBindings.Untrue untrue;
  private final Watcher watcher;

  private Wiring(
      Environment environment,
      EngineModule engine,
      ControllersModule controllers,
      ExtenderModule extender,
      ApiBindings.Untrue untrue) {
    this.environment = environment;
    this.engine = engine;
    this.controllers = controllers;
    this.extender = extender;
    this.untrue = untrue;
    this.watcher =
        new WatchRoutes(controllers.routes(engine.ledger()), controllers.reads(), engine.changes());
  }

  /// @param fence whether this process leads
  public static Wiring of(
      Config config, ApiClients clients, Workers workers, Counters counters, Fence fence) {
    return of(Environment.of(config, clients, workers, counters, fence), policy(config.planner()));
  }

  /// The planner that ships.
  static Cycle.PlanningPolicy policy(PlannerSettings settings) {
    return Cycle.PlanningPolicy.by(new Planner(settings));
  }

  /// Where no other process can lead.
  public static Wiring of(Config config, ApiClients clients, Workers workers, Counters counters) {
    return of(config, clients, workers, counters, Fence.OPEN);
  }

  /// The same, with its calls in a log.
  static Cycle.PlanningPolicy policy(PlannerSettings settings, PlannerLog log) {
    return Cycle.PlanningPolicy.by(
        new Planner(settings), new LoggedPlanner(settings, Main.Version.number(), log));
  }

  /// @param policy the planner, or what stands for it
  static Wiring of(Environment environment, Cycle.PlanningPolicy policy) {
    var untrue = new ApiBindings.Untrue();
    var engine = EngineModule.of(environment.config(), policy, environment.workers().time());
    var shared = ExtenderModule.Shared.of(environment, engine);
    var controllers = ControllersModule.of(environment, engine, shared);
    var extender = ExtenderModule.of(environment, engine, shared, controllers, untrue);

    engine.changes().to(() -> changed(controllers, extender));
    var metrics = environment.counters().controllers();
    metrics.shares(engine::shares);
    metrics.forecasts(engine.forecasts()::calibration);
    var planning = controllers.planning();
    metrics.planning(planning.cycles()::age, planning.cycles()::failures);
    metrics.answering(() -> controllers.missing().isEmpty());
    metrics.underWay(Metrics.Work.WRITES, environment.fenced()::underWay);
    metrics.underWay(Metrics.Work.GATE_REMOVALS, planning.gates()::pending);
    metrics.underWay(Metrics.Work.EVICTIONS, planning.evictions()::underWay);
    return new Wiring(environment, engine, controllers, extender, untrue);
  }

  /// While the ledger is being filled no part hears of it: the first cycle sees it all.
  private static void changed(ControllersModule controllers, ExtenderModule extender) {
    if (controllers.reads().intake().isSynced()) {
      controllers.changed();
      extender.changed();
    }
  }

  /// Takes what the watches deliver.
  public Watcher watcher() {
    return watcher;
  }

  public Verbs verbs() {
    return extender.verbs();
  }

  public Ledger ledger() {
    return engine.ledger();
  }

  /// When groups that wait are likely to start.
  StartForecasts forecasts() {
    return engine.forecasts();
  }

  /// What Berth believes now.
  public Snapshot snapshot() {
    return engine.snapshot();
  }

  /// Begins to plan.
  ///
  /// @param fresh whether every watch is delivered and alive
  public void start(Freshness fresh) {
    controllers.start(fresh);
  }

  /// Plans no more and answers no request any more, waiting ones included; writes go on.
  public void stop() {
    controllers.stop();
    extender.stop();
  }

  /// Whether all that was begun is written and answered.
  public boolean isQuiet() {
    return controllers.isQuiet() && extender.isQuiet();
  }

  /// Lets no write begin any more.
  public void shut() {
    environment.fenced().shut();
  }

  /// How many writes are under way.
  public int underWay() {
    return environment.fenced().underWay();
  }

  /// What is missing before questions can be answered; empty = nothing.
  public Optional<String> missing() {
    return controllers.missing();
  }

  /// Whether no cycle came to its end for longer than that; empty = all is well, or it is not up to
  /// this process to plan.
  ///
  /// @return a sentence for operators
  public Optional<String> stuck(Duration bound) {
    return controllers.stuck(bound);
  }

  /// @param hears that the API server proved untrue what this process has read: no Binding is ever
  ///   undone but by an etcd that went back. The process must end
  void whenUntrue(Consumer<String> hears) {
    untrue.tell(hears);
  }
}
