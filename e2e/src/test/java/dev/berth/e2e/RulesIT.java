package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The alert rules, judged by promtool: their form, and that each fires where its one thing is
/// wrong and nowhere else (`monitoring/rules-test.yaml`).
class RulesIT {
  private static final Path ROOT = ControlPlane.root();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static String promtool = "";

  @TempDir private Path folder;

  private record Ran(int status, String output) {}

  @BeforeAll
  static void program() throws Exception {
    var log = Files.createTempFile("promtool-", ".log");
    var process =
        new ProcessBuilder(ROOT.resolve("e2e/control-plane/build").toString(), "promtool")
            .redirectError(log.toFile())
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    boolean isBuilt = process.waitFor() == 0;
    String told = Files.readString(log);
    Files.delete(log);
    assumeTrue(isBuilt, "promtool cannot be built here: " + told);
    promtool = output.strip();
  }

  private Ran run(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(promtool));
    command.addAll(List.of(arguments));
    var process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), output);
  }

  /// What prometheus-operator hands to Prometheus.
  private JsonNode rules() throws IOException {
    var object = YAML.readTree(ROOT.resolve("manifests/monitoring/rules.yaml").toFile());
    YAML.writeValue(folder.resolve("rules.yaml").toFile(), object.get("spec"));
    return object.get("spec");
  }

  private static JsonNode cases() throws IOException {
    try (var in = RulesIT.class.getResourceAsStream("/monitoring/rules-test.yaml")) {
      return YAML.readTree(in);
    }
  }

  @Test
  void promtoolFindsNoFault() throws Exception {
    rules();
    var ran = run("check", "rules", "--lint=all", "--lint-fatal", "rules.yaml");
    assertThat(ran.status).as(ran.output).isZero();
    assertThat(ran.output).contains("SUCCESS");
  }

  @Test
  void eachAlertFiresWhereItShouldAndNowhereElse() throws Exception {
    rules();
    var cases = cases();
    var file = YAML.createObjectNode().put("evaluation_interval", "5m");
    file.putArray("rule_files").add("rules.yaml");
    var tests = file.putArray("tests");
    add(
        tests.addObject(),
        "healthy",
        cases.get("healthy"),
        YAML.createObjectNode(),
        cases.at("/x"));
    for (JsonNode each : cases.get("cases")) {
      var base = each.path("alone").asBoolean() ? YAML.createObjectNode() : cases.get("healthy");
      var instead = each.has("series") ? each.get("series") : YAML.createObjectNode();
      add(tests.addObject(), each.get("fires").toString(), base, instead, each.get("fires"));
    }
    YAML.writeValue(folder.resolve("test.yaml").toFile(), file);
    var ran = run("test", "rules", "test.yaml");
    assertThat(ran.status).as(ran.output).isZero();
  }

  private static void add(
      ObjectNode test, String name, JsonNode healthy, JsonNode instead, JsonNode fires) {
    var series = new TreeMap<String, String>();
    healthy.properties().forEach(each -> series.put(each.getKey(), each.getValue().asText()));
    instead.properties().forEach(each -> series.put(each.getKey(), each.getValue().asText()));
    series.values().removeIf(values -> values.startsWith("_")); // absent
    test.put("name", name).put("interval", "1m");
    var input = test.putArray("input_series");
    series.forEach((key, values) -> input.addObject().put("series", key).put("values", values));
    var expected =
        test.putArray("promql_expr_test")
            .addObject()
            .put("expr", "count by (alertname) (ALERTS{alertstate=\"firing\"})")
            .put("eval_time", "3h")
            .putArray("exp_samples");
    for (JsonNode alert : fires) {
      expected.addObject().put("labels", "{alertname=" + alert + "}").put("value", 1);
    }
  }

  @Test
  void eachAlertHasItsCase() throws Exception {
    var alerts = new TreeSet<String>();
    rules().findValues("alert").forEach(alert -> alerts.add(alert.asText()));
    var tried = new TreeSet<String>();
    cases().get("cases").forEach(each -> each.get("fires").forEach(it -> tried.add(it.asText())));
    assertThat(tried).isEqualTo(alerts);
  }
}
