package dev.berth.engine.request;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Which GPU a holder holds, as the status of its pod says, or what prevents it from holding one.
///
/// Two sources: what the kubelet says it allocated ([KubeletDevices]), and what the container saw
/// when it started (its termination message: UUIDs by the minor numbers of its device nodes, else
/// the value of `NVIDIA_VISIBLE_DEVICES`). The kubelet's word counts first. Two that differ,
/// several GPUs, replicas, partitions and IDs that are no UUIDs are a trouble of the node. Nothing
/// is told before the container has ended once: until then only one source has spoken.
///
/// @param device UUID; empty = not told
/// @param trouble what prevents it; empty = nothing, it may only take its time
record HolderReport(String device, String trouble) {
  private static final HolderReport NOT_YET = new HolderReport("", "");

  private static final Pattern UUID = Pattern.compile("GPU-[A-Za-z0-9][A-Za-z0-9-]{0,123}");
  private static final Pattern GKE = Pattern.compile("nvidia[0-9]+(/.*)?");
  private static final Pattern STARTING =
      Pattern.compile("PodInitializing|ContainerCreating|ContainersNotInitialized|");

  /// 0 = it ended by itself, 137 and 143 = it was holding and was killed.
  private static final Pattern REGULAR_EXIT = Pattern.compile("0|137|143|");

  private static final int LONGEST = 160;

  static HolderReport of(ManifestTree status) {
    if (status.text("phase").equals("Failed")) {
      return trouble("refused by its kubelet", status.text("reason"), status.text("message"));
    }
    for (ManifestTree container : status.objects("containerStatuses")) {
      return of(container, KubeletDevices.of(status));
    }
    return NOT_YET;
  }

  private static HolderReport of(ManifestTree container, List<String> kubelet) {
    ManifestTree waiting = container.object("state").object("waiting");
    var ended = ended(container);
    if (!STARTING.matcher(waiting.text("reason")).matches()
        && (ended.isEmpty() || ended.get().text("message").isBlank())) {
      return trouble("does not start", waiting.text("reason"), waiting.text("message"));
    }
    if (ended.isEmpty()) {
      return NOT_YET;
    }
    String seen = ended.get().text("message").trim();
    if (!REGULAR_EXIT.matcher(exitCode(ended.get())).matches()) {
      return kubelet.isEmpty()
          ? trouble("failed to report", ended.get().text("reason"), seen)
          : reported(kubelet, "");
    }
    return reported(kubelet, seen);
  }

  /// The latest end of the container that the kubelet saw itself: of one that was lost in a reboot
  /// it tells words of its own.
  private static Optional<ManifestTree> ended(ManifestTree container) {
    for (String state : List.of("state", "lastState")) {
      ManifestTree terminated = container.object(state).object("terminated");
      boolean lost = terminated.text("reason").equals("ContainerStatusUnknown");
      if (!lost && (terminated.has("exitCode") || terminated.has("message"))) {
        return Optional.of(terminated);
      }
    }
    return Optional.empty();
  }

  private static String exitCode(ManifestTree terminated) {
    return String.valueOf(terminated.number("exitCode", 0).orElse(0));
  }

  /// @param kubelet device IDs that the kubelet allocated; empty = it does not say
  /// @param seen what the container saw
  private static HolderReport reported(List<String> kubelet, String seen) {
    if (kubelet.size() > 1 || seen.contains(",")) {
      String all = kubelet.size() > 1 ? String.join(",", kubelet) : seen;
      return fault("sees several GPUs (" + all + ")", "a holder must get one GPU alone");
    }
    String allocated = kubelet.isEmpty() ? "" : kubelet.getFirst();
    if (allocated.contains("::") || seen.contains("::")) {
      return fault(
          "holds a replica (" + (allocated.isEmpty() ? seen : allocated) + "), not a whole GPU",
          "turn time-slicing and MPS off in the device plugin's config (sharing), or keep shares"
              + " off this node");
    }
    if (allocated.startsWith("MIG-") || seen.startsWith("MIG-")) {
      return fault(
          "holds a MIG instance (" + (allocated.isEmpty() ? seen : allocated) + ")",
          "shares need GPUs that are not partitioned: set nvidia.com/mig.config to all-disabled");
    }
    if (GKE.matcher(allocated).matches()) {
      return fault(
          "got device ID "
              + allocated
              + " of GKE's own device plugin, which gives a pod no way to"
              + " choose a GPU",
          "use the NVIDIA GPU Operator on this node pool");
    }
    boolean isAllocated = UUID.matcher(allocated).matches();
    boolean isSeen = UUID.matcher(seen).matches();
    if (isAllocated && isSeen && !allocated.equals(seen)) {
      return fault(
          "sees " + seen + ", but its kubelet says that it allocated " + allocated,
          "restart the device plugin of this node; if it stays, drain and reboot the node");
    }
    if (isAllocated || isSeen) {
      return new HolderReport(isAllocated ? allocated : seen, "");
    }
    return fault(
        "cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is "
            + (seen.isEmpty() ? "empty" : "\"" + shortened(seen) + "\"")
            + ", the kubelet says "
            + (allocated.isEmpty() ? "nothing" : "\"" + allocated + "\"")
            + ", no device node matches /proc/driver/nvidia/gpus)",
        "let the kubelet tell it (Kubernetes 1.36, feature gate ResourceHealthStatus, device plugin"
            + " with deviceIDStrategy uuid)");
  }

  private static HolderReport fault(String what, String wayOut) {
    return new HolderReport("", what + ": " + wayOut);
  }

  private static HolderReport trouble(String what, String reason, String message) {
    String text = shortened(message.replaceAll("\\s+", " ").trim());
    return new HolderReport(
        "", what + (reason.isEmpty() ? "" : ": " + reason) + (text.isEmpty() ? "" : ": " + text));
  }

  private static String shortened(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
