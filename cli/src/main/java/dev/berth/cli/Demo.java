package dev.berth.cli;

import dev.berth.cli.config.Config;
import dev.berth.cli.demo.DemoStage;
import dev.berth.cli.demo.RealTime;
import dev.berth.cli.demo.SceneBuilder;
import dev.berth.cli.demo.Screen;
import dev.berth.cli.demo.Show;
import dev.berth.cli.demo.Summary;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.loop.VirtualThreads;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.request.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/// `berth demo`: the whole product on a cluster in memory, in real time.
@Command(
    name = "demo",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:It ended; with --headless: gangs and shares were placed, and no invariant was broken.",
      "1:With --headless: they were not, or one was.",
      ExitStatus.WRONG_OPTIONS
    },
    mixinStandardHelpOptions = true,
    description = {
      "Shows Berth at work on a cluster in memory: gangs, shares, queues, and what pods wait for.",
      "q or Ctrl-C ends it, and tells what happened."
    })
final class Demo implements Callable<Integer> {
  private static final int MOST_PORTS = 65_535;

  @Option(
      names = "--headless",
      description =
          "No live view: a line now and then, then a summary. Also where the output is no"
              + " terminal.")
  private boolean headless;

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = GoDuration.class,
      description = "How long, like 60s or 5m. Default: until q or Ctrl-C; headless 60s.")
  private Optional<Duration> duration = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "Seed of the simulated users. Default: ${DEFAULT-VALUE}.")
  private long seed = 42;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Where the pages listen, on loopback; another one where that is taken. Default:"
              + " ${DEFAULT-VALUE}.",
      defaultValue = "8890")
  private int port = 8890;

  @Override
  public Integer call() {
    if (port < 0 || port > MOST_PORTS) {
      SingleLineOutput.errors().say("--port " + port + ": must be from 0 to " + MOST_PORTS);
      return 2;
    }
    boolean live = !headless && Screen.isThere();
    quiet(live);
    var config = Config.defaults();
    Instant began = Instant.now();
    Instant ends =
        duration
            .or(() -> live ? Optional.empty() : Optional.of(Duration.ofMinutes(1)))
            .map(began::plus)
            .orElse(Instant.MAX);
    try (var time = new RealTime();
        var workers = new VirtualThreads("berth", time, Duration.ofSeconds(1))) {
      var stage = new DemoStage(time, seed);
      var title = new AtomicReference<>("berth demo");
      var rest = new RestModule();
      var listener = new SceneBuilder(title::get, began, stage.logbook(), Sentences::of);
      var metrics = new Metrics();
      var product =
          Wiring.of(
              config,
              new Wiring.ApiClients(stage.clients(), stage.events(), OwnerClient.BARRED),
              workers,
              rest.listening(metrics.counters()).andTell(listener::hear));
      stage.open(product.watcher(), product.verbs());
      product.start(Freshness.always());
      var pages = DemoPages.open(rest, product, config, workers, port);
      title.set("berth demo   " + pages.address());
      if (!live) {
        System.out.println("Pages: " + pages.address());
      }
      var summary =
          new Summary(
              stage.world(),
              stage.logbook(),
              () -> listener.scene(product.snapshot()),
              config.cycle().deadline(),
              System.out);
      boolean held = true;
      if (live) {
        boolean coloured = Screen.isColoured(System.getenv());
        new Show(() -> listener.scene(product.snapshot()), coloured, summary).run(ends, () -> true);
      } else {
        held = summary.run(ends);
      }
      pages.close();
      product.stop();
      return held ? 0 : 1;
    }
  }

  /// Log lines would tear the picture.
  private static void quiet(boolean live) {
    var root = org.slf4j.LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    if (root instanceof ch.qos.logback.classic.Logger logger) {
      logger.setLevel(live ? ch.qos.logback.classic.Level.OFF : ch.qos.logback.classic.Level.WARN);
    }
  }

  /// `60s`, `1h30m`.
  static final class GoDuration implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return Durations.parse(value)
          .filter(Duration::isPositive)
          .orElseThrow(() ->
              new TypeConversionException(
                  "'" + value + "' is not a duration above zero, like 60s, 5m or 1h30m"));
    }
  }
}
