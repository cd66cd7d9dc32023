package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.cli.reference.MetricsPage;
import dev.berth.cli.reference.MetricsPage.Described;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Metrics keep to the conventions, dashboards and rules ask for metrics that there are, and each
/// alert has its runbook.
class MonitoringTest {
  private static final Path ROOT = Repository.root();
  private static final Path RUNBOOKS = ROOT.resolve("docs/operators/runbooks.md");
  private static final Path MONITORING = ROOT.resolve("manifests/monitoring");
  private static final Pattern NAME = Pattern.compile("\\b(?:berth|process|jvm)_[a-z0-9_]+");
  private static final Set<String> LEAVES_OF_HISTOGRAMS = Set.of("_bucket", "_sum", "_count");

  private static TreeMap<String, Described> described() throws ReflectiveOperationException {
    return MetricsPage.described(new Metrics().registry());
  }

  @Test
  void everyLabelIsExplainedAndNoOther() throws Exception {
    var used = new TreeSet<String>();
    described().values().forEach(it -> used.addAll(it.labels()));
    assertThat(used).isEqualTo(new TreeSet<>(MetricsPage.LABELS.keySet()));
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
