package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.SimpleCollector;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// `docs/operators/metrics.md` is made from the code, dashboards and rules ask for metrics that
/// there are, and each alert has its runbook.
///
/// After a change that is meant: `./mvnw -pl cli -am test -Dtest=MonitoringTest
/// -Dberth.metrics=write` writes the page.
class MonitoringTest {
  private static final Path ROOT = Repository.root();
  private static final Path PAGE = ROOT.resolve("docs/operators/metrics.md");
  private static final Path RUNBOOKS = ROOT.resolve("docs/operators/runbooks.md");
  private static final Path MONITORING = ROOT.resolve("manifests/monitoring");
  private static final String TABLES =
      "<!-- From here on made from the code by MonitoringTest. -->";
  private static final Pattern NAME = Pattern.compile("\\b(?:berth|process|jvm)_[a-z0-9_]+");
  private static final Set<String> LEAVES_OF_HISTOGRAMS = Set.of("_bucket", "_sum", "_count");

  /// Values of labels, and where their number is bounded.
  private static final Map<String, String> LABELS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "queue",
                  "name of a Queue: the 500 oldest; `_other` the rest, `_unknown` no such queue"),
              Map.entry("parent", "the same, empty below the root"),
              Map.entry("leaf", "`true`, `false`"),
              Map.entry("resource", "`gpu` (in GPUs), `cpu` (cores), `memory` (bytes)"),
              Map.entry(
                  "model",
                  "label `nvidia.com/gpu.product` of nodes: the first 50; `_other`, `_unknown`"),
              Map.entry("reason", "code of a reason, [reasons.md](../users/reasons.md)"),
              Map.entry("state", "see the metric"),
              Map.entry("standing", "see the metric"),
              Map.entry("at_least", "`1`, `2`, `4`, `8`, `16`"),
              Map.entry(
                  "cause",
                  "of evictions `consolidate`, `reclaim`, `preempt`, `stale`, `max_runtime`; of"
                      + " lists `start`, `expired`, `broken`, `absent`"),
              Map.entry("scope", "`workload`, `namespace`"),
              Map.entry("kind", "kind of an object, or of a drift ([devices.md](devices.md))"),
              Map.entry("verb", "`filter`, `prioritize`, `preempt`, `bind`"),
              Map.entry(
                  "outcome",
                  "closed list: of writes `done`, `gone`, `conflict`, `refused`, `not_now`,"
                      + " `unreachable`; of gangs `open`, `timed_out`, `cancelled`, `left`; of"
                      + " verbs what they answered"),
              Map.entry("write", "what is written, such as `lift`, `bind`, `evict`"),
              Map.entry("operation", "`writes`, `gate_removals`, `evictions`"),
              Map.entry("decision", "`reserve`, `evict`, `withdraw`"),
              Map.entry("version", "of Berth"),
              Map.entry("quantile", "`0.5` (the median), `0.9` (P90)"),
              Map.entry("node", "name of the node"),
              Map.entry("uuid", "of the GPU, as dcgm-exporter tells it"),
              Map.entry("namespace", "of the pod"),
              Map.entry(
                  "pod",
                  "its name; one series for each GPU of which a pod has a share, so bounded by"
                      + " shares"),
              Map.entry("container", "that has the share"),
              Map.entry("area", "`heap`, `nonheap`"),
              Map.entry("pool", "of the JVM"),
              Map.entry("gc", "collector of the JVM")));

  private record Described(String name, String type, List<String> labels, String help) {}

  private static TreeMap<String, Described> described() throws ReflectiveOperationException {
    var described = new TreeMap<String, Described>();
    for (Collector collector : collectors(new Metrics().registry())) {
      for (MetricFamilySamples family : collector.collect()) {
        String suffix = family.type == Collector.Type.COUNTER ? "_total" : "";
        String name = family.name.endsWith(suffix) ? family.name : family.name + suffix;
        described.put(
            name,
            new Described(
                name,
                family.type.name().toLowerCase(Locale.ROOT),
                labels(collector, family),
                family.help));
      }
    }
    return described;
  }

  /// The library keeps both to itself.
  @SuppressWarnings("unchecked")
  private static Set<Collector> collectors(CollectorRegistry registry)
      throws ReflectiveOperationException {
    var names = CollectorRegistry.class.getDeclaredField("collectorsToNames");
    names.setAccessible(true);
    return ((Map<Collector, ?>) names.get(registry)).keySet();
  }

  @SuppressWarnings("unchecked")
  private static List<String> labels(Collector collector, MetricFamilySamples family)
      throws ReflectiveOperationException {
    Class<?> keeper =
        switch (collector) {
          case SimpleCollector<?> _ -> SimpleCollector.class;
          default ->
              family instanceof GaugeMetricFamily
                  ? GaugeMetricFamily.class
                  : family instanceof CounterMetricFamily
                      ? CounterMetricFamily.class
                      : Object.class;
        };
    if (keeper == Object.class) {
      return family.samples.stream().flatMap(it -> it.labelNames.stream()).distinct().toList();
    }
    Field field = keeper.getDeclaredField("labelNames");
    field.setAccessible(true);
    return (List<String>) field.get(keeper == SimpleCollector.class ? collector : family);
  }

  @Test
  void thePageOfMetricsIsWhatTheCodeSays() throws Exception {
    String page = Files.readString(PAGE);
    assertThat(page).contains(TABLES);
    String expected =
        page.substring(0, page.indexOf(TABLES)) + TABLES + "\n\n" + tables(described());
    if (System.getProperty("berth.metrics", "").equals("write")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(Files.readString(PAGE))
        .as("docs/operators/metrics.md; see above")
        .isEqualTo(expected);
  }

  private static String tables(TreeMap<String, Described> all) {
    var text = new StringBuilder();
    table(text, "Metrics of Berth", all, true);
    table(text, "Of the process", all, false);
    text.append("## Labels\n\n| label | values |\n|---|---|\n");
    LABELS.forEach((label, values) ->
        text.append("| `").append(label).append("` | ").append(values).append(" |\n"));
    return text.toString();
  }

  private static void table(
      StringBuilder text, String title, TreeMap<String, Described> all, boolean ours) {
    text.append("## ")
        .append(title)
        .append("\n\n| metric | type | labels | what |\n|---|---|---|---|\n");
    all.values().stream()
        .filter(it -> it.name().startsWith("berth_") == ours)
        .forEach(it ->
            text.append("| `")
                .append(it.name())
                .append("` | ")
                .append(it.type())
                .append(" | ")
                .append(
                    it.labels().stream().map(l -> "`" + l + "`").collect(Collectors.joining(" ")))
                .append(" | ")
                .append(it.help())
                .append(" |\n"));
    text.append('\n');
  }

  @Test
  void everyLabelIsExplainedAndNoOther() throws Exception {
    var used = new TreeSet<String>();
    described().values().forEach(it -> used.addAll(it.labels()));
    assertThat(used).isEqualTo(new TreeSet<>(LABELS.keySet()));
  }

  @Test
  void metricsKeepToTheConventions() throws Exception {
    var ours = new ArrayList<>(described().values());
    ours.removeIf(it -> !it.name().startsWith("berth_"));
    assertThat(ours).hasSizeGreaterThan(50);
    assertThat(ours)
        .allSatisfy(it -> {
          assertThat(it.name()).matches("[a-z][a-z0-9_]*");
          assertThat(it.help()).matches("[A-Z0-9].*\\.");
          assertThat(it.name().endsWith("_total")).isEqualTo(it.type().equals("counter"));
          assertThat(it.name()).doesNotContainPattern("_(ms|millis|minutes|hours|percent|mib)\\b");
        });
  }

  /// Name → where it is asked for.
  private static TreeMap<String, String> askedFor() throws IOException {
    var asked = new TreeMap<String, String>();
    try (var dashboards = Files.list(MONITORING.resolve("dashboards"))) {
      for (Path file : dashboards.sorted().toList()) {
        for (JsonNode expr : new ObjectMapper().readTree(file.toFile()).findValues("expr")) {
          names(expr.asText(), file.getFileName().toString(), asked);
        }
      }
    }
    for (JsonNode expr : rules().findValues("expr")) {
      names(expr.asText(), "rules.yaml", asked);
    }
    return asked;
  }

  private static JsonNode rules() throws IOException {
    return new YAMLMapper().readTree(MONITORING.resolve("rules.yaml").toFile());
  }

  private static void names(String expr, String where, TreeMap<String, String> asked) {
    var names = NAME.matcher(expr.replaceAll("\"[^\"]*\"", "\"\""));
    while (names.find()) {
      asked.put(names.group(), where);
    }
  }

  @Test
  void dashboardsAndRulesAskForMetricsThatThereAre() throws Exception {
    var there = described();
    var exported = new TreeSet<String>();
    there
        .values()
        .forEach(it -> {
          boolean isWhole = it.type().equals("histogram") || it.type().equals("summary");
          if (isWhole) {
            LEAVES_OF_HISTOGRAMS.forEach(leaf -> exported.add(it.name() + leaf));
          } else {
            exported.add(it.name());
          }
        });
    var asked = askedFor();
    assertThat(asked).hasSizeGreaterThan(40);
    asked.keySet().removeAll(exported);
    assertThat(asked).as("asked for and not there").isEmpty();
  }

  @Test
  void everyMetricOfOursIsOnADashboardOrInARule() throws Exception {
    String asked = String.join(" ", askedFor().keySet()) + " ";
    assertThat(described().keySet().stream().filter(name -> name.startsWith("berth_")))
        .as("nobody would see it")
        .allMatch(name -> asked.contains(name + " ") || asked.contains(name + "_"));
  }

  @Test
  void everyAlertHasItsRunbookAndNoOther() throws Exception {
    var alerts = new ArrayList<String>();
    for (JsonNode group : rules().at("/spec/groups")) {
      for (JsonNode rule : group.get("rules")) {
        String alert = rule.get("alert").asText();
        alerts.add(alert);
        assertThat(rule.at("/annotations/runbook").asText())
            .isEqualTo("docs/operators/runbooks.md#" + alert.toLowerCase(Locale.ROOT));
        assertThat(rule.at("/labels/severity").asText()).isIn("critical", "warning", "info");
        assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
      }
    }
    assertThat(alerts).hasSizeGreaterThan(20).doesNotHaveDuplicates();
    var sections = List.of(Files.readString(RUNBOOKS).split("\n## "));
    assertThat(sections.stream().skip(1).map(section -> section.lines().findFirst().orElse("")))
        .containsExactlyElementsOf(alerts);
    assertThat(sections.stream().skip(1))
        .allSatisfy(
            section -> assertThat(section).contains("**Means.**", "**Look at.**", "**Do.**"));
  }

  @Test
  void theFoldersListEveryDashboard() throws Exception {
    String kustomization = Files.readString(MONITORING.resolve("kustomization.yaml"));
    try (var dashboards = Files.list(MONITORING.resolve("dashboards"))) {
      var files = dashboards.map(file -> file.getFileName().toString()).toList();
      assertThat(files).hasSize(5);
      assertThat(files).allMatch(file -> kustomization.contains("dashboards/" + file));
    }
  }
}
