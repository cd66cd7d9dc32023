package dev.berth.cli.doctor;

import dev.berth.engine.injection.GpuStack;
import dev.berth.engine.injection.InjectionFault;
import dev.berth.engine.injection.InjectionGuess.DefaultRuntime;
import dev.berth.engine.injection.InjectionGuess.Obstacle;
import dev.berth.engine.injection.InjectionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How shares get their GPU on each node: guess, then proof. A proof outweighs a suspicion; a
/// suspicion without a proof is a warning, or an error where it excludes shares or leaves them
/// without a GPU.
final class InjectionCheck {
  private static final String GROUP = "injection/";

  private InjectionCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var nodes = GpuNodes.of(facts);
    var findings = new ArrayList<Finding>();
    if (nodes.nodes().isEmpty() && facts.of(Source.NODES).isRead()) {
      findings.add(
          Finding.warn(
              GROUP + "NoGpuNodes",
              "cluster",
              "no node offers nvidia.com/gpu",
              "Install NVIDIA's device plugin or GPU Operator; Berth plans gangs and queues without"
                  + " GPUs, too."));
    }
    var unread =
        Stream.of(Source.CLUSTER_POLICIES, Source.GPU_CLUSTERS, Source.RUNTIME_CLASSES)
            .filter(source -> !facts.of(source).isRead())
            .map(Source::resource)
            .toList();
    for (GpuNodes.Guessed node : nodes.nodes()) {
      if (unread.isEmpty()) {
        of(node, nodes.stack(), findings);
      } else {
        findings.add(
            Finding.warn(
                GROUP + "NotGuessed",
                node.object(),
                "how shares get their GPU was not guessed: "
                    + String.join(", ", unread)
                    + " could not be read",
                "See the lines under rights."));
      }
    }
    return findings;
  }

  private static void of(GpuNodes.Guessed node, GpuStack stack, List<Finding> findings) {
    if (node.guess().obstacles().isEmpty() && node.guess().modes().isEmpty()) {
      // whatever was proven while there were some
      findings.add(
          Finding.error(
              GROUP + "NoAllocatableGpus",
              node.object(),
              "has GPUs and offers no nvidia.com/gpu: its device plugin is gone, or calls all of"
                  + " them unhealthy",
              "See the pod of the device plugin on this node (kubectl get pods -A -o wide), and"
                  + " kubectl describe node."));
      return;
    }
    switch (node.proof()) {
      case PROVEN -> {
        findings.add(
            Finding.ok(
                GROUP + "Proven",
                node.object(),
                "proven: shares get their GPU by " + way(node.mode(), node.provenClass())));
        if (!node.provenClass().equals(node.guess().runtimeClass())) {
          findings.add(
              Finding.error(
                  GROUP + "OtherRuntimeClass",
                  node.object(),
                  "proven with "
                      + named(node.provenClass())
                      + ", but shares of this cluster have "
                      + named(node.guess().runtimeClass())
                      + ", so none is placed there",
                  "Set shares.runtimeClass to \""
                      + node.provenClass()
                      + "\" if most nodes need it, or delete the probe pod to try again."));
        }
        return;
      }
      case FAILED -> {
        findings.add(failed(node));
        return;
      }
      case OUTDATED ->
          findings.add(
              Finding.ok(
                  GROUP + "Outdated",
                  node.object(),
                  "was proven before a reboot or an upgrade; the next first share is preceded by a"
                      + " new probe"));
      case FAILED_BEFORE ->
          findings.add(
              Finding.ok(
                  GROUP + "Outdated",
                  node.object(),
                  "a probe failed there, and something was changed since; the next first share is"
                      + " preceded by a new probe"));
      case RUNNING -> {
        if (InjectionFault.ofMessage(node.said()).isPresent()) {
          findings.add(failed(node));
          return;
        }
        findings.add(Finding.ok(GROUP + "ProbeRuns", node.object(), "a probe is running"));
      }
      case NONE -> {}
    }
    for (Obstacle obstacle : node.guess().obstacles()) {
      findings.add(obstacle(node, obstacle));
    }
    if (isUnknown(node, stack)) {
      findings.add(
          Finding.warn(
              GROUP + "RuntimeUnknown",
              node.object(),
              "there is neither a ClusterPolicy nor a RuntimeClass nvidia, so shares get their GPU"
                  + " only where NVIDIA's runtime is the node's default one; the first share tries "
                  + modes(node),
              "Create RuntimeClass nvidia with handler nvidia if the node's container runtime has"
                  + " that handler, or make NVIDIA's runtime the default one. The first share"
                  + " proves which it is."));
    } else if (node.guess().obstacles().isEmpty() && node.proof() == GpuNodes.Proof.NONE) {
      findings.add(
          Finding.ok(
              GROUP + "Guessed",
              node.object(),
              "not proven yet; the first share tries "
                  + modes(node)
                  + " with "
                  + named(node.guess().runtimeClass())
                  + " ("
                  + String.join("; ", node.guess().because())
                  + ")"));
    }
  }

  private static String modes(GpuNodes.Guessed node) {
    return node.guess().modes().stream().map(InjectionMode::word).collect(Collectors.joining(", "));
  }

  /// Nothing tells what starts containers there, and no probe has found out.
  private static boolean isUnknown(GpuNodes.Guessed node, GpuStack stack) {
    return node.guess().obstacles().isEmpty()
        && node.proof() != GpuNodes.Proof.RUNNING
        && node.guess().runtimeClass().isEmpty()
        && node.defaultRuntime() == DefaultRuntime.UNKNOWN
        && !stack.hasPolicy();
  }

  private static Finding obstacle(GpuNodes.Guessed node, Obstacle obstacle) {
    InjectionFault fault = obstacle.fault();
    boolean certain =
        fault.excludes()
            || fault == InjectionFault.CDI_WITHOUT_CLASS
            || fault == InjectionFault.NO_RUNTIME_CLASS
            || node.guess().modes().isEmpty();
    String sentence =
        fault.sentence() + (obstacle.detail().isEmpty() ? "" : " (" + obstacle.detail() + ")");
    return new Finding(
        certain ? Severity.ERROR : Severity.WARN,
        GROUP + fault.code(),
        node.object(),
        sentence,
        fault.wayOut());
  }

  private static Finding failed(GpuNodes.Guessed node) {
    var fault =
        InjectionFault.ofMessage(node.said())
            .or(() -> node.missed().filter(seen -> seen != InjectionFault.NO_DEVICE_SEEN))
            .or(() -> node.guess().obstacles().stream().map(Obstacle::fault).findFirst())
            .orElse(InjectionFault.NO_DEVICE_SEEN);
    return Finding.error(
        GROUP + fault.code(),
        node.object(),
        "the probe by "
            + way(node.mode(), node.provenClass())
            + " failed"
            + (node.said().isEmpty() ? "" : " (" + node.said() + ")")
            + ": "
            + fault.sentence(),
        fault.wayOut()
            + " The node is probed again after probeRetry (10 minutes by default), when its object"
            + " or a RuntimeClass changes, or at once when pod "
            + ClusterFacts.NAMESPACE
            + "/"
            + node.probe()
            + " is deleted.");
  }

  private static String way(String mode, String runtimeClass) {
    return "mode " + (mode.isEmpty() ? "unknown" : mode) + " with " + named(runtimeClass);
  }

  private static String named(String runtimeClass) {
    return runtimeClass.isEmpty() ? "no runtime class" : "runtime class " + runtimeClass;
  }
}
