package dev.berth.engine.injection;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Why containers of shares get no GPU on a node, or another one: one constant a cause, with the
/// words that the reason of a PodGroup and `berth doctor` share.
public enum InjectionFault {
  CDI_WITHOUT_CLASS(
      "CdiWithoutRuntimeClass",
      "the toolkit uses CDI and leaves the default runtime as it is, and shares have no runtime"
          + " class, so their containers start without a GPU",
      "Set shares.runtimeClass to nvidia (and create RuntimeClass nvidia if it is absent), or set"
          + " cdi.nriPluginEnabled in the ClusterPolicy and shares.injection to nri."),
  NO_RUNTIME_CLASS(
      "NoRuntimeClass",
      "its default runtime is not NVIDIA's and there is no RuntimeClass nvidia, so containers of"
          + " shares start without a GPU",
      "Create RuntimeClass nvidia with handler nvidia; then shares carry it"
          + " (shares.runtimeClass: auto)."),
  CLASS_MISSING(
      "RuntimeClassMissing",
      "the RuntimeClass of shares does not exist, so their pods are refused",
      "Create the RuntimeClass, or set shares.runtimeClass to one that exists, or to \"\"."),
  HANDLER_MISSING(
      "RuntimeHandlerMissing",
      "the node's container runtime has no handler for the runtime class of shares, so their pods"
          + " do not start",
      "Install the NVIDIA container toolkit on the node, or set shares.runtimeClass to \"\" where"
          + " NVIDIA's runtime is the default (CRI-O's hook, EKS, AKS)."),
  UUID_NOT_RESOLVED(
      "UuidNotResolved",
      "the toolkit takes NVIDIA_VISIBLE_DEVICES as a CDI name and finds no device of that name, so"
          + " the container does not start",
      "Set shares.injection to auto or env-cdi, or shares.runtimeClass to nvidia-legacy."),
  CDI_NAME_UNKNOWN(
      "CdiDeviceUnknown",
      "the device plugin wrote no CDI device of that name on the node, so the container does not"
          + " start",
      "Set DEVICE_LIST_STRATEGY to cdi-annotations,cdi-cri and DEVICE_ID_STRATEGY to uuid in the"
          + " device plugin, or shares.injection to env."),
  REPLICATED(
      "ReplicatedGpus",
      "the device plugin gives out replicas (time-slicing or MPS), so a holder would hold a"
          + " replica while other pods use the same GPU",
      "Remove the sharing section from the device plugin's configuration for this node; Berth"
          + " makes the shares."),
  MIG_PARTITIONED(
      "MigPartitioned",
      "its GPUs are partitioned by MIG, and a share is a part of a whole GPU",
      "Ask for nvidia.com/mig-… in place of a share, or set nvidia.com/mig.config to all-disabled"
          + " on this node."),
  GKE_PLUGIN(
      "GkeDevicePlugin",
      "it runs GKE's own device plugin, which gives GPUs to no container but the one that asks for"
          + " them",
      "Create a node pool with the label gke-no-default-nvidia-gpu-device-plugin=true and install"
          + " the NVIDIA GPU Operator."),
  VARIABLE_REFUSED(
      "EnvvarNotAccepted",
      "the toolkit ignores NVIDIA_VISIBLE_DEVICES of unprivileged containers, so containers of"
          + " shares start without a GPU",
      "Set ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED to true in toolkit.env of the"
          + " ClusterPolicy, or use cdi.nriPluginEnabled and shares.injection: nri."),
  BOTTLEROCKET(
      "BottlerocketDefaults",
      "Bottlerocket ignores NVIDIA_VISIBLE_DEVICES of unprivileged containers unless its settings"
          + " say otherwise",
      "Set settings.nvidia-container-runtime.visible-devices-envvar-when-unprivileged to true in"
          + " the node's user data."),
  VOLUME_MOUNTS(
      "VolumeMountsStrategy",
      "the device plugin lists devices as volume mounts, which are fixed before a node is chosen",
      "Set DEVICE_LIST_STRATEGY to envvar (or cdi-annotations,cdi-cri) in devicePlugin.env of the"
          + " ClusterPolicy."),
  INDEX_IDS(
      "IndexDeviceIds",
      "the device plugin names GPUs by index, so no CDI device has the name of a UUID, and an index"
          + " may mean another GPU after a reboot",
      "Set DEVICE_ID_STRATEGY to uuid in devicePlugin.env of the ClusterPolicy."),
  DRA_ONLY(
      "DraOnly",
      "the cluster gives GPUs by claims (DRA) alone: there is no device plugin, so nothing can hold"
          + " a GPU for shares",
      "Ask for GPUs by ResourceClaims, or install the GPU Operator with a ClusterPolicy in place of"
          + " the GPUCluster."),
  NRI_TOO_OLD(
      "NriPluginTooOld",
      "the toolkit's NRI plugin before version 1.20 (GPU Operator 26.7) serves its own namespace"
          + " alone",
      "Upgrade the GPU Operator to 26.7 or later, or set cdi.nriPluginEnabled to false and use"
          + " RuntimeClass nvidia."),
  NO_DEVICE_SEEN(
      "NoDeviceSeen",
      "a probe that carried what a share would saw no GPU",
      "Look for the cause in this order: nothing on the node reads NVIDIA_VISIBLE_DEVICES (create"
          + " RuntimeClass nvidia with handler nvidia, or make NVIDIA's runtime the default one),"
          + " the toolkit refuses it (accept-nvidia-visible-devices-envvar-when-unprivileged), the"
          + " mode is another one (shares.injection)."),
  MORE_DEVICES_SEEN(
      "MoreDevicesSeen",
      "a probe that carried one GPU saw more than that one: containers are not kept apart",
      "Check the toolkit's mode and that no policy changes NVIDIA_VISIBLE_DEVICES of pods in"
          + " Berth's namespace."),
  OTHER_DEVICE_SEEN(
      "OtherDeviceSeen",
      "a probe saw another GPU than the one that it carried",
      "Set DEVICE_ID_STRATEGY to uuid, and restart the device plugin if a GPU was replaced."),
  NO_REPORT(
      "GpuNotReported",
      "its holder starts and does not say which GPU it holds",
      "Run kubelet 1.36 or later (ResourceHealthStatus), or set DEVICE_LIST_STRATEGY to include"
          + " envvar."),
  SEVERAL_REPORTED(
      "SeveralGpusReported",
      "its holder asked for one GPU and sees several",
      "Check that NVIDIA_VISIBLE_DEVICES is not set by a policy or by the holder's image."),
  SOURCES_DIFFER(
      "ReportsDiffer",
      "the kubelet and the holder name different GPUs",
      "Delete the holder; if it comes again, restart the device plugin and the kubelet of the"
          + " node."),
  IMAGE_MISSING(
      "ImageNotPulled",
      "the image of holders and probes cannot be pulled",
      "Set holders.image to an image that the node can pull, such as a mirror of busybox.");

  private static final Pattern UUID = Pattern.compile("GPU-[A-Za-z0-9][A-Za-z0-9-]*");

  /// Told by either source of a holder, it holds no GPU that could be shared.
  private static final Set<InjectionFault> NO_WHOLE_GPU = EnumSet.of(REPLICATED, MIG_PARTITIONED);

  private final String code;
  private final String sentence;
  private final String wayOut;

  InjectionFault(String code, String sentence, String wayOut) {
    this.code = code;
    this.sentence = sentence;
    this.wayOut = wayOut;
  }

  /// The same word in reasons, events and findings. Never changes.
  public String code() {
    return code;
  }

  /// Begins in lower case and ends without a full stop, to follow `node gpu-1: `.
  public String sentence() {
    return sentence;
  }

  /// Whole sentences.
  public String wayOut() {
    return wayOut;
  }

  /// True if no probe is needed to know that shares are impossible there.
  public boolean excludes() {
    return switch (this) {
      case REPLICATED, MIG_PARTITIONED, GKE_PLUGIN, DRA_ONLY, HANDLER_MISSING, CLASS_MISSING ->
          true;
      case CDI_WITHOUT_CLASS,
          NO_RUNTIME_CLASS,
          UUID_NOT_RESOLVED,
          CDI_NAME_UNKNOWN,
          VARIABLE_REFUSED,
          BOTTLEROCKET,
          VOLUME_MOUNTS,
          INDEX_IDS,
          NRI_TOO_OLD,
          NO_DEVICE_SEEN,
          MORE_DEVICES_SEEN,
          OTHER_DEVICE_SEEN,
          NO_REPORT,
          SEVERAL_REPORTED,
          SOURCES_DIFFER,
          IMAGE_MISSING ->
          false;
    };
  }

  /// What kubelet or API server say of a pod that did not start, in its status or an event.
  ///
  /// @return empty for words that name none of these causes
  public static Optional<InjectionFault> ofMessage(String message) {
    String text = message.toLowerCase(Locale.ROOT);
    if (text.contains("unresolvable cdi devices") || text.contains("failed to inject cdi")) {
      boolean qualified = text.contains("k8s.device-plugin.nvidia.com/gpu=");
      return Optional.of(qualified ? CDI_NAME_UNKNOWN : UUID_NOT_RESOLVED);
    }
    if (text.contains("runtimeclass") && text.contains("not found")) {
      return Optional.of(CLASS_MISSING);
    }
    if (text.contains("runtimehandler") && text.contains("not supported")
        || text.contains("no runtime for ")
        || text.contains("runtime handler") && text.contains("not found")
        || text.contains("failed to find runtime handler")) {
      return Optional.of(HANDLER_MISSING);
    }
    if (text.contains("errimagepull")
        || text.contains("imagepullbackoff")
        || text.contains("failed to pull image")) {
      return Optional.of(IMAGE_MISSING);
    }
    return Optional.empty();
  }

  /// What the two sources of a holder come to: the device IDs that its kubelet allocated, and what
  /// its container reported.
  ///
  /// @return empty where one of them names one GPU, and the other does not contradict it
  public static Optional<InjectionFault> ofHolder(List<String> allocated, String seen) {
    if (allocated.size() > 1 || seen.contains(",")) {
      return Optional.of(SEVERAL_REPORTED);
    }
    String id = allocated.isEmpty() ? "" : allocated.getFirst();
    for (var fault : List.of(ofReport(id), ofReport(seen))) {
      if (fault.filter(NO_WHOLE_GPU::contains).isPresent()) {
        return fault;
      }
    }
    boolean isAllocated = UUID.matcher(id).matches();
    boolean isSeen = UUID.matcher(seen).matches();
    if (isAllocated && isSeen && !id.equals(seen)) {
      return Optional.of(SOURCES_DIFFER);
    }
    boolean isGke = ofReport(id).filter(GKE_PLUGIN::equals).isPresent();
    if (!isGke && (isAllocated || isSeen)) {
      return Optional.empty();
    }
    return Optional.of(
        isGke ? GKE_PLUGIN : ofReport(seen).or(() -> ofReport(id)).orElse(NO_REPORT));
  }

  /// What a probe saw in place of the GPU that it carried.
  ///
  /// @param seen UUIDs separated by commas
  /// @return empty = that GPU and no other
  public static Optional<InjectionFault> ofProbe(String seen, String carried) {
    if (seen.equals(carried)) {
      return Optional.empty();
    }
    if (seen.isEmpty()) {
      return Optional.of(NO_DEVICE_SEEN);
    }
    return Optional.of(
        List.of(seen.split(",", -1)).contains(carried) ? MORE_DEVICES_SEEN : OTHER_DEVICE_SEEN);
  }

  /// What a holder reports in place of one UUID.
  ///
  /// @param report value of the holder's termination message
  /// @return empty for one UUID
  public static Optional<InjectionFault> ofReport(String report) {
    String text = report.trim();
    if (text.contains("nvidia-container-devices")) {
      return Optional.of(VOLUME_MOUNTS);
    }
    if (text.matches("nvidia\\d+(,nvidia\\d+)*")) {
      return Optional.of(GKE_PLUGIN);
    }
    if (text.matches("\\d+")) {
      return Optional.of(INDEX_IDS);
    }
    if (text.startsWith("MIG-")) {
      return Optional.of(MIG_PARTITIONED);
    }
    if (text.contains("::")) {
      return Optional.of(REPLICATED);
    }
    if (text.contains(",") || text.equals("all")) {
      return Optional.of(SEVERAL_REPORTED);
    }
    return text.isEmpty() || text.equals("void") || text.equals("none")
        ? Optional.of(NO_REPORT)
        : Optional.empty();
  }
}
