package dev.berth.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class ReportTest {
  @Test
  void whatDiffersByItsObjectAloneIsOneLine() {
    var facts = new Written().gpuNode("a").gpuNode("b").gpuNode("c").operator().facts();
    String text = new ReportText(Report.of(facts), false).text();
    assertThat(text)
        .containsPattern("ERROR +node a and 2 more +the toolkit uses CDI")
        .contains("       → Set shares.runtimeClass to nvidia")
        .containsPattern("(?m)^a +8 +env-cdi, env +- +not nvidia +not yet$")
        .contains("Not everything works: ")
        .doesNotContain("\u001b");
    assertThat(new ReportText(Report.of(facts), true).text()).contains("\u001b[31mERROR");
  }

  @Test
  void theJsonHasEveryFindingAndTheExitStatus() throws Exception {
    var facts = new Written().gpuNode("a").gpuNode("b").operator().facts();
    var tree = new ObjectMapper().readTree(ReportJson.text(Report.of(facts)));
    assertThat(tree.path("version").asInt()).isEqualTo(1);
    assertThat(tree.path("exitStatus").asInt()).isEqualTo(Report.ERRORS);
    assertThat(tree.at("/nodes/0/name").asText()).isEqualTo("a");
    assertThat(tree.at("/nodes/0/modes/0").asText()).isEqualTo("env-cdi");
    assertThat(tree.at("/nodes/0/proof").asText()).isEqualTo("none");
    long cdi = 0;
    for (var finding : tree.path("findings")) {
      cdi += finding.path("check").asText().equals("injection/CdiWithoutRuntimeClass") ? 1 : 0;
      assertThat(finding.path("severity").asText()).isIn("OK", "WARN", "ERROR");
      assertThat(finding.path("sentence").asText()).isNotEmpty().doesNotEndWith(".");
    }
    assertThat(cdi).isEqualTo(2);
  }

  @Test
  void warningsAloneAreFine() {
    var facts = new Written().preflight().facts();
    assertThat(Report.of(facts).count(Severity.WARN)).as("warnings").isPositive();
    assertThat(Report.of(facts).exitStatus()).isEqualTo(Report.FINE);
  }

  @Test
  void everyWarningAndErrorHasAWayOut() {
    var nothing = Report.of(new Written().facts());
    assertThat(nothing.findings())
        .filteredOn(finding -> finding.severity() != Severity.OK)
        .isNotEmpty()
        .allMatch(finding -> finding.wayOut().endsWith("."));
  }
}
