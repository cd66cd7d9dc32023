package dev.berth.cli;

import dev.berth.cli.WatchRoutes.Route;
import dev.berth.controllers.audit.Auditor;
import dev.berth.controllers.autoscaling.CapacityKeeper;
import dev.berth.controllers.claims.TemplateKeeper;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleLoop;
import dev.berth.controllers.cycle.SchedulerRefusals;
import dev.berth.controllers.evictions.EvictionEvents;
import dev.berth.controllers.evictions.EvictionRefusals;
import dev.berth.controllers.evictions.EvictionReports;
import dev.berth.controllers.evictions.Evictions;
import dev.berth.controllers.gates.Gates;
import dev.berth.controllers.grouping.Grouping;
import dev.berth.controllers.groups.GroupKeeper;
import dev.berth.controllers.groups.GroupStatusWriter;
import dev.berth.controllers.groups.MissingGroups;
import dev.berth.controllers.groups.OutsideCauses;
import dev.berth.controllers.groups.PodMessages;
import dev.berth.controllers.groups.PodReasons;
import dev.berth.controllers.groups.RefusedPods;
import dev.berth.controllers.groups.UnknownPriorityClasses;
import dev.berth.controllers.holders.HolderKeeper;
import dev.berth.controllers.holders.HolderSlots;
import dev.berth.controllers.holders.HolderTimeouts;
import dev.berth.controllers.holders.HolderWrites;
import dev.berth.controllers.holders.LostShares;
import dev.berth.controllers.holders.ShareTermination;
import dev.berth.controllers.idle.IdleKeeper;
import dev.berth.controllers.injection.Probes;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.jobs.EvictableJobs;
import dev.berth.controllers.kai.InPlace;
import dev.berth.controllers.queues.QueueKeeper;
import dev.berth.controllers.requeue.Requeuer;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.verbs.PodClassifier;
import dev.berth.extender.verbs.UngatedPodPlanner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The parts that read and write the Kubernetes API, by what they do with it.
///
/// @param cluster whether they may act on what they believe
record ControllersModule(
    Reads reads, ClusterView cluster, Keepers keepers, Reports reports, Planning planning) {
  /// Fill the ledger.
  ///
  /// @param facts the intake, or what reads KAI's objects in place for it
  /// @param isKais whether a group is one of KAI's
  record Reads(Intake intake, Watcher facts, Predicate<GroupKey> isKais, Grouping grouping)
      implements WatchRoutes.Lists {
    static Reads of(Environment environment, EngineModule engine) {
      var config = environment.config();
      var clients = environment.clients();
      var intake =
          new Intake(
              engine.ledger(),
              config.kinds(),
              environment.counters().controllers(),
              clients.writes().holders().namespace(),
              config::pod);
      var grouping =
          new Grouping(
                  engine.ledger(),
                  clients.owners(),
                  clients.writes().groups(),
                  clients.events(),
                  config.grouping(),
                  environment.workers())
              .holdUntilListed();
      if (!config.readsKai()) {
        return new Reads(intake, intake, _ -> false, grouping);
      }
      var inPlace = new InPlace(intake);
      return new Reads(intake, inPlace, inPlace::isTheirs, grouping);
    }

    @Override
    public void readable(Kind kind, boolean isReadable) {
      facts.readable(kind, isReadable);
    }

    @Override
    public void synced(Kind kind) {
      facts.synced(kind);
      grouping.listed(kind);
    }
  }

  /// Keep objects true, whatever is planned.
  record Keepers(
      HolderKeeper holders,
      Optional<Probes> probes,
      IdleKeeper idle,
      Auditor auditor,
      EvictableJobs jobs,
      CapacityKeeper capacity,
      TemplateKeeper claimTemplates) {
    static Keepers of(Environment environment, EngineModule engine, ClusterView cluster) {
      var config = environment.config();
      var clients = environment.clients();
      var workers = environment.workers();
      var metrics = environment.counters().controllers();
      return new Keepers(
          holders(environment, engine, cluster),
          clients
              .writes()
              .probes()
              .filter(_ -> config.injection().probe())
              .map(pods -> new Probes(engine.ledger(), pods, cluster, workers, config.injection())),
          new IdleKeeper(
              engine.ledger(),
              clients.metrics(),
              cluster,
              metrics,
              workers,
              config.idle().measurements()),
          new Auditor(engine.ledger(), clients.events(), metrics, cluster, workers, config.audit()),
          new EvictableJobs(engine.ledger(), clients.events(), cluster, workers),
          new CapacityKeeper(clients.writes().capacity(), workers, config.autoscaling()),
          new TemplateKeeper(clients.writes().claimTemplates(), workers));
    }

    private static HolderKeeper holders(
        Environment environment, EngineModule engine, ClusterView cluster) {
      var settings = environment.config().holders();
      var clients = environment.clients();
      var workers = environment.workers();
      var metrics = environment.counters().controllers();
      var ledger = engine.ledger();
      var timeouts = new HolderTimeouts(ledger, clients.events(), settings.readyTimeout());
      var writes =
          new HolderWrites(
              ledger,
              clients.writes().holders(),
              engine::deviceOf,
              timeouts,
              settings.creationTimeout());
      var termination =
          new ShareTermination(
              clients.writes().pods(), clients.events(), metrics, settings.lossTermination());
      return new HolderKeeper(
          new HolderSlots(ledger, writes, cluster, workers, settings),
          timeouts,
          new LostShares(ledger, termination, cluster, workers, settings),
          cluster,
          workers);
    }
  }

  /// Tell users what became of their objects.
  ///
  /// @param news more is known than what a cycle shows
  record Reports(GroupKeeper groups, QueueKeeper queues, Relay news) {
    static Reports of(Environment environment, EngineModule engine, Predicate<GroupKey> isKais) {
      var config = environment.config();
      var clients = environment.clients();
      var ledger = engine.ledger();
      var workers = environment.workers();
      var groups = clients.writes().groups();
      var events = clients.events();
      var news = new Relay();
      return new Reports(
          new GroupKeeper(
              new MissingGroups(groups, workers),
              new GroupStatusWriter(
                  groups, events, workers, config.groups(), engine.forecasts()::of),
              new PodMessages(
                  new PodReasons(
                      events,
                      clients.writes().conditions(),
                      Sentences::of,
                      ledger::pod,
                      workers,
                      config.groups()),
                  events,
                  clients.writes().pods(),
                  workers,
                  config.groups()),
              new OutsideCauses(
                  new UnknownPriorityClasses(
                      name -> ledger.priorityOf(name).isPresent(),
                      name -> ledger.priorityClasses().like(name)),
                  new RefusedPods(clients.refusals(), clients.owners(), workers, news)),
              Sentences::of,
              isKais),
          new QueueKeeper(clients.writes().queues(), Sentences::ofFlaw, workers, config.queues()),
          news);
    }
  }

  /// Plan, and bring plans to the pods.
  record Planning(
      Cycle cycle,
      CycleLoop cycles,
      Gates gates,
      Evictions evictions,
      SchedulerRefusals refusals,
      Requeuer requeuer) {
    static Planning of(
        Environment environment,
        EngineModule engine,
        ExtenderModule.Shared extender,
        ClusterView cluster,
        Keepers keepers,
        Reports reports) {
      var config = environment.config();
      var clients = environment.clients();
      var workers = environment.workers();
      var ledger = engine.ledger();
      Consumer<String> brokenGang = extender.barrier()::giveUp;
      var nodes = new AtomicInteger(); // as of the last cycle
      var listener = environment.counters().cluster();
      var outcomes = new PodOutcomes(ledger, workers.time(), listener);
      var again = new Relay();
      var gates =
          new Gates(
              ledger, clients.writes().pods(), workers, config.gates(), nodes::get, brokenGang);
      var refusals = new EvictionRefusals(ledger, config.evictions().budgetTimeout(), again);
      var evictions =
          new Evictions(
              ledger,
              clients.writes().pods(),
              new EvictionReports(
                  new EvictionEvents(ledger, clients.events()), refusals, outcomes::evicted),
              cluster,
              workers,
              config.evictions());
      var cycle =
          new Cycle(
              ledger,
              engine.policy(),
              new DecisionHandover(gates, evictions, brokenGang, listener::lapsed),
              new CycleReport(
                  nodes,
                  new CycleReport.HeldUp(ledger, gates, refusals),
                  evictions,
                  reports,
                  keepers.capacity(),
                  environment.counters().cycles(),
                  listener,
                  new ForecastFeed(engine.forecasts(), workers),
                  new DecisionLog()),
              workers.time(),
              config.cycle());
      var cycles = new CycleLoop(cycle, cluster, workers, config.cycle());
      again.to(cycles::changedBesides);
      reports.news().to(cycles::changedBesides);
      return new Planning(
          cycle,
          cycles,
          gates,
          evictions,
          new SchedulerRefusals(ledger, workers, config.cycle().veto(), brokenGang),
          new Requeuer(
              ledger,
              placeable(extender.pods(), engine.ungated()),
              clients.writes().requeues(),
              workers));
    }
  }

  static ControllersModule of(
      Environment environment, EngineModule engine, ExtenderModule.Shared extender) {
    var reads = Reads.of(environment, engine);
    var cluster = new ClusterView(environment.fence(), reads.intake(), reads.grouping());
    var keepers = Keepers.of(environment, engine, cluster);
    var reports = Reports.of(environment, engine, reads.isKais());
    var planning = Planning.of(environment, engine, extender, cluster, keepers, reports);
    return new ControllersModule(reads, cluster, keepers, reports, planning);
  }

  private static Requeuer.Placeable placeable(PodClassifier pods, UngatedPods ungated) {
    return new Requeuer.Placeable() {
      @Override
      public boolean isUngated(Pod pod) {
        return pods.isUngated(pod);
      }

      @Override
      public boolean fits(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
        return ungated.judge(snapshot, pod, nodes).stream()
            .anyMatch(UngatedPodPlanner.Judgement.Fits.class::isInstance);
      }
    };
  }

  /// Which parts read which kinds of object. A part hears of an object after those above it.
  List<Route> routes(Ledger ledger) {
    var pods = new PodChanges(ledger, keepers.claimTemplates(), planning);
    var table = new ArrayList<Route>();
    table.add(new Route(EnumSet.allOf(Kind.class), reads.facts()::seen, reads.facts()::gone));
    keepers
        .probes()
        .ifPresent(probes ->
            table.add(
                new Route(
                    EnumSet.of(
                        Kind.NODE,
                        Kind.POD,
                        Kind.RUNTIME_CLASS,
                        Kind.CLUSTER_POLICY,
                        Kind.GPU_CLUSTER),
                    probes::seen,
                    probes::gone)));
    table.add(Route.of(Kind.QUEUE, reports.queues()::seen, reports.queues()::gone));
    table.add(Route.of(Kind.POD_GROUP, reports.groups()::seen, reports.groups()::gone));
    table.add(
        new Route(
            EnumSet.of(Kind.POD, Kind.JOB, Kind.POD_GROUP),
            reads.grouping()::seen,
            reads.grouping()::gone));
    table.add(
        new Route(EnumSet.of(Kind.POD, Kind.JOB), keepers.jobs()::seen, keepers.jobs()::gone));
    table.add(Route.of(Kind.POD, keepers.capacity()::seen, keepers.capacity()::gone));
    table.add(Route.of(Kind.POD, pods::seen, pods::gone));
    return table;
  }

  /// The ledger changed. Cheap; any thread.
  void changed() {
    planning.cycles().changed();
    planning.gates().changed();
    keepers.holders().changed();
    keepers.probes().ifPresent(Probes::changed);
    planning.requeuer().changed();
  }

  /// Begins to plan.
  ///
  /// @param fresh whether every watch is delivered and alive
  void start(Freshness fresh) {
    cluster.start(fresh);
    keepers.idle().start();
    planning.cycles().start();
    keepers.auditor().start();
    keepers.probes().ifPresent(Probes::start);
  }

  /// Plans no more.
  void stop() {
    cluster.stop();
    planning.cycles().stop();
    keepers.idle().stop();
    keepers.auditor().stop();
    planning.gates().stop();
    planning.requeuer().stop();
  }

  boolean isQuiet() {
    return planning.gates().pending() == 0;
  }

  /// What is missing before questions can be answered; empty = nothing.
  Optional<String> missing() {
    return cluster
        .unseen()
        .or(() ->
            planning.cycle().isSettled()
                ? Optional.empty()
                : Optional.of("plans of the leader before are not looked at yet"));
  }

  /// Whether no cycle came to its end for longer than that; empty = all is well, or it is not up to
  /// this process to plan.
  ///
  /// @return a sentence for operators
  Optional<String> stuck(Duration bound) {
    return planning
        .cycles()
        .age()
        .filter(age -> !cluster.isStopping() && age.compareTo(bound) > 0)
        .map(age -> "no plan came to its end for " + age.toSeconds() + " s");
  }
}
