package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InstallCheckTest {
  @Test
  void aWholeInstall() {
    assertThat(wrong(InstallCheck.findings(installed("11:59:55", "berth-1").facts()))).isEmpty();
  }

  @Test
  void nothingIsThere() {
    assertThat(wrong(InstallCheck.findings(new Written().facts())))
        .contains(
            "ERROR install/KindMissing customresourcedefinition queues.berth.dev",
            "ERROR install/PolicyMissing admission policy berth-born",
            "ERROR install/PolicyMissing admission policy berth-stays",
            "WARN install/PriorityClassMissing priorityclass train",
            "WARN install/DeploymentMissing deployment berth-system/berth",
            "WARN install/LeaseMissing lease berth-system/berth");
  }

  @Test
  void aStaleOrFreeLeaseIsAnError() {
    assertThat(wrong(InstallCheck.findings(installed("11:59:00", "berth-1").facts())))
        .containsExactly("ERROR install/LeaseStale lease berth-system/berth");
    assertThat(wrong(InstallCheck.findings(installed("11:59:55", "").facts())))
        .containsExactly("ERROR install/LeaseFree lease berth-system/berth");
  }

  @Test
  void theLeaderIsToldWhereNoDeploymentIs() {
    assertThat(sentence("DeploymentMissing", outside("11:59:55", "laptop")))
        .isEqualTo("does not exist: Berth runs outside the cluster, where laptop leads");
    for (var down : List.of(outside("11:59:00", "laptop"), outside("11:59:55", ""))) {
      assertThat(sentence("DeploymentMissing", down))
          .isEqualTo(
              "does not exist: no Berth runs, unless one does outside the cluster without a lease"
                  + " (--no-lease)");
    }
    var unread = new Written().unread(Source.LEASES, "forbidden").facts();
    assertThat(sentence("DeploymentMissing", unread))
        .isEqualTo("does not exist: Berth runs outside the cluster, or not at all");
  }

  @Test
  void anExpiredLeaseTellsItsHolderHowLongAgoAndWhatPodsShow() {
    assertThat(sentence("LeaseStale", outside("11:59:00", "laptop")))
        .isEqualTo(
            "has expired: laptop renewed it 60 s ago, and it lasts 15 s. No Berth leads, and new"
                + " pods keep the gate berth.dev/queued");
    assertThat(sentence("LeaseFree", outside("11:59:00", "")))
        .isEqualTo(
            "is held by none: Berth has stopped, and new pods keep the gate berth.dev/queued");
  }

  @Test
  void aPolicyWithoutBindingIsAnErrorAndAnotherOneIsNot() {
    var other =
        installed("11:59:55", "berth-1")
            .with(Source.VALIDATING_POLICIES, "{metadata: {name: other}}")
            .facts();
    assertThat(wrong(InstallCheck.findings(other))).isEmpty();
    var unbound =
        new Written().with(Source.VALIDATING_POLICIES, "{metadata: {name: berth-stays}}").facts();
    assertThat(wrong(InstallCheck.findings(unbound)))
        .contains("ERROR install/PolicyNotBound admission policy berth-stays");
  }

  @Test
  void aBudgetThatLetsOneReplicaOfBerthGoIsRight() {
    for (var budget : List.of(budget("berth", 1, 2), budget("berth", 0, 1), budget("new", 0, 0))) {
      var facts = installed("11:59:55", "berth-1").with(Source.BUDGETS, budget).facts();
      assertThat(wrong(InstallCheck.findings(facts))).isEmpty();
    }
  }

  @Test
  void aBudgetThatLetsNoReplicaOfBerthGoIsTold() {
    var facts = installed("11:59:55", "berth-1").with(Source.BUDGETS, budget("all", 2, 2)).facts();
    assertThat(wrong(InstallCheck.findings(facts)))
        .containsExactly("WARN install/BudgetOfBerth poddisruptionbudget berth-system/all");
    assertThat(sentence("BudgetOfBerth", facts))
        .isEqualTo(
            "wants 2 of Berth's 2 pods healthy, so it lets none go: their nodes cannot be drained");
  }

  @Test
  void twoBudgetsOverBerthAreTold() {
    var facts =
        installed("11:59:55", "berth-1")
            .with(Source.BUDGETS, budget("berth", 1, 2))
            .with(Source.BUDGETS, budget("mine", 1, 2))
            .facts();
    assertThat(wrong(InstallCheck.findings(facts)))
        .containsExactly(
            "WARN install/BudgetsOfBerth poddisruptionbudgets berth-system/berth,"
                + " berth-system/mine");
  }

  private static String budget(String name, int healthy, int pods) {
    return "{metadata: {name: "
        + name
        + ", namespace: berth-system}, spec: {selector: {matchLabels: {app.kubernetes.io/name:"
        + " berth}}}, status: {desiredHealthy: "
        + (healthy + ", expectedPods: " + pods + "}}");
  }

  @Test
  void whatWasNotReadIsNotJudged() {
    var facts = new Written();
    for (Source source : Source.values()) {
      facts.unread(source, "forbidden");
    }
    assertThat(InstallCheck.findings(facts.facts())).isEmpty();
  }

  @Test
  void aDeploymentWithoutAReadyReplica() {
    var facts =
        new Written()
            .with(
                Source.DEPLOYMENTS,
                "{metadata: {name: berth}, spec: {replicas: 2}, status: {replicas: 2}}")
            .facts();
    assertThat(wrong(InstallCheck.findings(facts)))
        .contains(
            "ERROR install/DeploymentNotReady deployment berth-system/berth",
            "ERROR install/LeaseMissing lease berth-system/berth");
  }

  private static Written installed(String renewed, String holder) {
    var written = new Written();
    for (String kind : List.of("queues", "podgroups", "topologies")) {
      written.with(
          Source.CUSTOM_RESOURCES,
          "{metadata: {name: "
              + kind
              + ".berth.dev}, status: {conditions: [{type: Established, status: 'True'}]}}");
    }
    for (String policy : List.of("berth-born", "berth-adopts")) {
      written.with(Source.MUTATING_POLICIES, "{metadata: {name: " + policy + "}}");
      written.with(Source.MUTATING_BINDINGS, "{spec: {policyName: " + policy + "}}");
    }
    for (String policy :
        List.of(
            "berth-requests",
            "berth-stays",
            "berth-resizes",
            "berth-bindings",
            "berth-queues",
            "berth-claims")) {
      written.with(Source.VALIDATING_POLICIES, "{metadata: {name: " + policy + "}}");
      written.with(Source.VALIDATING_BINDINGS, "{spec: {policyName: " + policy + "}}");
    }
    InstallCheck.PRIORITIES.forEach((name, value) ->
        written.with(
            Source.PRIORITY_CLASSES, "{metadata: {name: " + name + "}, value: " + value + "}"));
    for (String deployment : List.of("berth", "berth-scheduler")) {
      written.with(
          Source.DEPLOYMENTS,
          "{metadata: {name: "
              + deployment
              + "}, spec: {replicas: 2}, status: {readyReplicas: 1}}");
    }
    return leased(written, renewed, holder);
  }

  private static ClusterFacts outside(String renewed, String holder) {
    return leased(new Written(), renewed, holder).facts();
  }

  /// Of the first finding of that code.
  private static String sentence(String code, ClusterFacts facts) {
    return InstallCheck.findings(facts).stream()
        .filter(each -> each.check().equals("install/" + code))
        .findFirst()
        .orElseThrow()
        .sentence();
  }

  private static Written leased(Written written, String renewed, String holder) {
    return written.with(
        Source.LEASES,
        "{metadata: {name: berth}, spec: {holderIdentity: '"
            + holder
            + "', leaseDurationSeconds: 15, renewTime: '2026-03-01T"
            + renewed
            + ".000000Z'}}");
  }
}
