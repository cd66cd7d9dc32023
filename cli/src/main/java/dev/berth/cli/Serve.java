package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.config.ConfigException;
import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Watcher;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiEvents;
import dev.berth.controllers.kube.ApiGroups;
import dev.berth.controllers.kube.ApiHolders;
import dev.berth.controllers.kube.ApiPods;
import dev.berth.controllers.kube.Cluster;
import dev.berth.controllers.kube.ClusterSettings;
import dev.berth.controllers.kube.WatchSettings;
import dev.berth.controllers.kube.Watches;
import dev.berth.controllers.kube.WriteSettings;
import dev.berth.controllers.loop.VirtualThreads;
import dev.berth.extender.ExtenderServer;
import dev.berth.extender.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `berth serve`: the product on a real cluster, until it is told to stop.
@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "Serves a cluster: watches, plans, and answers its kube-scheduler.")
final class Serve implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(Serve.class);
  private static final int THREADS = 32;

  @Option(
      names = "--kubeconfig",
      defaultValue = "",
      description = "Credentials. Default: the pod's service account, else what kubectl takes.")
  private String kubeconfig = "";

  @Option(names = "--context", defaultValue = "", description = "Of the kubeconfig.")
  private String context = "";

  @Option(names = "--config", description = "The configuration file (YAML). Default: none.")
  private Optional<Path> file = Optional.empty();

  @Override
  public Integer call() {
    try {
      var config = file.isPresent() ? Config.read(file.get()) : Config.defaults();
      serve(config);
      return 0;
    } catch (ConfigException | DoorException wrong) {
      String where = file.map(path -> " (in " + path + ")").orElse("");
      for (String line : String.valueOf(wrong.getMessage()).split("\n", -1)) {
        System.err.println("berth: " + line + (wrong instanceof ConfigException ? where : ""));
      }
      return 2;
    }
  }

  private void serve(Config config) throws DoorException {
    var time = InstantSource.system();
    var metrics = new Metrics();
    DoubleSupplier chance = () -> ThreadLocalRandom.current().nextDouble();

    var base = ClusterSettings.DEFAULT;
    var cluster =
        Cluster.open(new ClusterSettings(kubeconfig, context, base.callTimeout(), base.silence()));
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
    var product =
        new Wiring(
            config,
            new Wiring.Doors(
                new ApiPods(api),
                new ApiHolders(api, config.holderPods()),
                new ApiGroups(api),
                new ApiEvents(api, instance(), time)),
            workers,
            metrics.counters());
    var watches =
        new Watches(
            cluster,
            List.of(Watcher.Kind.values()),
            product.watcher(),
            WatchSettings.DEFAULT,
            time,
            chance,
            metrics.controllers());
    var listen = config.extender().listen();
    var server =
        new ExtenderServer(
                new ServerSettings(
                    listen.host(),
                    listen.port(),
                    THREADS,
                    config.extender().barrier().plus(config.cycle().deadline())),
                product.verbs(),
                product::missing,
                metrics.verbs(),
                List.of())
            .start();
    LOG.atInfo()
        .addKeyValue("host", listen.host())
        .addKeyValue("port", server.port())
        .log("listens");
    watches.start();
    product.start(watches);
    var stop = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(() -> {
              LOG.atInfo().log("stops");
              product.stop();
              server.close();
              watches.close();
              workers.close();
              cluster.close();
              stop.countDown();
            }));
    try {
      stop.await();
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  /// Wrong credentials end us at once; a server that is away for the moment does not.
  private static void greet(Cluster cluster) throws DoorException {
    try {
      LOG.atInfo()
          .addKeyValue("server", cluster.server())
          .addKeyValue("version", cluster.version())
          .log("cluster");
    } catch (DoorException failed) {
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
