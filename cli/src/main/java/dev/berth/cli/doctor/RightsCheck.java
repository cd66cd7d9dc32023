package dev.berth.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/// What the doctor may not read, and what Berth's account may not do.
final class RightsCheck {
  private static final String GROUP = "rights/";
  private static final String BERTH = "serviceaccount berth-system/berth";

  private RightsCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    for (Source source : Source.values()) {
      Listing listing = facts.of(source);
      if (!listing.isRead()) {
        findings.add(
            Finding.warn(
                GROUP + "NotReadable",
                "list " + source.resource(),
                "not checked: " + listing.failure(),
                "Run the doctor as a user that may list these, such as one with cluster-admin"
                    + " (docs/operators/doctor.md has a ClusterRole)."));
      }
    }
    ofAccount(facts, findings);
    return findings;
  }

  private static void ofAccount(ClusterFacts facts, List<Finding> findings) {
    int allowed = 0;
    var unasked = new ArrayList<String>();
    for (AccessAnswer access : facts.rights()) {
      Right right = access.right();
      if (!access.failure().isEmpty()) {
        unasked.add(access.failure());
      } else if (access.allowed()) {
        allowed++;
      } else if (facts.preflight()) {
        findings.add(
            Finding.error(
                GROUP + "InstallerMayNot",
                "you",
                "may not " + right.words() + " (" + right.why() + ")",
                "Install as a user with cluster-admin."));
      } else {
        findings.add(
            Finding.error(
                GROUP + "Missing",
                BERTH,
                "may not " + right.words() + ", so " + right.why(),
                "Apply manifests/base/rbac-berth.yaml."));
      }
    }
    if (!unasked.isEmpty()) {
      findings.add(
          Finding.warn(
              GROUP + "NotAsked",
              facts.preflight() ? "you" : BERTH,
              unasked.size() + " rights were not checked: " + unasked.getFirst(),
              "Run the doctor as a user with the right create on"
                  + " subjectaccessreviews.authorization.k8s.io."));
    } else if (allowed > 0 && allowed == facts.rights().size()) {
      findings.add(
          Finding.ok(
              GROUP + "Granted",
              facts.preflight() ? "you" : BERTH,
              "has all of the " + allowed + " rights that were asked about"));
    }
  }
}
