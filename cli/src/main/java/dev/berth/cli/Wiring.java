package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.audit.Auditor;
import dev.berth.controllers.autoscaling.CapacityKeeper;
import dev.berth.controllers.claims.TemplateKeeper;
import dev.berth.controllers.client.CapacityClient;
import dev.berth.controllers.client.ClaimTemplateClient;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.client.PodConditionClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.QueueClient;
import dev.berth.controllers.client.RequeueClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.cycle.SchedulerRefusals;
import dev.berth.controllers.evictions.Evictions;
import dev.berth.controllers.gates.Gates;
import dev.berth.controllers.grouping.Grouping;
import dev.berth.controllers.groups.GroupKeeper;
import dev.berth.controllers.groups.HeldUpGroups;
import dev.berth.controllers.holders.HolderKeeper;
import dev.berth.controllers.injection.Probes;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.jobs.EvictableJobs;
import dev.berth.controllers.kai.InPlace;
import dev.berth.controllers.lease.FencedClients;
import dev.berth.controllers.loop.Workers;
import dev.berth.controllers.queues.QueueKeeper;
import dev.berth.controllers.requeue.Requeuer;
import dev.berth.engine.Planner;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Usage;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.extender.Verbs;
import dev.berth.extender.barrier.Barrier;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.barrier.Timer;
import dev.berth.extender.verbs.Adoption;
import dev.berth.extender.verbs.BindSettings;
import dev.berth.extender.verbs.BindVerb;
import dev.berth.extender.verbs.Bindings;
import dev.berth.extender.verbs.BoundInLedger;
import dev.berth.extender.verbs.FilterVerb;
import dev.berth.extender.verbs.Offers;
import dev.berth.extender.verbs.OutcomeCounter;
import dev.berth.extender.verbs.PodClassifier;
import dev.berth.extender.verbs.PreemptVerb;
import dev.berth.extender.verbs.PrioritizeVerb;
import dev.berth.extender.verbs.ServedSchedulers;
import dev.berth.extender.verbs.UngatedPodPlanner;
import dev.berth.extender.verbs.VerbContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The product, joined: one ledger in the middle, controllers on one side, verbs on the other. The
/// clients may lead to an API server or to the simulator's world.
///
/// ```
/// watches → Intake, Grouping → Ledger → Cycle → Gates, HolderKeeper, Evictions, GroupKeeper → clients
///                                ↑       └──→ QueueKeeper → client
/// kube-scheduler → Verbs → Barrier → Bindings → client
/// ```
///
/// Nothing is planned, answered or written but behind the fence: while this process leads.
public final class Wiring {
  /// Where writes go.
  public record ApiClients(
      PodClient pods,
      PodConditionClient conditions,
      RequeueClient requeues,
      HolderClient holders,
      PodGroupClient groups,
      QueueClient queues,
      EventRecorder events,
      OwnerClient owners,
      CapacityClient capacity,
      Optional<ProbeClient> probes,
      ClaimTemplateClient claimTemplates) {
    /// Where no autoscaler is, no share is a claim, every node gives a container the GPU that it is
    /// given, and conditions of pods are not read.
    public ApiClients(
        PodClient pods,
        HolderClient holders,
        PodGroupClient groups,
        QueueClient queues,
        EventRecorder events,
        OwnerClient owners) {
      this(
          pods,
          PodConditionClient.NONE,
          RequeueClient.NONE,
          holders,
          groups,
          queues,
          events,
          owners,
          CapacityClient.NONE,
          Optional.empty(),
          ClaimTemplateClient.NONE);
    }

    private ApiClients behind(FencedClients fenced) {
      return new ApiClients(
          fenced.pods(pods),
          fenced.conditions(conditions),
          fenced.requeues(requeues),
          fenced.holders(holders),
          fenced.groups(groups),
          fenced.queues(queues),
          events,
          owners,
          fenced.capacity(capacity),
          probes.map(fenced::probes),
          fenced.claimTemplates(claimTemplates));
    }
  }

  /// Who counts.
  public record Counters(
      Metrics controllers,
      OutcomeCounter verbs,
      Consumer<BarrierResult> gangs,
      Consumer<CycleOutcome> cycles) {
    /// The same, and somebody more who hears of every cycle.
    Counters andTell(Consumer<CycleOutcome> listener) {
      return new Counters(controllers, verbs, gangs, cycles.andThen(listener));
    }
  }

  private final Fence fence;
  private volatile Consumer<String> untrue = _ -> {};
  private final FencedClients fenced;
  private final Ledger ledger;
  private final Intake intake;
  private final Watcher facts; // the intake, or who reads KAI's objects in place for it
  private final Grouping grouping;
  private final EvictableJobs jobs;
  private final Cycle cycle;
  private final Gates gates;
  private final HolderKeeper holders;
  private final Optional<Probes> probes;
  private final Auditor auditor;
  private final QueueKeeper queues;
  private final GroupKeeper groups;
  private final CapacityKeeper capacity;
  private final TemplateKeeper claimTemplates;
  private final SchedulerRefusals refusals;
  private final Requeuer requeuer;
  private final BindVerb bind;
  private final Verbs verbs;
  private final Workers workers;
  private volatile int nodes; // as of the last cycle
  private volatile boolean stopping;
  private volatile Freshness fresh = Freshness.missing("the start");

  /// @param fence whether this process leads
  public Wiring(
      Config config, ApiClients clients, Workers workers, Counters counters, Fence fence) {
    this(
        config,
        Cycle.PlanningPolicy.by(new Planner(config.planner())),
        clients,
        workers,
        counters,
        fence);
  }

  /// Where nobody else can lead.
  public Wiring(Config config, ApiClients clients, Workers workers, Counters counters) {
    this(config, clients, workers, counters, Fence.OPEN);
  }

  /// @param policy the planner, or who stands for it
  Wiring(
      Config config,
      Cycle.PlanningPolicy policy,
      ApiClients open,
      Workers workers,
      Counters counters,
      Fence fence) {
    this.workers = workers;
    this.fence = fence;
    fenced = new FencedClients(fence);
    var clients = open.behind(fenced);
    ledger = new Ledger(config.ledger(), this::changed);
    intake =
        new Intake(
            ledger,
            config.kinds(),
            counters.controllers(),
            clients.holders().namespace(),
            config::pod);
    Predicate<GroupKey> isKais;
    if (config.readsKai()) {
      var inPlace = new InPlace(intake);
      facts = inPlace;
      isKais = inPlace::isTheirs;
    } else {
      facts = intake;
      isKais = _ -> false;
    }
    grouping =
        new Grouping(
                ledger,
                clients.owners(),
                clients.groups(),
                clients.events(),
                config.grouping(),
                workers)
            .holdUntilListed();

    var barrier =
        new Barrier(
            config.extender().barrier(), new BoundInLedger(ledger), later(), counters.gangs());
    refusals = new SchedulerRefusals(ledger, workers, config.cycle().veto(), barrier::giveUp);
    var ungated = new UngatedPods(config.planner());
    var answered =
        new ServedSchedulers(config.ledger().schedulers(), config.extender().otherSchedulers());
    var cases = new PodClassifier(ledger, tree -> pod(config, tree), answered);
    var context = new VerbContext(this::missing, counters.verbs());
    var bindSettings =
        new BindSettings(
            config.extender().barrier(),
            BindSettings.DEFAULT.strangerPatience(),
            config.cycle().deadline(),
            BindSettings.DEFAULT.coalescer());
    var adoption = new Adoption(ledger, cases, ungated, later(), bindSettings.adoption());
    bind =
        new BindVerb(
            ledger, adoption, barrier, bindings(clients.pods()), bindSettings, later(), context);
    verbs =
        new Verbs(
            new FilterVerb(cases, this::snapshot, ungated, offers(), context),
            new PrioritizeVerb(cases, this::snapshot, ungated, context),
            new PreemptVerb(cases, this::snapshot, ungated, context),
            bind);

    requeuer = new Requeuer(ledger, placeable(cases, ungated), clients.requeues(), workers);

    var cluster = cluster();
    jobs = new EvictableJobs(ledger, clients.events(), cluster, workers);
    gates =
        new Gates(ledger, clients.pods(), workers, config.gates(), () -> nodes, barrier::giveUp);
    holders =
        new HolderKeeper(
            ledger,
            clients.holders(),
            clients.pods(),
            clients.events(),
            counters.controllers(),
            this::deviceOf,
            cluster,
            workers,
            config.holders());
    probes =
        clients
            .probes()
            .filter(_ -> config.injection().probes())
            .map(pods -> new Probes(ledger, pods, cluster, workers, config.injection()));
    auditor =
        new Auditor(
            ledger, clients.events(), counters.controllers(), cluster, workers, config.audit());
    counters.controllers().shares(this::shares);
    var evictions =
        new Evictions(
            ledger,
            clients.pods(),
            clients.events(),
            cluster,
            this::tellAnew,
            workers,
            config.evictions());
    groups =
        new GroupKeeper(
            clients.groups(),
            clients.events(),
            clients.conditions(),
            Sentences::of,
            ledger::pod,
            ledger::hasPriorityClass,
            ledger::likePriorityClass,
            isKais,
            workers,
            config.groups());
    queues = new QueueKeeper(clients.queues(), Sentences::ofFlaw, workers, config.queues());
    capacity = new CapacityKeeper(clients.capacity(), workers, config.autoscaling());
    claimTemplates = new TemplateKeeper(clients.claimTemplates(), workers);
    cycle =
        new Cycle(
            ledger,
            policy,
            cluster,
            sink(evictions, barrier),
            listener(evictions, counters.cycles()),
            workers,
            config.cycle());
    counters.controllers().planAge(cycle::age);
  }

  /// Takes what the watches deliver. A refusal by kube-scheduler is looked at once it is in the
  /// ledger.
  public Watcher watcher() {
    return new Watcher() {
      @Override
      public void seen(Kind kind, Map<String, ?> object) {
        facts.seen(kind, object);
        probes.ifPresent(each -> each.seen(kind, object));
        if (kind == Kind.QUEUE) {
          queues.seen(object);
        } else if (kind == Kind.POD_GROUP) {
          groups.seen(object);
        }
        grouping.seen(kind, object);
        jobs.seen(kind, object);
        if (kind == Kind.POD) {
          capacity.seen(object);
          ledger.pod(uid(object)).ifPresent(pod -> seen(pod, nominated(object)));
        }
      }

      private void seen(Pod pod, Optional<NodeName> nominated) {
        claimTemplates.seen(pod);
        requeuer.seen(pod);
        if (!pod.life().refusal().isEmpty()) {
          refusals.seen(pod);
        }
        if (pod.isGated()) {
          nominated.ifPresent(node -> gates.nominated(pod, node));
        }
      }

      @Override
      public void gone(Kind kind, Map<String, ?> object) {
        facts.gone(kind, object);
        probes.ifPresent(each -> each.gone(kind, object));
        if (kind == Kind.QUEUE) {
          queues.gone(object);
        } else if (kind == Kind.POD_GROUP) {
          groups.gone(object);
        } else if (kind == Kind.POD) {
          capacity.gone(object);
          requeuer.gone(uid(object));
        }
        grouping.gone(kind, object);
        jobs.gone(kind, object);
      }

      @Override
      public void readable(Kind kind, boolean isReadable) {
        facts.readable(kind, isReadable);
      }

      @Override
      public void synced(Kind kind) {
        facts.synced(kind);
        grouping.listed(kind);
        if (intake.isSynced()) {
          changed();
        }
      }
    };
  }

  public Verbs verbs() {
    return verbs;
  }

  public Ledger ledger() {
    return ledger;
  }

  /// What we believe now.
  public Snapshot snapshot() {
    return ledger.snapshot(workers.time().instant());
  }

  /// Begins to plan.
  ///
  /// @param fresh whether every watch is delivered and alive
  public void start(Freshness fresh) {
    this.fresh = fresh;
    cycle.start();
    auditor.start();
    probes.ifPresent(Probes::start);
  }

  /// Plans no more and answers nobody any more, those who wait included; writes go on.
  public void stop() {
    stopping = true;
    cycle.stop();
    auditor.stop();
    gates.stop();
    requeuer.stop();
    bind.callOff();
  }

  /// Whether all that was begun is written and answered.
  public boolean isQuiet() {
    return gates.pending() == 0 && bind.waiting() == 0;
  }

  /// Lets no write begin any more.
  public void shut() {
    fenced.shut();
  }

  /// How many writes are under way.
  public int underWay() {
    return fenced.underWay();
  }

  /// What is missing before questions can be answered; empty = nothing.
  public Optional<String> missing() {
    return unseen()
        .or(() ->
            cycle.isSettled()
                ? Optional.empty()
                : Optional.of("plans of the leader before are not looked at yet"));
  }

  /// Whether no cycle came to its end for longer than that; empty = all is well, or it is not up to
  /// this process to plan.
  ///
  /// @return a sentence for those who look
  public Optional<String> stuck(Duration bound) {
    return cycle
        .age()
        .filter(age -> !stopping && age.compareTo(bound) > 0)
        .map(age -> "no plan came to its end for " + age.toSeconds() + " s");
  }

  /// What is missing before anything can be planned; empty = nothing.
  private Optional<String> unseen() {
    if (stopping) {
      return Optional.of("this one stops");
    }
    return fence
        .barred()
        .or(() ->
            intake.isSynced()
                ? Optional.empty()
                : Optional.of("not yet delivered: " + String.join(", ", intake.awaited())));
  }

  /// All that was listed is in the ledger, and the watches are alive.
  private Freshness cluster() {
    return new Freshness() {
      @Override
      public boolean isFresh() {
        return unseen().isEmpty() && grouping.isCaughtUp() && fresh.isFresh();
      }

      @Override
      public String whatIsMissing() {
        return unseen()
            .orElseGet(
                () -> grouping.isCaughtUp() ? fresh.whatIsMissing() : "owners of pods (not read)");
      }
    };
  }

  /// What no change of the ledger shows is to be told.
  private void tellAnew() {
    cycle.changedBesides();
  }

  /// After every change of the ledger, on whichever thread made it: cheap.
  private void changed() {
    if (intake == null || !intake.isSynced()) {
      return; // being built or filled: the first cycle sees it all
    }
    cycle.changed();
    gates.changed();
    holders.changed();
    probes.ifPresent(Probes::changed);
    bind.changed();
    requeuer.changed();
  }

  private List<Metrics.Share> shares() {
    var shares = new ArrayList<Metrics.Share>();
    for (PodGroup group : snapshot().groups()) {
      for (PodGroup.Member member : group.members()) {
        if (member.standing() instanceof Standing.Bound(Placement placement)) {
          Pod pod = member.pod();
          for (String uuid : pod.written().devices()) {
            shares.add(
                new Metrics.Share(
                    placement.node().value(),
                    uuid,
                    pod.key().namespace(),
                    pod.key().name(),
                    pod.asks().request().deviceContainer(),
                    placement.millis() / 1000.0));
          }
        }
      }
    }
    return shares;
  }

  private Resource deviceOf(SlotKey slot) {
    return snapshot()
        .node(slot.node())
        .map(room -> room.node().accelerator())
        .orElse(Node.Accelerator.NONE)
        .resource();
  }

  private static PodUid uid(Map<String, ?> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("uid") instanceof String uid
        ? new PodUid(uid)
        : PodUid.NONE;
  }

  private static Optional<NodeName> nominated(Map<String, ?> pod) {
    return pod.get("status") instanceof Map<?, ?> status
            && status.get("nominatedNodeName") instanceof String node
            && !node.isEmpty()
        ? Optional.of(new NodeName(node))
        : Optional.empty();
  }

  private static Pod pod(Config config, Map<String, Object> tree) {
    return config.pod(tree).orElseThrow(() -> new IllegalArgumentException("a pod without a name"));
  }

  private Cycle.CycleListener listener(Evictions evictions, Consumer<CycleOutcome> cycles) {
    return new Cycle.CycleListener() {
      @Override
      public void planned(CycleOutcome outcome) {
        nodes = outcome.snapshot().nodes().size();
        var waits =
            HeldUpGroups.with(
                outcome.waits(),
                ledger.makingWay(gates.waitingPods()),
                ledger.heldUp(),
                ledger.provisioning(),
                uid ->
                    evictions
                        .refusal(uid)
                        .map(no -> new HeldUpGroups.Blocked(no.answer(), no.wayOut())));
        groups.planned(outcome.snapshot(), waits, outcome.staleSince());
        capacity.planned(outcome.snapshot(), outcome.waits());
        cycles.accept(outcome);
      }

      @Override
      public void kept(Accounts accounts, Usage usage) {
        queues.told(accounts, usage);
        groups.told(accounts);
      }
    };
  }

  private Cycle.DecisionSink sink(Evictions evictions, Barrier barrier) {
    return new Cycle.DecisionSink() {
      @Override
      public void reserved(Decision.Reserve decision, List<Assumed> plans) {
        gates.take(plans);
      }

      @Override
      public void evict(List<Decision.Victim> victims) {
        evictions.take(victims);
      }

      @Override
      public void lapsed(List<Assumed> plans) {
        for (var assumed : plans) {
          if (assumed.plan().size() > 1) {
            barrier.giveUp(assumed.plan().gang());
          }
        }
      }
    };
  }

  /// What filter sees of kube-scheduler's own filters.
  private Offers offers() {
    return new Offers() {
      @Override
      public void made(PodUid pod) {
        refusals.offered(pod);
      }

      @Override
      public void refused(PodUid pod, WrittenPlan plan) {
        refusals.notOffered(pod, plan);
      }
    };
  }

  private static Requeuer.Placeable placeable(PodClassifier cases, UngatedPods ungated) {
    return new Requeuer.Placeable() {
      @Override
      public boolean isUngated(Pod pod) {
        return cases.isUngated(pod);
      }

      @Override
      public boolean fits(Snapshot snapshot, Pod pod, List<NodeName> nodes) {
        return ungated.judge(snapshot, pod, nodes).stream()
            .anyMatch(UngatedPodPlanner.Judgement.Fits.class::isInstance);
      }
    };
  }

  private Timer later() {
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

  /// @param hears that the API server proved untrue what this process has read: no Binding is ever
  ///   undone but by an etcd that went back. The process must end
  void whenUntrue(Consumer<String> hears) {
    untrue = hears;
  }

  private interface Question {
    Bindings.Outcome ask() throws ClientException;
  }

  /// The extender's client for Bindings: blocking calls, each on a thread of its own.
  private Bindings bindings(PodClient pods) {
    return new Bindings() {
      @Override
      public CompletionStage<Outcome> bind(
          PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations) {
        return answer(() -> {
          pods.bind(pod, uid, node, annotations);
          return new Outcome.Bound();
        });
      }

      @Override
      public CompletionStage<Outcome> look(PodKey pod, PodUid uid, NodeName node) {
        return answer(() -> {
          if (pods.isOn(pod, uid, node)) {
            return new Outcome.Bound();
          }
          untrue.accept(
              "etcd went back to an earlier state: pod "
                  + pod
                  + " was bound to "
                  + node
                  + ", and has no node now");
          return new Outcome.Refused("the API server does not know any more that it is bound");
        });
      }
    };
  }

  private CompletionStage<Bindings.Outcome> answer(Question question) {
    var outcome = new CompletableFuture<Bindings.Outcome>();
    workers.run(() -> {
      try {
        outcome.complete(question.ask());
      } catch (ClientException failed) {
        outcome.complete(
            failed.kind() == ClientException.Kind.UNREACHABLE
                ? new Bindings.Outcome.Unsure(String.valueOf(failed.getMessage()))
                : new Bindings.Outcome.Refused(String.valueOf(failed.getMessage())));
      } catch (RuntimeException internalError) {
        outcome.completeExceptionally(internalError);
      }
    });
    return outcome;
  }
}
