package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.fine;
import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RightsAndPreflightCheckTest {
  private static final Right PATCH = Right.ofBerth().get(4);

  @Test
  void eachListThatIsRefusedIsNamed() {
    var written = new Written();
    for (Source source : Source.values()) {
      written.unread(source, "forbidden (403)");
    }
    var findings = RightsCheck.findings(written.facts());
    assertThat(findings).hasSize(Source.values().length);
    assertThat(wrong(findings))
        .contains("WARN rights/NotReadable list nodes", "WARN rights/NotReadable list pods");
    assertThat(Report.of(written.facts()).exitStatus()).isEqualTo(Report.UNREADABLE);
  }

  @Test
  void aMissingRightOfBerthSaysWhatDoesNotWork() {
    var findings =
        RightsCheck.findings(
            new Written().right(PATCH, false).right(Right.ofBerth().getFirst(), true).facts());
    assertThat(wrong(findings))
        .containsExactly("ERROR rights/Missing serviceaccount berth-system/berth");
    assertThat(findings.getFirst().sentence())
        .isEqualTo("may not patch pods, so Berth sees no cluster");
  }

  @Test
  void rightsThatMayNotBeAskedAboutAreAWarning() {
    var findings = RightsCheck.findings(new Written().rightUnasked(PATCH, "forbidden").facts());
    assertThat(wrong(findings))
        .containsExactly("WARN rights/NotAsked serviceaccount berth-system/berth");
    assertThat(fine(RightsCheck.findings(new Written().right(PATCH, true).facts())))
        .containsExactly("rights/Granted");
  }

  @Test
  void aClusterThatCanTakeBerth() {
    var facts =
        new Written()
            .preflight()
            .gpuNode("a")
            .operator()
            .runtimeClass()
            .right(Right.ofInstaller().getFirst(), true)
            .facts();
    assertThat(wrong(PreflightCheck.findings(facts))).isEmpty();
    var report = Report.of(facts);
    assertThat(report.exitStatus()).isZero();
    assertThat(report.findings()).noneMatch(finding -> finding.group().equals("install"));
    assertThat(new ReportText(report, false).text()).contains("Berth can be installed: 0 errors");
  }

  @Test
  void aClusterThatHasBerthIsNotSaidToBeReadyForIt() {
    for (String there :
        List.of(
            "{metadata: {name: berth-system, labels: {app.kubernetes.io/part-of: berth}}}",
            "{metadata: {name: podgroups.berth.dev}}")) {
      var source = there.contains("podgroups") ? Source.CUSTOM_RESOURCES : Source.NAMESPACES;
      var report = Report.of(new Written().preflight().gpuNode("a").with(source, there).facts());
      assertThat(new ReportText(report, false).text())
          .contains("Berth is installed here already: 0 errors")
          .doesNotContain("can be installed");
    }
  }

  @Test
  void aClusterThatCannot() {
    var facts =
        new Written()
            .preflight()
            .version("v1.33.1")
            .notServed(Source.MUTATING_POLICIES)
            .with(Source.PRIORITY_CLASSES, "{metadata: {name: train}, value: 1000}")
            .with(Source.NAMESPACES, "{metadata: {name: berth-system}}")
            .right(Right.ofInstaller().getFirst(), false)
            .facts();
    assertThat(wrong(Report.of(facts).findings()))
        .contains(
            "ERROR versions/Kubernetes kube-apiserver",
            "ERROR preflight/PoliciesNotServed kube-apiserver",
            "ERROR preflight/PriorityClassTaken priorityclass train",
            "WARN preflight/NamespaceTaken namespace berth-system",
            "ERROR rights/InstallerMayNot you");
    assertThat(new ReportText(Report.of(facts), false).text())
        .contains("Berth cannot be installed yet: 4 errors");
  }
}
