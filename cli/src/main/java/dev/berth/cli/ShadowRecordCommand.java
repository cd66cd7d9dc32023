package dev.berth.cli;

import dev.berth.cli.config.ConfigException;
import dev.berth.cli.config.ConfigFile;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogger;
import dev.berth.cli.shadow.ShadowReader;
import dev.berth.cli.shadow.ShadowRecorder;
import dev.berth.cli.shadow.ShadowRules;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.Api;
import dev.berth.controllers.kube.ApiOwners;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.controllers.kube.KubeCluster;
import dev.berth.controllers.kube.WriteSettings;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.Resource;
import dev.berth.engine.request.Quantities;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth shadow record`: writes what other schedulers do as a log of decisions.
@Command(
    name = "record",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:It ran for as long as --for says, and the log can be read.",
      "1:Nothing was recorded, or some of it could not be written.",
      "2:An option is wrong, or the cluster may not be read.",
      "130:Ctrl-C ended it, 143 a SIGTERM: the log can be read."
    },
    mixinStandardHelpOptions = true,
    description = {
      "Reads a cluster again and again, and writes a log in which the pods of its schedulers that"
          + " ask for GPUs count as Berth's: for berth shadow report, and berth replay --with.",
      "Sends GETs alone. Ctrl-C ends it; another run goes on in the same folder."
    })
final class ShadowRecordCommand implements Callable<Integer> {
  private static final Duration LAST = Duration.ofSeconds(8);
  private static final long LEAST_BYTES = 16L << 20;

  @Option(
      names = "--to",
      paramLabel = "FOLDER",
      required = true,
      description = "Where the log is written; the folder is made if it is missing.")
  private Path folder = Path.of("");

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      split = ",",
      description =
          "Whose pods count as Berth's, by spec.schedulerName; several with commas between."
              + " Default: those of all schedulers.")
  private List<String> schedulers = List.of();

  @Option(
      names = "--queue-label",
      paramLabel = "KEY",
      description =
          "The label of a pod, its owner or its namespace that names its queue. Default: what"
              + " Berth, Kueue, KAI Scheduler and Volcano read.")
  private Optional<String> queueLabel = Optional.empty();

  enum QueueBy {
    namespace
  }

  @Option(
      names = "--queue-by",
      paramLabel = "WHAT",
      description = "Each namespace is a queue of its own: ${COMPLETION-CANDIDATES}.")
  private Optional<QueueBy> queueBy = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      converter = Demo.GoDuration.class,
      defaultValue = "15s",
      description = "From one read to the next, 1s or more. Default: ${DEFAULT-VALUE}.")
  private Duration every = Duration.ofSeconds(15);

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      converter = Demo.GoDuration.class,
      description = "For how long, like 8h or 24h. Default: until Ctrl-C.")
  private Optional<Duration> length = Optional.empty();

  @Option(
      names = "--max-bytes",
      paramLabel = "QUANTITY",
      defaultValue = "1Gi",
      description =
          "Most bytes of all files in the folder, 16Mi or more; the oldest are deleted. Default:"
              + " ${DEFAULT-VALUE}.")
  private String most = "1Gi";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The configuration of the Berth that is imagined. Default: the defaults.")
  private Optional<Path> config = Optional.empty();

  @Mixin private ClusterOptions running = new ClusterOptions();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ShadowRecordCommand() {
    this(System.out, System.err);
  }

  ShadowRecordCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try (var cluster = running.open()) {
      return record(cluster, rules(), bytes());
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
    } catch (ClientException refused) {
      errors.say(String.valueOf(refused.getMessage()));
    } catch (IOException unwritable) {
      errors.say("--to " + folder + " cannot be written: " + unwritable);
    }
    return 2;
  }

  private ShadowRules rules() throws ScenarioException {
    if (queueLabel.isPresent() && queueBy.isPresent()) {
      throw new ScenarioException(
          List.of(
              "--queue-label "
                  + queueLabel.get()
                  + " and --queue-by "
                  + queueBy.get()
                  + " both say what the queue is: give one of them"));
    }
    if (every.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new ScenarioException(
          List.of("--every is " + every.toMillis() + "ms, but must be 1s or more"));
    }
    return new ShadowRules(new TreeSet<>(schedulers), queueLabel.orElse(""), queueBy.isPresent());
  }

  private long bytes() throws ScenarioException {
    var bytes = Quantities.amount(Resource.MEMORY, most);
    if (bytes.orElse(0) < LEAST_BYTES) {
      throw new ScenarioException(
          List.of(
              "--max-bytes is \""
                  + most
                  + "\", but must be a quantity of bytes from 16Mi, like 1Gi"));
    }
    return bytes.getAsLong();
  }

  private int record(KubeCluster cluster, ShadowRules rules, long bytes)
      throws ScenarioException, ClientException, IOException {
    var settings = settings();
    var planner = ScenarioProduct.config(settings).planner();
    var time = InstantSource.system();
    var api =
        new Api(
            cluster, WriteSettings.DEFAULT, Math::random, dev.berth.controllers.Metrics.unseen());
    var reader =
        new ShadowReader(
            new ApiReads(cluster),
            new ApiOwners(api, time),
            time,
            rules,
            settings,
            ScenarioProduct.shipyard());
    Files.createDirectories(folder);
    var dropped = new AtomicLong();
    var log =
        new DecisionLogger(
            new DecisionFolder(folder, bytes),
            time,
            new DecisionLogger.Listener() {
              @Override
              public void written(long bytes) {}

              @Override
              public void dropped() {
                if (dropped.getAndIncrement() == 0) {
                  errors.say("a snapshot cannot be written to " + folder + ": is the disk full?");
                }
              }
            });
    var recorder =
        new ShadowRecorder(
            reader::read, log.start(), Main.Version.number(), planner, time, errors::say);
    var done = new CountDownLatch(1);
    var atExit =
        new Thread(() -> {
          recorder.stop();
          await(done);
        });
    Runtime.getRuntime().addShutdownHook(atExit);
    out.println(
        "Reads "
            + cluster.server()
            + " every "
            + every.toSeconds()
            + "s, and writes to "
            + folder
            + ". Ctrl-C ends it.");
    try {
      var end = length.map(time.instant()::plus).orElse(Instant.MAX);
      var result = recorder.run(every, end);
      log.close();
      out.println(
          "Wrote "
              + Phrases.count((int) result.snapshots(), "snapshot")
              + ". "
              + Phrases.count((int) result.failures(), "read")
              + " failed, "
              + Phrases.count((int) dropped.get(), "snapshot")
              + " could not be written.");
      return result.snapshots() > 0 && dropped.get() == 0 ? 0 : 1;
    } finally {
      log.close();
      done.countDown();
    }
  }

  private static void await(CountDownLatch done) {
    try {
      var _ = done.await(LAST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> settings() throws ScenarioException {
    var settings = new LinkedHashMap<String, Object>();
    if (config.isPresent()) {
      try {
        if (!(ConfigFile.tree(config.get()) instanceof Map<?, ?> map)) {
          throw new ScenarioException(List.of("--config " + config.get() + " has no settings"));
        }
        map.forEach((key, value) -> settings.put(String.valueOf(key), value));
      } catch (ConfigException wrong) {
        throw new ScenarioException(String.valueOf(wrong.getMessage()).lines().toList());
      }
    }
    return settings;
  }
}
