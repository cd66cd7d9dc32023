package dev.berth.engine.injection;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What a Node says of its GPUs and of what starts containers there.
///
/// @param gpus allocatable `nvidia.com/gpu`
/// @param migDevices allocatable `nvidia.com/mig-…` of all profiles
/// @param sharedGpus allocatable `nvidia.com/gpu.shared`, a replicated resource under another name
/// @param runtime such as `containerd://2.2.2`
/// @param handlers names of the runtime handlers; none = the runtime does not list them
/// @param labels all of them
public record GpuNode(
    String name,
    long gpus,
    long migDevices,
    long sharedGpus,
    String runtime,
    List<String> handlers,
    String osImage,
    String kubelet,
    String kernel,
    String bootId,
    String providerId,
    Map<String, String> labels) {

  /// What is installed on the node, as far as names tell.
  public enum Platform {
    OPENSHIFT,
    EKS,
    BOTTLEROCKET,
    AKS,
    GKE,
    TALOS,
    K3S,
    RKE2,
    OTHER
  }

  public GpuNode {
    handlers = List.copyOf(handlers);
    labels = new TreeMap<>(labels);
  }

  /// @param tree of a `v1` Node; what is absent is empty
  public static GpuNode of(Map<?, ?> tree) {
    ManifestTree root = ManifestTree.root(tree, new Problems());
    ManifestTree metadata = root.object("metadata");
    ManifestTree status = root.object("status");
    ManifestTree host = status.object("nodeInfo");
    var mig = new ArrayList<Long>();
    ManifestTree allocatable = status.object("allocatable");
    allocatable.eachText((name, amount) -> {
      if (name.startsWith("nvidia.com/mig-")) {
        mig.add(whole(amount));
      }
    });
    return new GpuNode(
        metadata.text("name"),
        whole(allocatable.text("nvidia.com/gpu")),
        mig.stream().mapToLong(Long::longValue).sum(),
        whole(allocatable.text("nvidia.com/gpu.shared")),
        host.text("containerRuntimeVersion"),
        status.objects("runtimeHandlers").stream()
            .map(handler -> handler.text("name"))
            .filter(handler -> !handler.isEmpty()) // the default handler has no name
            .sorted()
            .toList(),
        host.text("osImage"),
        host.text("kubeletVersion"),
        host.text("kernelVersion"),
        host.text("bootID"),
        root.object("spec").text("providerID"),
        metadata.words("labels").textMap());
  }

  /// Empty where there is none.
  public String label(String key) {
    return labels.getOrDefault(key, "");
  }

  public boolean isCrio() {
    return runtime.startsWith("cri-o://");
  }

  /// True if the kubelet lists the handlers of its runtime and this is none of them.
  public boolean lacksHandler(String handler) {
    return !handlers.isEmpty() && !handlers.contains(handler);
  }

  public boolean isPartitioned() {
    return migDevices > 0 || label("nvidia.com/gpu.product").contains("-MIG-");
  }

  /// Why one `nvidia.com/gpu` of this node is less than a GPU; empty where it is a whole one.
  public String replication() {
    String replicas = label("nvidia.com/gpu.replicas");
    if (whole(replicas) > 1) {
      return "label nvidia.com/gpu.replicas is " + replicas;
    }
    String strategy = label("nvidia.com/gpu.sharing-strategy");
    if (!strategy.isEmpty() && !strategy.equals("none")) {
      return "label nvidia.com/gpu.sharing-strategy is " + strategy;
    }
    String product = label("nvidia.com/gpu.product");
    if (product.endsWith("-SHARED")) {
      return "label nvidia.com/gpu.product is " + product;
    }
    return sharedGpus > 0 ? "it has " + sharedGpus + " nvidia.com/gpu.shared" : "";
  }

  public Platform platform() {
    String image = osImage.toLowerCase(Locale.ROOT);
    if (image.startsWith("bottlerocket")) {
      return Platform.BOTTLEROCKET;
    }
    if (image.startsWith("talos")) {
      return Platform.TALOS;
    }
    if (image.contains("coreos") && isCrio() || labels.containsKey("node.openshift.io/os_id")) {
      return Platform.OPENSHIFT;
    }
    if (kubelet.contains("-eks-") || labels.containsKey("eks.amazonaws.com/nodegroup")) {
      return Platform.EKS;
    }
    if (labels.containsKey("kubernetes.azure.com/cluster")) {
      return Platform.AKS;
    }
    if (labels.containsKey("cloud.google.com/gke-accelerator")
        || labels.containsKey("cloud.google.com/gke-nodepool")) {
      return Platform.GKE;
    }
    if (kubelet.contains("+rke2")) {
      return Platform.RKE2;
    }
    return kubelet.contains("+k3s") ? Platform.K3S : Platform.OTHER;
  }

  private static long whole(String text) {
    try {
      return text.isEmpty() ? 0 : Math.max(0, Long.parseLong(text.trim()));
    } catch (NumberFormatException notWhole) {
      return 0;
    }
  }
}
