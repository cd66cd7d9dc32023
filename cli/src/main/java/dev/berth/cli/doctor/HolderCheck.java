package dev.berth.cli.doctor;

import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.request.ManifestTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Holders: each names its GPU, runs, and is of a node that exists.
final class HolderCheck {
  private static final String GROUP = "holders/";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private HolderCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    var nodes = new TreeSet<String>();
    facts.trees(Source.NODES).forEach(node -> nodes.add(ClusterFacts.name(node)));
    int fine = 0;
    for (ManifestTree pod : facts.trees(Source.PODS)) {
      if (!ClusterFacts.labels(pod).text("berth.dev/holder").equals("true")) {
        continue;
      }
      int before = findings.size();
      holder(facts, pod, nodes, findings);
      fine += findings.size() == before ? 1 : 0;
    }
    if (fine > 0) {
      findings.add(
          Finding.ok(GROUP + "Holding", "cluster", "holders that named their GPU: " + fine));
    }
    return findings;
  }

  private static void holder(
      ClusterFacts facts, ManifestTree pod, TreeSet<String> nodes, List<Finding> findings) {
    String object = "pod " + ClusterFacts.key(pod);
    String node = pod.object("spec").text("nodeName");
    ManifestTree status = pod.object("status");
    if (facts.of(Source.NODES).isRead() && !nodes.contains(node)) {
      findings.add(
          Finding.warn(
              GROUP + "Orphaned",
              object,
              "holds a GPU of node " + node + ", which does not exist any more",
              "Delete it with --force; Berth does, too, when it runs."));
      return;
    }
    String said = PodWords.of(status);
    if (status.text("phase").equals("Failed") || !said.isEmpty()) {
      var fault = InjectionFault.ofMessage(said);
      findings.add(
          Finding.error(
              GROUP + fault.map(InjectionFault::code).orElse("NotRunning"),
              object,
              "does not run on node " + node + (said.isEmpty() ? "" : " (" + said + ")"),
              fault
                  .map(InjectionFault::wayOut)
                  .orElse(
                      "See kubectl -n "
                          + ClusterFacts.namespace(pod)
                          + " describe pod "
                          + ClusterFacts.name(pod)
                          + ".")));
      return;
    }
    var age =
        Duration.between(
            pod.object("metadata").time("creationTimestamp"), facts.now().minus(facts.skew()));
    String report = terminationMessage(status);
    var allocated = allocated(status);
    var told = InjectionFault.ofHolder(allocated, report);
    if (told.isEmpty() || age.compareTo(PATIENCE) < 0) {
      return;
    }
    var fault = told.get();
    findings.add(
        Finding.error(
            GROUP + fault.code(),
            object,
            "on node "
                + node
                + " for "
                + age.toSeconds()
                + " s: "
                + fault.sentence()
                + (report.isEmpty() ? "" : " (it says \"" + report + "\")")
                + (allocated.isEmpty()
                    ? ""
                    : " (its kubelet says " + String.join(", ", allocated) + ")"),
            fault.wayOut()));
  }

  /// Device IDs by the kubelet's word.
  private static List<String> allocated(ManifestTree status) {
    var ids = new ArrayList<String>();
    for (ManifestTree container : status.objects("containerStatuses")) {
      for (ManifestTree allocated : container.objects("allocatedResourcesStatus")) {
        for (ManifestTree device : allocated.objects("resources")) {
          ids.add(device.text("resourceID"));
        }
      }
    }
    return ids;
  }

  private static String terminationMessage(ManifestTree status) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (ManifestTree container : status.objects(list)) {
        for (String state : List.of("state", "lastState")) {
          String message = container.object(state).object("terminated").text("message").trim();
          if (!message.isEmpty()) {
            return message;
          }
        }
      }
    }
    return "";
  }
}
