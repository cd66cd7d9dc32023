package dev.berth.cli.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Everything that was found, in the order of the checks; within a group the worst first.
///
/// @param complete false = nodes or pods could not be listed, so the rest says little
public record Report(ClusterFacts facts, List<Finding> findings, boolean complete) {
  /// Exit status: no error was found.
  public static final int FINE = 0;

  /// Exit status: at least one error was found.
  public static final int ERRORS = 1;

  /// Exit status: the cluster could not be looked at.
  public static final int UNREADABLE = 2;

  private static final List<String> GROUPS =
      List.of(
          "preflight",
          "injection",
          "nodes",
          "holders",
          "isolation",
          "install",
          "scheduler",
          "namespace",
          "queues",
          "versions",
          "clock",
          "rights");

  public Report {
    findings = List.copyOf(findings);
  }

  /// Runs every check. Pure.
  public static Report of(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    findings.addAll(InjectionCheck.findings(facts));
    findings.addAll(NodeCheck.findings(facts));
    findings.addAll(IsolationCheck.findings(facts));
    findings.addAll(VersionCheck.findings(facts));
    findings.addAll(ClockCheck.findings(facts));
    findings.addAll(RightsCheck.findings(facts));
    if (facts.preflight()) {
      findings.addAll(PreflightCheck.findings(facts));
    } else {
      findings.addAll(InstallCheck.findings(facts));
      findings.addAll(SchedulerCheck.findings(facts));
      findings.addAll(HolderCheck.findings(facts));
      findings.addAll(NamespaceCheck.findings(facts));
      findings.addAll(QueueCheck.findings(facts));
    }
    findings.sort(
        Comparator.comparingInt((Finding finding) -> GROUPS.indexOf(finding.group()))
            .thenComparing(Comparator.comparing(Finding::severity).reversed()));
    boolean complete = facts.of(Source.NODES).isRead() && facts.of(Source.PODS).isRead();
    return new Report(facts, findings, complete);
  }

  boolean has(String check) {
    return findings.stream().anyMatch(finding -> finding.check().equals(check));
  }

  long count(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  /// [#FINE], [#ERRORS] or [#UNREADABLE].
  public int exitStatus() {
    if (!complete) {
      return UNREADABLE;
    }
    return count(Severity.ERROR) > 0 ? ERRORS : FINE;
  }
}
