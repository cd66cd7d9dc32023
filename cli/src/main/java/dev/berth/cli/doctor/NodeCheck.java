package dev.berth.cli.doctor;

import dev.berth.engine.model.Node.Accelerator;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.NodeManifest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// GPU nodes onto which nothing, or no share, is planned for the time being.
final class NodeCheck {
  private static final String GROUP = "nodes/";

  /// As long as the longest trouble that a node has by itself, and somewhat more.
  private static final Duration RECENT = Duration.ofMinutes(11);

  /// As the event of a node's trouble tells when it is tried again.
  private static final Pattern UNTIL =
      Pattern.compile("before ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z):");

  private NodeCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    var gpuNodes = new TreeSet<String>();
    GpuNodes.of(facts).nodes().forEach(node -> gpuNodes.add(node.node().name()));
    var holderFailures = holderFailures(facts);
    for (Map<?, ?> item : facts.items(Source.NODES)) {
      NodeManifest.read(item)
          .filter(node -> gpuNodes.contains(node.name().value()))
          .ifPresent(node -> {
            String object = "node " + node.name();
            if (!node.ready()) {
              findings.add(
                  Finding.warn(
                      GROUP + "NotReady",
                      object,
                      "is not ready, so nothing is planned there",
                      "See its kubelet: kubectl describe node."));
            }
            if (node.unschedulable()) {
              findings.add(
                  Finding.ok(
                      GROUP + "Cordoned", object, "is cordoned, so nothing new is planned there"));
            }
            if (!node.accelerator().sick().isEmpty()) {
              findings.add(
                  Finding.warn(
                      GROUP + "SickGpus",
                      object,
                      "says that its GPUs are sick ("
                          + node.accelerator().sick()
                          + "), so nothing is planned onto them",
                      "Repair it, then set that label or condition back"
                          + " (docs/operators/devices.md)."));
            }
            if (node.accelerator().unhealthy() > 0) {
              findings.add(unhealthy(object, node.accelerator()));
            }
            String trouble = holderFailures.getOrDefault(node.name().value(), "");
            if (!trouble.isEmpty()) {
              findings.add(
                  Finding.warn(
                      GROUP + "HolderTrouble",
                      object,
                      trouble,
                      "End what the words name; Berth tries again by itself, or at once when the"
                          + " node's object changes."));
            }
          });
    }
    return findings;
  }

  /// Berth has tried again since.
  private static boolean isOver(ManifestTree event, Instant now) {
    var until = UNTIL.matcher(event.text("note"));
    return until.find() && !Instant.parse(until.group(1)).isAfter(now);
  }

  private static Finding unhealthy(String object, Accelerator accelerator) {
    return Finding.warn(
        GROUP + "UnhealthyGpus",
        object,
        "offers "
            + accelerator.count()
            + " of its "
            + accelerator.capacity()
            + " GPUs: its device plugin calls the others unhealthy, also while shares or"
            + " pods use them",
        "See which in the log of the device plugin on this node, or in"
            + " status.containerStatuses[].allocatedResourcesStatus of the holders there;"
            + " drain the node and repair it.");
  }

  /// What Berth told last of each node, where that is not long ago.
  private static Map<String, String> holderFailures(ClusterFacts facts) {
    var latest = new TreeMap<String, Instant>();
    var words = new TreeMap<String, String>();
    for (ManifestTree event : facts.trees(Source.NODE_EVENTS)) {
      String node = event.object("regarding").text("name");
      Instant when = event.time("eventTime");
      boolean isRecent = when.isAfter(facts.now().minus(facts.skew()).minus(RECENT));
      if (isRecent
          && !isOver(event, facts.now())
          && when.isAfter(latest.getOrDefault(node, Instant.MIN))) {
        latest.put(node, when);
        String note = event.text("note");
        words.put(node, note.endsWith(".") ? note.substring(0, note.length() - 1) : note);
      }
    }
    return words;
  }
}
