package dev.berth.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `docs/contributors/scenarios.md` names every field, phase and kind. (`TestScenariosTest` plays
/// its example.)
class ScenariosPageTest {
  private static final Pattern KNOWN = Pattern.compile("(\\S*)odd is not .*known are (.*)");

  /// A mapping with an unknown field on each level.
  private static final String ODD =
      """
      {apiVersion: berth.dev/v1alpha1, kind: Scenario, odd: 1, metadata: {name: a, odd: 1},
       spec: {odd: 1, expect: {odd: 1, evictions: {odd: 1}, workloads: {g: {running: 1, odd: 1}},
        pods: {p: {phase: Running, odd: 1}}}}}
      """;

  @TempDir private Path folder;

  @Test
  void everyFieldStandsOnThePage() throws IOException {
    var fields = new TreeSet<String>();
    var file = Files.writeString(folder.resolve("odd.yaml"), ODD);
    for (String wrong : ScenarioFiles.read(file).wrong().lines().toList()) {
      var match = KNOWN.matcher(wrong);
      assertThat(match.find()).as(wrong).isTrue();
      for (String field : match.group(2).split(", ", -1)) {
        fields.add(
            (match.group(1) + field)
                .replace("pods.p.", "pods.<pod>.")
                .replace("workloads.g.", "workloads.<group>."));
      }
    }
    assertThat(fields).contains("spec.now", "spec.expect.pods.<pod>.nodeIn").hasSizeGreaterThan(12);
    fields.removeAll(List.of("metadata", "spec"));
    var page = page();
    assertThat(fields).allSatisfy(field -> assertThat(page).contains("`" + field + "`"));
  }

  @Test
  void everyPhaseAndKindStandsOnThePage() throws IOException {
    var page = page();
    assertThat(Expectations.Phase.words())
        .allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    assertThat(Kinds.names().split(", ")).allSatisfy(kind -> assertThat(page).contains(kind));
  }

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "contributors", "scenarios.md"));
  }
}
