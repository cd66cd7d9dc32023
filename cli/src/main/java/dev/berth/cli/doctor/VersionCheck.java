package dev.berth.cli.doctor;

import dev.berth.engine.injection.GpuNode;
import dev.berth.engine.request.ManifestTree;
import java.util.ArrayList;
import java.util.List;

/// Versions of Kubernetes, of the nodes' components, and what the nodes' labels tell of GPUs.
final class VersionCheck {
  private static final String GROUP = "versions/";

  /// Kubelets may be three minor versions older than the API server.
  private static final int SKEW = 3;

  private VersionCheck() {}

  static List<Finding> findings(ClusterFacts facts) {
    var findings = new ArrayList<Finding>();
    Minor server = Minor.of(facts.version());
    server(facts.version(), server, findings);
    for (ManifestTree node : facts.trees(Source.NODES)) {
      kubelet("node " + ClusterFacts.name(node), node, server, findings);
    }
    for (GpuNodes.Guessed node : GpuNodes.of(facts).nodes()) {
      gpus(node.object(), node.node(), findings);
    }
    return findings;
  }

  private static void server(String version, Minor server, List<Finding> findings) {
    String object = "kube-apiserver";
    if (!server.isKnown()) {
      findings.add(
          Finding.warn(
              GROUP + "Kubernetes",
              object,
              "its version \"" + version + "\" is not understood",
              "Compare it with 1.36, the oldest that Berth's manifests fit."));
    } else if (server.isFrom(1, 36)) {
      findings.add(Finding.ok(GROUP + "Kubernetes", object, "Kubernetes " + version));
    } else if (server.isFrom(1, 34)) {
      findings.add(
          Finding.warn(
              GROUP + "Kubernetes",
              object,
              "Kubernetes "
                  + version
                  + " serves MutatingAdmissionPolicy as v1beta1 alone, and only by a feature gate",
              "Start kube-apiserver with --feature-gates=MutatingAdmissionPolicy=true and"
                  + " --runtime-config=admissionregistration.k8s.io/v1beta1=true, and apply the"
                  + " policies with that apiVersion; or upgrade to 1.36."));
    } else {
      findings.add(
          Finding.error(
              GROUP + "Kubernetes",
              object,
              "Kubernetes " + version + " has no MutatingAdmissionPolicy that Berth could use",
              "Upgrade to 1.36 or later."));
    }
  }

  private static void kubelet(
      String object, ManifestTree node, Minor server, List<Finding> findings) {
    String version = node.object("status").object("nodeInfo").text("kubeletVersion");
    Minor kubelet = Minor.of(version);
    if (!kubelet.isKnown() || !server.isKnown()) {
      return;
    }
    if (kubelet.isFrom(server.major(), server.minor() + 1)) {
      findings.add(
          Finding.error(
              GROUP + "KubeletNewer",
              object,
              "kubelet " + kubelet + " is newer than kube-apiserver " + server,
              "Upgrade kube-apiserver first."));
    } else if (kubelet.major() == server.major() && kubelet.minor() < server.minor() - SKEW) {
      findings.add(
          Finding.error(
              GROUP + "KubeletOlder",
              object,
              "kubelet " + kubelet + " is more than three minors older than " + server,
              "Upgrade the kubelet."));
    }
  }

  private static void gpus(String object, GpuNode node, List<Finding> findings) {
    Minor kubelet = Minor.of(node.kubelet());
    if (kubelet.isKnown()) {
      findings.add(
          kubelet.isFrom(1, 36)
              ? Finding.ok(
                  GROUP + "ResourceHealthStatus",
                  object,
                  "kubelet " + kubelet + " says in a pod's status which GPU it got")
              : Finding.warn(
                  GROUP + "ResourceHealthStatus",
                  object,
                  "kubelet "
                      + kubelet
                      + " does not say by default which GPU a pod got, so the holder must find out",
                  "Upgrade the kubelet to 1.36, or set its feature gate ResourceHealthStatus."));
    }
    Minor runtime = Minor.of(node.runtime());
    if (node.runtime().startsWith("containerd://") && runtime.isKnown() && !runtime.isFrom(1, 7)) {
      findings.add(
          Finding.warn(
              GROUP + "Containerd",
              object,
              "containerd " + runtime + " has no CDI",
              "Upgrade containerd to 1.7.30, 2.1 or later."));
    }
    if (node.gpus() > 0 && node.label("nvidia.com/gpu.memory").isEmpty()) {
      findings.add(
          Finding.warn(
              GROUP + "GpuMemoryUnknown",
              object,
              "has no label nvidia.com/gpu.memory, so gpu-memory requests and limits of shares do"
                  + " not fit there",
              "Install GPU feature discovery (part of the GPU Operator and of the device plugin's"
                  + " chart), or set the label to the MiB of one GPU."));
    }
  }
}
