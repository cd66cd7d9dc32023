package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.cli.decisions.DecisionLogger;
import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.LeaseClient;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.client.OwnPodClient;
import dev.berth.controllers.client.WriteClients;
import dev.berth.controllers.client.WriterFacades;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiCapacity;
import dev.berth.controllers.kube.ApiClaimTemplates;
import dev.berth.controllers.kube.ApiEvents;
import dev.berth.controllers.kube.ApiGroups;
import dev.berth.controllers.kube.ApiHolders;
import dev.berth.controllers.kube.ApiLeaderLabel;
import dev.berth.controllers.kube.ApiLeases;
import dev.berth.controllers.kube.ApiOwnPod;
import dev.berth.controllers.kube.ApiOwners;
import dev.berth.controllers.kube.ApiPodConditions;
import dev.berth.controllers.kube.ApiPods;
import dev.berth.controllers.kube.ApiProbes;
import dev.berth.controllers.kube.ApiQueues;
import dev.berth.controllers.kube.ApiRefusedPods;
import dev.berth.controllers.kube.ApiRequeues;
import dev.berth.controllers.kube.ClusterSettings;
import dev.berth.controllers.kube.KubeCluster;
import dev.berth.controllers.kube.WatchClock;
import dev.berth.controllers.kube.WatchObserver;
import dev.berth.controllers.kube.WatchSettings;
import dev.berth.controllers.kube.Watches;
import dev.berth.controllers.kube.WriteSettings;
import dev.berth.controllers.lease.LeaderLabelKeeper;
import dev.berth.controllers.lease.LeaseSettings;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.controllers.loop.OneThread;
import dev.berth.controllers.loop.VirtualThreads;
import dev.berth.controllers.loop.Workers;
import dev.berth.extender.ExtenderServer;
import dev.berth.extender.Health;
import dev.berth.extender.ServerSettings;
import dev.berth.extender.tls.UnusableCertificates;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `berth serve`: the product on a real cluster, until it is told to stop.
@Command(
    name = "serve",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "2:The configuration, the credentials or the certificates cannot be used, or an option is"
          + " wrong.",
      "3:Another replica took the lease, or leadership ended otherwise; start it again.",
      "143:It was told to stop (SIGTERM)."
    },
    mixinStandardHelpOptions = true,
    description = "Serves a cluster: watches, plans, and answers its kube-scheduler.")
final class Serve implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);
  private static final int THREADS = 32;

  /// No plan takes so long: people should look.
  private static final Duration SLOW_PLAN = Duration.ofSeconds(60);

  /// It will not come to its end any more: another process should lead.
  private static final Duration HUNG_PLAN = Duration.ofMinutes(5);

  private static final Duration LAST_EVENTS = Duration.ofSeconds(1);

  /// Another process leads: this one has ended, so that it comes up anew and stands by.
  private static final int DEPOSED = 3;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      defaultValue = "",
      description = "Credentials. Default: the pod's service account, else what kubectl takes.")
  private String kubeconfig = "";

  @Option(
      names = "--context",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Context of the kubeconfig. Default: its current one.")
  private String context = "";

  @Option(
      names = "--no-lease",
      description =
          "Leads at once, without a lease. Only where no other Berth runs in this cluster.")
  private boolean withoutLease;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration file (YAML). Default: none, so all defaults hold.")
  private Optional<Path> file = Optional.empty();

  @Override
  public Integer call() {
    try {
      var config = file.isPresent() ? Config.read(file.get()) : Config.defaults();
      return serve(config);
    } catch (ConfigException | ClientException | UnusableCertificates | MetricsException wrong) {
      String where = file.map(path -> " (in " + path + ")").orElse("");
      for (String line : String.valueOf(wrong.getMessage()).split("\n", -1)) {
        SingleLineOutput.errors().say(line + (wrong instanceof ClientException ? "" : where));
      }
      return 2;
    }
  }

  /// @return 0, or [#DEPOSED]
  private int serve(Config config) throws ClientException, UnusableCertificates, MetricsException {
    LogFormat.use(config.log().format());
    Heap.keepSmall();
    var time = InstantSource.system();
    var metrics = new Metrics();
    DoubleSupplier chance = () -> ThreadLocalRandom.current().nextDouble();

    var base = ClusterSettings.DEFAULT;
    var cluster =
        KubeCluster.open(
            new ClusterSettings(kubeconfig, context, base.callTimeout(), base.silenceTimeout()));
    var defaults = WriteSettings.DEFAULT;
    var api =
        new Api(
            cluster,
            new WriteSettings(
                config.writesInFlight(),
                defaults.attempts(),
                defaults.budget(),
                defaults.firstPause()),
            chance,
            metrics.controllers());
    greet(cluster);

    var workers = new VirtualThreads("berth", time, Duration.ofSeconds(5));
    String identity = instance() + "_" + UUID.randomUUID();
    var leases = leases(config.lease(), api);
    var leadership = leadership(config.lease(), identity, leases, workers, metrics);
    var writes = api.behind(leadership);
    var pod = ApiOwnPod.from(System.getenv(), writes).filter(_ -> isLeased(config.lease()));
    var events = new ApiEvents(writes, api, instance(), time);
    var answered = new AnsweredWrites();
    var clients =
        new WriteClients(
            new ApiPods(writes, time),
            new ApiPodConditions(writes),
            new ApiRequeues(writes),
            new ApiHolders(writes, config.holderPods()),
            Optional.of(new ApiProbes(writes, config.holderPods())),
            pod.orElse(OwnPodClient.NONE),
            new ApiGroups(writes),
            new ApiQueues(writes),
            new ApiCapacity(writes, config.holderPods()),
            new ApiClaimTemplates(writes, config.claimTemplates()),
            leases);
    var rest = new RestModule();
    var counters = metrics.counters();
    var decisionLog =
        config
            .decisionLog()
            .folder()
            .map(folder -> new DecisionLogger(folder, time, metrics.decisionLog()).start());
    var product =
        Wiring.of(
            Environment.of(
                config,
                new Wiring.ApiClients(
                    new WriterFacades(answered.noting(clients), clients),
                    events,
                    new ApiOwners(api, time),
                    new ApiRefusedPods(api),
                    config.idle().server()),
                workers,
                config.rest().enabled() ? rest.listening(counters) : counters,
                leadership),
            decisionLog
                .map(log -> Wiring.policy(config.planner(), log))
                .orElseGet(() -> Wiring.policy(config.planner())));
    var stop = new CountDownLatch(1);
    var status = new AtomicInteger();
    Consumer<String> lost =
        _ -> {
          status.set(DEPOSED);
          stop.countDown();
        };
    var standby = new WarmStandby(product.watcher());
    var watches =
        new Watches(
            cluster,
            config.kinds(),
            standby,
            WatchSettings.DEFAULT,
            new WatchClock(time, chance),
            new WatchObserver(metrics.controllers(), answered, lost));
    metrics.controllers().watchSilences(watches::silences);
    var listen = config.extender().listen();
    var guards = new RequestGuards(api, time);
    var transport =
        RequestGuards.transport(
            config.extender().tls(), api, workers, () -> product.missing().isEmpty());
    var more = new ArrayList<>(guards.before(config.extender().metrics()));
    if (config.rest().enabled()) {
      more.addAll(rest.routes(product, config, workers, guards.viewers()));
    }
    var server =
        new ExtenderServer(
                new ServerSettings(
                    listen.host(),
                    listen.port(),
                    THREADS,
                    config.extender().barrier().plus(config.cycle().deadline()),
                    transport),
                product.verbs(),
                new Health(
                    product::missing,
                    () -> leadership.unavailable().or(() -> product.stuck(SLOW_PLAN)),
                    () -> product.stuck(HUNG_PLAN)),
                metrics.verbs(),
                more)
            .start();
    LOG.atInfo()
        .addKeyValue("host", listen.host())
        .addKeyValue("port", server.port())
        .log("listens");
    leadership.labelling(
        ApiLeaderLabel.from(System.getenv(), writes, api)
            .map(label -> new LeaderLabelKeeper(label, workers)));
    pod.ifPresent(own -> {
      leadership.warmedBy(new LeadershipLifecycle.Warm(identity, own, standby, config.kinds()));
      watches.start();
      new WarmUp(
              config,
              standby,
              () -> leadership.unavailable().isEmpty(),
              () -> leadership.barred().isEmpty(),
              workers)
          .start();
    });
    leadership.stand(
        product,
        () -> {
          standby.handOn();
          if (pod.isEmpty()) {
            watches.start();
          }
          product.start(watches);
        },
        lost);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              LOG.atInfo().log("stops");
              events.hurry(LAST_EVENTS); // while they may be written
              var left = new CountDownLatch(1);
              leadership.leave(left::countDown);
              await(left);
              events.hurry(LAST_EVENTS); // of what was done meanwhile
              server.close();
              watches.close();
              workers.close();
              cluster.close();
              decisionLog.ifPresent(DecisionLogger::close);
              stop.countDown();
            }));
    await(stop);
    return status.get();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isLeased(LeaseSettings settings) {
    return settings.enabled() && !withoutLease;
  }

  private LeaseClient leases(LeaseSettings settings, Api api) {
    return isLeased(settings)
        ? new ApiLeases(
            api.behind(within(settings.renewDeadline().dividedBy(2))),
            settings.namespace(),
            settings.name())
        : LeaseClient.NONE;
  }

  private LeadershipLifecycle leadership(
      LeaseSettings settings,
      String identity,
      LeaseClient leases,
      Workers workers,
      Metrics metrics) {
    if (!isLeased(settings)) {
      return LeadershipLifecycle.alone(workers, metrics.controllers());
    }
    return LeadershipLifecycle.by(
        leases,
        identity,
        settings,
        () -> Instant.EPOCH.plusNanos(System.nanoTime()),
        new OneThread("berth-lease", workers.time()),
        workers,
        metrics.controllers());
  }

  /// The elector's writes are behind no fence, but must be answered soon.
  private static Fence within(Duration patience) {
    return new Fence() {
      @Override
      public Optional<String> barred() {
        return Optional.empty();
      }

      @Override
      public Duration left() {
        return patience;
      }

      @Override
      public void unanswered() {} // the elector knows what comes of a lost renewal
    };
  }

  /// Wrong credentials end the process at once; a server that is away for the moment does not.
  private static void greet(KubeCluster cluster) throws ClientException {
    try {
      LOG.atInfo()
          .addKeyValue("server", cluster.server())
          .addKeyValue("version", cluster.version())
          .log("cluster");
    } catch (ClientException failed) {
      if (!failed.isPassing()) {
        throw failed;
      }
      LOG.atWarn().addKeyValue("why", failed.getMessage()).log("cluster does not answer yet");
    }
  }

  private static String instance() {
    return System.getenv().getOrDefault("HOSTNAME", "berth");
  }
}
