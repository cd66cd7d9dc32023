package dev.berth.cli;

import dev.berth.cli.idle.Beneficiaries;
import dev.berth.cli.idle.IdleList;
import dev.berth.cli.idle.IdleSettings;
import dev.berth.cli.idle.IdleWorkloads;
import dev.berth.cli.lists.TreeText;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.idle.MeasurementSettings;
import dev.berth.controllers.idle.SeriesLabels;
import dev.berth.controllers.prometheus.PrometheusAnswer;
import dev.berth.controllers.prometheus.PrometheusServer;
import dev.berth.engine.model.GroupKey;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth idle`: workloads that hold GPUs and hardly use them.
@Command(
    name = "idle",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      ExitStatus.LISTED,
      "2:It was not: an option is wrong, or the cluster, the file or Prometheus cannot be read."
    },
    mixinStandardHelpOptions = true,
    description =
        "Lists running workloads of which GPUs do little, by what a Prometheus that scrapes the"
            + " DCGM exporter knows of them, and which workloads that wait would start if they"
            + " ended. Changes nothing.")
final class IdleCommand implements Callable<Integer> {
  private static final List<String> METRICS =
      List.of("DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE");
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final long LARGEST_FILE = 256L << 20;
  private static final Duration LONGEST = Duration.ofDays(7);
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  enum Format {
    table,
    wide,
    csv,
    json
  }

  @Mixin private ClusterSource source = new ClusterSource();

  @Mixin private PrometheusOptions prometheus = new PrometheusOptions();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description =
          "An answer of its query API (query_range), in the place of a Prometheus. The window ends"
              + " with its last sample.")
  private Optional<Path> metrics = Optional.empty();

  @Option(
      names = "--for",
      paramLabel = "DURATION",
      defaultValue = "30m",
      converter = Demo.GoDuration.class,
      description = "The window that is looked at, up to now (${DEFAULT-VALUE}).")
  private Duration window = Duration.ofMinutes(30);

  @Option(
      names = "--below",
      paramLabel = "PERCENT",
      defaultValue = "5",
      description = "A GPU with a lower mean over the window is idle (${DEFAULT-VALUE}).")
  private double below = 5;

  @Option(
      names = "--metric",
      paramLabel = "NAME",
      description =
          "The metric, or an expression. Default: DCGM_FI_DEV_GPU_UTIL, and where there is none"
              + " DCGM_FI_PROF_GR_ENGINE_ACTIVE.")
  private Optional<String> metric = Optional.empty();

  @Option(
      names = "--series",
      paramLabel = "SELECTOR",
      description =
          "Which series of --prometheus are believed: those of the exporter alone, as every pod"
              + " that is scraped can export the metric (${DEFAULT-VALUE}). Empty: all. Not for an"
              + " expression, which selects by itself.")
  private String series = MeasurementSettings.EXPORTER;

  @Option(
      names = "--ratio",
      description = "Values of the metric are 0 to 1; told by itself of names with _PROF_.")
  private boolean isRatio;

  @Option(
      names = "--label",
      paramLabel = "WHAT=LABEL",
      description =
          "In which label series tell their namespace, pod or uuid (of the GPU). Default:"
              + " exported_namespace, else namespace; exported_pod, else pod; UUID.")
  private Map<String, String> labels = new TreeMap<>();

  @Option(
      names = "--plans",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "Workloads, the largest loss first, of which a plan over a copy of the cluster shows what"
              + " would start if they ended (${DEFAULT-VALUE}).")
  private int plans = 50;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.table;

  private final PrintStream raw;
  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  IdleCommand() {
    this(System.out, System.err);
  }

  IdleCommand(PrintStream out, PrintStream errors) {
    this.raw = out;
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  /// Series, and the metric that they are of.
  private record Measured(String metric, List<MetricSeries> series, Instant end) {}

  @Override
  public Integer call() {
    try {
      check();
      var names = labels();
      var server = prometheus.server();
      return source.ask(
          cluster -> {
            try {
              tell(
                  cluster,
                  measured(server, cluster.snapshot().now().truncatedTo(ChronoUnit.SECONDS)),
                  names);
            } catch (MetricsException wrong) {
              throw new ScenarioException(List.of(String.valueOf(wrong.getMessage())));
            }
          },
          errors);
    } catch (MetricsException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private void check() throws MetricsException {
    if (prometheus.isNamed() == metrics.isPresent()) {
      throw new MetricsException(
          prometheus.isNamed()
              ? "--prometheus asks a server, --metrics reads a file: give one of them"
              : "how busy GPUs are is known to Prometheus alone: --prometheus URL names one that"
                  + " scrapes the DCGM exporter (kubectl port-forward svc/prometheus 9090, then"
                  + " --prometheus http://localhost:9090), --metrics FILE an answer of its query"
                  + " API");
    }
    if (!(below > 0 && below <= 100)) {
      throw new MetricsException(
          "--below is " + below + ", but must be more than 0, and 100 at most");
    }
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw new MetricsException("--for is " + window + ", but must be 1m to 168h");
    }
    if (plans < 0) {
      throw new MetricsException("--plans is " + plans + ", but must be 0 (none) or more");
    }
  }

  private SeriesLabels labels() throws MetricsException {
    var usual = SeriesLabels.DCGM;
    for (String name : labels.keySet()) {
      if (!List.of("namespace", "pod", "uuid").contains(name)) {
        throw new MetricsException(
            "--label "
                + name
                + "="
                + labels.get(name)
                + ": before = must be namespace, pod or uuid");
      }
    }
    return new SeriesLabels(
        labels.getOrDefault("namespace", usual.namespace()),
        labels.getOrDefault("pod", usual.pod()),
        labels.getOrDefault("uuid", usual.uuid()));
  }

  private Measured measured(Optional<PrometheusServer> server, Instant now)
      throws MetricsException {
    if (server.isEmpty()) {
      return ofFile(metrics.orElseThrow());
    }
    var names = metric.map(List::of).orElse(METRICS);
    for (String name : names) {
      var found =
          server.get().range(selected(name), now.minus(window), now, IdleSettings.stepOf(window));
      if (!found.isEmpty()) {
        return new Measured(name, found, now);
      }
    }
    throw new MetricsException(
        server.get()
            + " has no series of "
            + String.join(" and none of ", names)
            + " in the time of "
            + now.minus(window)
            + " to "
            + now
            + ": does it scrape the DCGM exporter? --metric NAME names another metric, --series"
            + " SELECTOR says how the exporter's series are told from others ("
            + (series.isEmpty() ? "all" : series)
            + ")");
  }

  /// An expression is the user's own.
  private String selected(String name) {
    return NAME.matcher(name).matches() ? MeasurementSettings.selected(name, series) : name;
  }

  private Measured ofFile(Path file) throws MetricsException {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        throw new MetricsException(file + " has more than " + (LARGEST_FILE >> 20) + " MiB");
      }
      var read = PrometheusAnswer.read(Files.readAllBytes(file), file.toString());
      var end =
          read.stream()
              .filter(each -> !each.samples().isEmpty())
              .map(each -> each.samples().lastKey())
              .max(Instant::compareTo)
              .orElseThrow(() -> new MetricsException(file + " holds no sample"));
      String name = metric.orElseGet(() -> read.getFirst().labels().getOrDefault("__name__", ""));
      return new Measured(name, read, end);
    } catch (IOException unreadable) {
      throw new MetricsException("--metrics " + file + " cannot be read: " + unreadable);
    }
  }

  private void tell(AskedCluster cluster, Measured measured, SeriesLabels names) {
    var settings =
        new IdleSettings(
            measured.end(),
            window,
            below,
            IdleSettings.stepOf(measured.series(), window),
            isRatio ? 100 : MeasurementSettings.scaleOf(measured.metric()),
            names);
    var waiting = new TreeSet<GroupKey>();
    cluster
        .waits()
        .forEach((group, wait) -> {
          if (wait.reason().startsByItself()) {
            waiting.add(group);
          }
        });
    var idle =
        IdleWorkloads.of(
                cluster.snapshot(), cluster.settings(), waiting, measured.series(), settings)
            .with(new Beneficiaries(cluster.whatIf(), waiting), plans);
    switch (format) {
      case table, wide -> {
        var lines = IdleList.table(idle, settings, format == Format.wide);
        lines.forEach(out::println);
        if (lines.isEmpty()) {
          errors.say(
              String.format(Locale.ROOT, "no workload has GPUs with a mean below %s %%", below));
        }
      }
      case csv -> raw.print(IdleList.csv(idle));
      case json -> TreeText.json(IdleList.tree(idle, settings)).forEach(out::println);
    }
    IdleList.notes(idle).forEach(errors::say);
  }
}
