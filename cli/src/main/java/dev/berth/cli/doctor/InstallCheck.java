package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Berth's own objects: kinds, policies with their bindings, priority classes, Deployments, lease.
final class InstallCheck {
  private static final String GROUP = "install/";
  private static final String LEASE = "lease berth-system/berth";
  private static final String GATE = "berth.dev/queued";
  private static final String APPLY = "Apply manifests/default (docs/operators/install.md).";
  private static final List<String> KINDS =
      List.of("podgroups.berth.dev", "queues.berth.dev", "topologies.berth.dev");
  private static final List<String> MUTATING = List.of("berth-born", "berth-adopts");
  private static final List<String> VALIDATING =
      List.of(
          "berth-requests",
          "berth-stays",
          "berth-resizes",
          "berth-bindings",
          "berth-queues",
          "berth-claims");
  static final Map<String, Integer> PRIORITIES =
      new TreeMap<>(Map.of("train", 50, "build-preemptible", 75, "build", 100, "inference", 125));

  private InstallCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    kinds(facts, findings);
    policies(facts, Source.MUTATING_POLICIES, Source.MUTATING_BINDINGS, MUTATING, findings);
    policies(facts, Source.VALIDATING_POLICIES, Source.VALIDATING_BINDINGS, VALIDATING, findings);
    priorities(facts, findings);
    boolean deployed = deployments(facts, findings);
    lease(facts, deployed, findings);
    budgets(facts, findings);
    return findings;
  }

  private static void kinds(ClusterFacts facts, List<Finding> findings) {
    if (!facts.of(Source.CUSTOM_RESOURCES).isRead()) {
      return;
    }
    var established = new TreeMap<String, Boolean>();
    for (ManifestTree kind : facts.trees(Source.CUSTOM_RESOURCES)) {
      if (KINDS.contains(ClusterFacts.name(kind))) {
        established.put(ClusterFacts.name(kind), isTrue(kind, "Established"));
      }
    }
    for (String kind : KINDS) {
      String object = "customresourcedefinition " + kind;
      if (!established.containsKey(kind)) {
        findings.add(Finding.error(GROUP + "KindMissing", object, "does not exist", APPLY));
      } else if (!established.getOrDefault(kind, false)) {
        findings.add(
            Finding.error(
                GROUP + "KindNotServed",
                object,
                "is not established, so it is not served",
                "See kubectl describe customresourcedefinition " + kind + "."));
      } else {
        findings.add(Finding.ok(GROUP + "Kind", object, "is served"));
      }
    }
  }

  private static void policies(
      ClusterFacts facts,
      Source policies,
      Source bindings,
      List<String> wanted,
      List<Finding> findings) {
    if (!facts.of(policies).isRead() || !facts.of(bindings).isRead()) {
      return;
    }
    if (!facts.of(policies).served()) {
      findings.add(
          Finding.error(
              GROUP + "PoliciesNotServed",
              "kube-apiserver",
              "does not serve " + policies.resource() + " in v1",
              "Upgrade to Kubernetes 1.36 (or see versions/Kubernetes)."));
      return;
    }
    var there = new TreeSet<String>();
    facts.trees(policies).forEach(policy -> there.add(ClusterFacts.name(policy)));
    var bound = new TreeSet<String>();
    facts.trees(bindings).forEach(binding -> bound.add(binding.object("spec").text("policyName")));
    for (String policy : wanted) {
      String object = "admission policy " + policy;
      if (!there.contains(policy)) {
        findings.add(Finding.error(GROUP + "PolicyMissing", object, "does not exist", APPLY));
      } else if (!bound.contains(policy)) {
        findings.add(
            Finding.error(
                GROUP + "PolicyNotBound", object, "has no binding, so it does nothing", APPLY));
      } else {
        findings.add(Finding.ok(GROUP + "Policy", object, "is there and bound"));
      }
    }
  }

  private static void priorities(ClusterFacts facts, List<Finding> findings) {
    if (!facts.of(Source.PRIORITY_CLASSES).isRead()) {
      return;
    }
    var there = new TreeMap<String, ManifestTree>();
    facts
        .trees(Source.PRIORITY_CLASSES)
        .forEach(found -> there.put(ClusterFacts.name(found), found));
    PRIORITIES.forEach((name, value) -> {
      ManifestTree found = there.get(name);
      if (found == null) {
        findings.add(
            Finding.warn(
                GROUP + "PriorityClassMissing",
                "priorityclass " + name,
                "does not exist, so workloads that name no class have priority 0",
                APPLY));
      } else if (!String.valueOf(value).equals(found.text("value"))) {
        findings.add(
            Finding.warn(
                GROUP + "PriorityClassDiffers",
                "priorityclass " + name,
                "has value " + found.text("value") + " in place of Berth's " + value,
                "Below 100 is preemptible: check that this is meant."));
      }
    });
  }

  /// @return whether Berth's Deployment is there
  private static boolean deployments(ClusterFacts facts, List<Finding> findings) {
    if (!facts.of(Source.DEPLOYMENTS).isRead()) {
      return true;
    }
    var there = new TreeMap<String, ManifestTree>();
    facts
        .trees(Source.DEPLOYMENTS)
        .forEach(deployment -> there.put(ClusterFacts.name(deployment), deployment));
    for (String name : List.of("berth", "berth-scheduler")) {
      String object = "deployment berth-system/" + name;
      ManifestTree deployment = there.get(name);
      if (deployment == null) {
        findings.add(
            Finding.warn(
                GROUP + "DeploymentMissing",
                object,
                name.equals("berth")
                    ? "does not exist: " + withoutDeployment(facts)
                    : "does not exist: the cluster's own kube-scheduler must ask Berth",
                APPLY));
        continue;
      }
      int wanted = deployment.object("spec").number("replicas", 0).orElse(1);
      int ready = deployment.object("status").number("readyReplicas", 0).orElse(0);
      int needed = Math.min(1, wanted); // of two replicas of Berth the one that leads is Ready
      if (ready < needed || wanted == 0) {
        findings.add(
            Finding.error(
                GROUP + "DeploymentNotReady",
                object,
                ready + " of " + wanted + " replicas are Ready, and one must be",
                "See kubectl -n berth-system get pods and kubectl -n berth-system logs deploy/"
                    + name
                    + "."));
      } else {
        findings.add(
            Finding.ok(GROUP + "Deployment", object, ready + " of " + wanted + " replicas Ready"));
      }
    }
    return there.containsKey("berth");
  }

  private static String withoutDeployment(ClusterFacts facts) {
    if (!facts.of(Source.LEASES).isRead()) {
      return "Berth runs outside the cluster, or not at all";
    }
    return BerthLease.of(facts)
        .filter(BerthLease::isHeld)
        .map(held -> "Berth runs outside the cluster, where " + held.holder() + " leads")
        .orElse("no Berth runs, unless one does outside the cluster without a lease (--no-lease)");
  }

  private static void lease(ClusterFacts facts, boolean deployed, List<Finding> findings) {
    if (facts.of(Source.LEASES).isRead()) {
      findings.add(
          BerthLease.of(facts).map(InstallCheck::lease).orElseGet(() -> noLease(deployed)));
    }
  }

  private static Finding noLease(boolean deployed) {
    return new Finding(
        deployed ? Severity.ERROR : Severity.WARN,
        GROUP + "LeaseMissing",
        LEASE,
        "does not exist: no Berth has led here with a lease",
        "See kubectl -n berth-system logs deploy/berth; one process without a lease"
            + " (--no-lease) has none.");
  }

  private static Finding lease(BerthLease lease) {
    if (lease.isFree()) {
      return Finding.error(
          GROUP + "LeaseFree",
          LEASE,
          "is held by none: Berth has stopped, and new pods keep the gate " + GATE,
          "Start it; see kubectl -n berth-system get pods.");
    }
    if (lease.isExpired()) {
      return Finding.error(
          GROUP + "LeaseStale",
          LEASE,
          ("has expired: " + lease.holder() + " renewed it " + lease.renewedAgo() + " ago, and it")
              + (" lasts " + lease.duration().toSeconds() + " s. No Berth leads, and new pods keep")
              + (" the gate " + GATE),
          "See kubectl -n berth-system get pods and the log of that one.");
    }
    return Finding.ok(
        GROUP + "Lease",
        LEASE,
        "held by " + lease.holder() + ", renewed " + lease.renewedAgo() + " ago");
  }

  /// Berth's own budget lets one replica go at a time. Another may let none go, and two refuse each
  /// eviction between them.
  private static void budgets(ClusterFacts facts, List<Finding> findings) {
    var over = facts.trees(Source.BUDGETS).stream().filter(InstallCheck::isOverBerth).toList();
    for (ManifestTree budget : over) {
      var status = budget.object("status");
      int pods = status.number("expectedPods", 0).orElse(0);
      int healthy = status.number("desiredHealthy", 0).orElse(0);
      if (pods > 0 && healthy >= pods) {
        findings.add(
            Finding.warn(
                GROUP + "BudgetOfBerth",
                "poddisruptionbudget " + ClusterFacts.key(budget),
                ("wants " + healthy + " of Berth's " + pods + " pods healthy, so it lets none go:")
                    + " their nodes cannot be drained",
                "Set spec.maxUnavailable to 1, as manifests/berth/disruption.yaml does."));
      }
    }
    if (over.size() > 1) {
      findings.add(
          Finding.warn(
              GROUP + "BudgetsOfBerth",
              "poddisruptionbudgets "
                  + over.stream().map(ClusterFacts::key).collect(Collectors.joining(", ")),
              "select Berth's pods, and the API server evicts no pod that two budgets select: their"
                  + " nodes cannot be drained",
              "Keep one of them."));
    }
  }

  private static boolean isOverBerth(ManifestTree budget) {
    var labels = budget.object("spec").object("selector").words("matchLabels").textMap();
    return "berth".equals(labels.get("app.kubernetes.io/name"));
  }

  static boolean isTrue(ManifestTree object, String condition) {
    return object.object("status").objects("conditions").stream()
        .anyMatch(one -> one.text("type").equals(condition) && one.text("status").equals("True"));
  }
}
