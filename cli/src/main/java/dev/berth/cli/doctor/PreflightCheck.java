package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import java.util.ArrayList;
import java.util.List;

/// Whether Berth can be installed: what it needs is served, and nothing is in its place.
final class PreflightCheck {
  private static final String GROUP = "preflight/";

  /// Berth is here already.
  static final String INSTALLED = GROUP + "Installed";

  private PreflightCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    served(facts, findings);
    namespace(facts, findings);
    var kinds =
        facts.trees(Source.CUSTOM_RESOURCES).stream()
            .map(ClusterFacts::name)
            .filter(name -> name.endsWith(".berth.dev"))
            .toList();
    if (!kinds.isEmpty()) {
      findings.add(
          Finding.ok(
              INSTALLED,
              "kinds of Berth",
              "exist already ("
                  + String.join(", ", kinds)
                  + "), and stay when Berth is taken out"));
    }
    for (ManifestTree found : facts.trees(Source.PRIORITY_CLASSES)) {
      Integer value = InstallCheck.PRIORITIES.get(ClusterFacts.name(found));
      if (value != null && !String.valueOf(value).equals(found.text("value"))) {
        findings.add(
            Finding.error(
                GROUP + "PriorityClassTaken",
                "priorityclass " + ClusterFacts.name(found),
                "exists with value "
                    + found.text("value")
                    + ", and a value cannot be changed, so applying Berth's ("
                    + value
                    + ") fails",
                "Leave priority-classes.yaml out of the manifests, or delete that class first."));
      }
    }
    return findings;
  }

  private static void served(ClusterFacts facts, List<Finding> findings) {
    for (Source source : List.of(Source.MUTATING_POLICIES, Source.VALIDATING_POLICIES)) {
      if (!facts.of(source).isRead()) {
        continue;
      }
      findings.add(
          facts.of(source).served()
              ? Finding.ok(
                  GROUP + "PoliciesServed", "kube-apiserver", "serves " + source.resource())
              : Finding.error(
                  GROUP + "PoliciesNotServed",
                  "kube-apiserver",
                  "does not serve " + source.resource() + " in v1",
                  "Upgrade to Kubernetes 1.36 (or see versions/Kubernetes)."));
    }
  }

  private static void namespace(ClusterFacts facts, List<Finding> findings) {
    for (ManifestTree namespace : facts.trees(Source.NAMESPACES)) {
      if (!ClusterFacts.name(namespace).equals(ClusterFacts.NAMESPACE)) {
        continue;
      }
      boolean ours =
          ClusterFacts.labels(namespace).text("app.kubernetes.io/part-of").equals("berth");
      findings.add(
          ours
              ? Finding.ok(
                  INSTALLED,
                  "namespace " + ClusterFacts.NAMESPACE,
                  "exists already: Berth is installed, or was")
              : Finding.warn(
                  GROUP + "NamespaceTaken",
                  "namespace " + ClusterFacts.NAMESPACE,
                  "exists and is not Berth's",
                  "Installing labels it and enforces Pod Security restricted on what runs there."));
    }
  }
}
