package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Clocks of this machine, the API server and the kubelets.
final class ClockCheck {
  private static final String GROUP = "clock/";
  private static final Duration SLIGHT = Duration.ofSeconds(2);
  private static final Duration SEVERE = Duration.ofSeconds(30);

  /// Kubelets renew every 10 s and are unknown after 40 s.
  private static final Duration RENEWED = Duration.ofSeconds(40);

  private ClockCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    Duration skew = facts.skew();
    if (skew.abs().compareTo(SLIGHT) > 0) {
      findings.add(
          new Finding(
              skew.abs().compareTo(SEVERE) > 0 ? Severity.ERROR : Severity.WARN,
              GROUP + "Skew",
              "this machine",
              "its clock is "
                  + skew.abs().toSeconds()
                  + " s "
                  + (skew.isNegative() ? "behind" : "ahead of")
                  + " kube-apiserver's",
              "Synchronise both by NTP: leases and certificates compare clocks."));
    } else {
      findings.add(
          Finding.ok(GROUP + "Skew", "this machine", "its clock agrees with kube-apiserver's"));
    }
    var ready = new TreeSet<String>();
    for (ManifestTree node : facts.trees(Source.NODES)) {
      if (InstallCheck.isTrue(node, "Ready")) {
        ready.add(ClusterFacts.name(node));
      }
    }
    Instant serverNow = facts.now().minus(skew);
    for (ManifestTree lease : facts.trees(Source.NODE_LEASES)) {
      String name = ClusterFacts.name(lease);
      Instant renewed = lease.object("spec").time("renewTime");
      if (!ready.contains(name) || renewed.equals(Instant.EPOCH)) {
        continue;
      }
      var age = Duration.between(renewed, serverNow);
      if (age.negated().compareTo(SLIGHT) > 0) {
        findings.add(
            Finding.warn(
                GROUP + "NodeAhead",
                "node " + name,
                "its clock is " + age.negated().toSeconds() + " s ahead of kube-apiserver's",
                "Synchronise it by NTP."));
      } else if (age.compareTo(RENEWED) > 0) {
        findings.add(
            Finding.warn(
                GROUP + "NodeBehind",
                "node " + name,
                "its lease was renewed "
                    + age.toSeconds()
                    + " s ago by its own clock, yet it is"
                    + " Ready: the clock is behind, or the kubelet has just stopped",
                "Synchronise it by NTP, or look at the kubelet."));
      }
    }
    return findings;
  }
}
