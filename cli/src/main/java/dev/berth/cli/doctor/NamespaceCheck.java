package dev.berth.cli.doctor;

import dev.berth.engine.model.Resource;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// What in Berth's namespace would refuse holders and probes.
final class NamespaceCheck {
  private static final String GROUP = "namespace/";

  /// Resources that holders leave out: a quota on one refuses every pod that does not name it.
  private static final List<String> UNNAMED =
      List.of(
          "limits.cpu", "limits.memory", "requests.ephemeral-storage", "limits.ephemeral-storage");

  private NamespaceCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    if (facts.of(Source.NAMESPACES).isRead()
        && facts.trees(Source.NAMESPACES).stream()
            .noneMatch(one -> ClusterFacts.name(one).equals(ClusterFacts.NAMESPACE))) {
      findings.add(
          Finding.error(
              GROUP + "Missing",
              "namespace " + ClusterFacts.NAMESPACE,
              "does not exist, so no GPU can be held for shares",
              "Apply manifests/default (docs/operators/install.md)."));
      return findings;
    }
    facts.trees(Source.QUOTAS).forEach(quota -> quota(quota, findings));
    facts.trees(Source.LIMIT_RANGES).forEach(range -> range(range, findings));
    if (findings.isEmpty() && facts.of(Source.QUOTAS).isRead()) {
      findings.add(
          Finding.ok(
              GROUP + "Admits",
              "namespace " + ClusterFacts.NAMESPACE,
              "no quota or limit range refuses holders"));
    }
    return findings;
  }

  private static void quota(ManifestTree quota, List<Finding> findings) {
    ManifestTree spec = quota.object("spec");
    if (!spec.texts("scopes").isEmpty() || !spec.object("scopeSelector").isEmpty()) {
      return; // it may not reach holders
    }
    String object = "resourcequota " + ClusterFacts.key(quota);
    ManifestTree hard = quota.object("status").object("hard");
    ManifestTree used = quota.object("status").object("used");
    hard.eachText((name, limit) -> {
      if (UNNAMED.contains(name)) {
        findings.add(
            Finding.error(
                GROUP + "QuotaOnUnnamed",
                object,
                "limits " + name + ", which holders do not name, so all of them are refused",
                "Remove " + name + " from the quota."));
      }
      boolean counts = name.equals("pods") || name.equals("count/pods");
      if (counts || name.startsWith("requests.nvidia.com/")) {
        OptionalLong most = Quantities.amount(new Resource("pods"), limit);
        OptionalLong now = Quantities.amount(new Resource("pods"), used.text(name));
        if (most.isPresent() && now.orElse(0) >= most.getAsLong()) {
          findings.add(
              Finding.error(
                  GROUP + "QuotaUsedUp",
                  object,
                  "uses "
                      + now.orElse(0)
                      + " of "
                      + limit
                      + " "
                      + name
                      + ", so the next holder is refused",
                  "Raise " + name + " to the number of GPUs that may be shared."));
        }
      }
    });
  }

  private static void range(ManifestTree range, List<Finding> findings) {
    for (ManifestTree limit : range.object("spec").objects("limits")) {
      if (!limit.text("type").equals("Container")) {
        continue;
      }
      limit
          .object("min")
          .eachText((name, least) -> {
            if (!least.equals("0") && (name.equals("cpu") || name.equals("memory"))) {
              findings.add(
                  Finding.error(
                      GROUP + "LimitRangeMinimum",
                      "limitrange " + ClusterFacts.key(range),
                      "asks for at least "
                          + least
                          + " "
                          + name
                          + " of each container, and holders request 0",
                      "Remove the minimum from this namespace."));
            }
          });
    }
  }
}
