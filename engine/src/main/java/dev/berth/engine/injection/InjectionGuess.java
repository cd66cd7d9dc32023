package dev.berth.engine.injection;

import dev.berth.engine.injection.GpuNode.Platform;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// How a share on a node probably gets its GPU. A guess orders the probe's attempts and explains
/// them; only the probe decides.
///
/// 1. What excludes shares (claims only, replicas, MIG, GKE's plugin, a class without a handler)
///    leaves no mode.
/// 2. A class that forces its mode (`nvidia-legacy`, `nvidia-cdi`) leaves that one.
/// 3. Else first what ClusterPolicy and platform imply: `nri` where the plugin is on, `env-cdi`
///    where the toolkit resolves CDI names, `env` elsewhere; then the other modes that the same
///    class allows.
///
/// @param modes to try, in this order; none = shares are impossible there
/// @param runtimeClass of shares, as the cluster has it; empty = none
/// @param defaultRuntime what starts pods without a runtime class
/// @param obstacles what is known, or suspected, to stand in the way
/// @param because what the order follows from, in words
public record InjectionGuess(
    List<InjectionMode> modes,
    String runtimeClass,
    DefaultRuntime defaultRuntime,
    List<Obstacle> obstacles,
    List<String> because) {

  /// What starts a container of a pod without a runtime class.
  public enum DefaultRuntime {
    /// NVIDIA's runtime, or CRI-O's hook: it looks at the variable of every container.
    NVIDIA,
    /// Gives devices to containers whose kubelet asks for them, and to no other.
    OTHER,
    UNKNOWN
  }

  /// @param detail object, field and value that show it; empty = nothing more to say
  public record Obstacle(InjectionFault fault, String detail) {
    /// `node gpu-1: its GPUs are … (label … is …)`.
    public String on(String node) {
      return "node "
          + node
          + ": "
          + fault.sentence()
          + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  public InjectionGuess {
    modes = List.copyOf(modes);
    obstacles = List.copyOf(obstacles);
    because = List.copyOf(because);
  }

  /// The setting `shares.runtimeClass: auto`: `nvidia` if a RuntimeClass of that name exists and
  /// some GPU node has its handler; else none.
  public static String runtimeClass(GpuStack stack, Collection<GpuNode> nodes) {
    if (!stack.classes().containsKey(GpuStack.NVIDIA_CLASS)) {
      return "";
    }
    boolean anyGpus = false;
    for (GpuNode node : nodes) {
      if (node.gpus() > 0) {
        anyGpus = true;
        if (missingHandler(node, stack, GpuStack.NVIDIA_CLASS).isEmpty()) {
          return GpuStack.NVIDIA_CLASS;
        }
      }
    }
    return anyGpus ? "" : GpuStack.NVIDIA_CLASS;
  }

  /// @param runtimeClass of shares: the setting, or what [#runtimeClass] says
  public static InjectionGuess of(GpuNode node, GpuStack stack, String runtimeClass) {
    var obstacles = new ArrayList<Obstacle>();
    var because = new ArrayList<String>();
    DefaultRuntime defaultRuntime = defaultRuntime(node, stack);
    excluding(node, stack, runtimeClass, obstacles);
    if (!obstacles.isEmpty() || node.gpus() == 0) {
      if (node.gpus() == 0 && obstacles.isEmpty()) {
        because.add("it has no allocatable nvidia.com/gpu");
      }
      return new InjectionGuess(List.of(), runtimeClass, defaultRuntime, obstacles, because);
    }
    because.add(origin(node, stack));
    var modes = order(node, stack, runtimeClass, obstacles, because);
    if (runtimeClass.isEmpty()
        && defaultRuntime == DefaultRuntime.OTHER
        && !modes.contains(InjectionMode.NRI)) {
      obstacles.add(
          stack.hasPolicy() && stack.cdi()
              ? new Obstacle(InjectionFault.CDI_WITHOUT_CLASS, policy(stack, "cdi.enabled", "true"))
              : new Obstacle(InjectionFault.NO_RUNTIME_CLASS, defaultDetail(node, stack)));
    }
    return new InjectionGuess(modes, runtimeClass, defaultRuntime, obstacles, because);
  }

  private static void excluding(
      GpuNode node, GpuStack stack, String runtimeClass, List<Obstacle> obstacles) {
    if (stack.claimsOnly() && node.gpus() == 0) {
      obstacles.add(
          new Obstacle(InjectionFault.DRA_ONLY, "there is a GPUCluster and no ClusterPolicy"));
      return;
    }
    if (node.isPartitioned()) {
      String product = node.label("nvidia.com/gpu.product");
      obstacles.add(
          new Obstacle(
              InjectionFault.MIG_PARTITIONED,
              node.migDevices() > 0
                  ? "it has " + node.migDevices() + " nvidia.com/mig-… devices"
                  : "label nvidia.com/gpu.product is " + product));
    }
    String replication = node.replication();
    if (!replication.isEmpty()) {
      obstacles.add(new Obstacle(InjectionFault.REPLICATED, replication));
    }
    if (node.gpus() == 0) {
      return;
    }
    if (node.platform() == Platform.GKE
        && !stack.hasPolicy()
        && !node.label("gke-no-default-nvidia-gpu-device-plugin").equals("true")) {
      obstacles.add(
          new Obstacle(
              InjectionFault.GKE_PLUGIN,
              "label cloud.google.com/gke-accelerator is "
                  + node.label("cloud.google.com/gke-accelerator")));
    }
    if (!runtimeClass.isEmpty() && !stack.classes().containsKey(runtimeClass)) {
      obstacles.add(
          new Obstacle(InjectionFault.CLASS_MISSING, "shares.runtimeClass is " + runtimeClass));
    } else {
      missingHandler(node, stack, runtimeClass)
          .ifPresent(detail -> obstacles.add(new Obstacle(InjectionFault.HANDLER_MISSING, detail)));
    }
  }

  /// Without CDI the operator sets up CRI-O by a hook and gives it no handlers, though it creates
  /// the RuntimeClass.
  private static Optional<String> missingHandler(
      GpuNode node, GpuStack stack, String runtimeClass) {
    if (runtimeClass.isEmpty()) {
      return Optional.empty();
    }
    String handler = stack.classes().getOrDefault(runtimeClass, "");
    if (node.lacksHandler(handler)) {
      return Optional.of(
          "RuntimeClass "
              + runtimeClass
              + " names handler "
              + handler
              + ", the node has "
              + String.join(", ", node.handlers()));
    }
    boolean hookOnly =
        node.isCrio() && node.handlers().isEmpty() && stack.hasPolicy() && !stack.cdi();
    return hookOnly
        ? Optional.of(
            "CRI-O with a hook, as ClusterPolicy " + stack.policy() + " has cdi.enabled false")
        : Optional.empty();
  }

  private static List<InjectionMode> order(
      GpuNode node,
      GpuStack stack,
      String runtimeClass,
      List<Obstacle> obstacles,
      List<String> because) {
    if (runtimeClass.endsWith("-legacy")) {
      because.add("runtime class " + runtimeClass + " takes UUIDs");
      return List.of(InjectionMode.ENV);
    }
    boolean cdiFirst = stack.resolvesCdiNames() || runtimeClass.endsWith("-cdi");
    var modes = new ArrayList<InjectionMode>();
    if (stack.nri()) {
      because.add(policy(stack, "cdi.nriPluginEnabled", "true"));
      modes.add(InjectionMode.NRI);
      if (stack.version().isKnown() && !stack.version().isFrom(26, 7)) {
        obstacles.add(new Obstacle(InjectionFault.NRI_TOO_OLD, version(stack)));
      }
    }
    if (stack.refusesVariable()) {
      obstacles.add(
          new Obstacle(
              InjectionFault.VARIABLE_REFUSED,
              policy(
                  stack,
                  "toolkit.env ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED",
                  "false")));
      return modes;
    }
    if (stack.listStrategy().equals("volume-mounts")) {
      obstacles.add(
          new Obstacle(
              InjectionFault.VOLUME_MOUNTS,
              policy(stack, "devicePlugin.env DEVICE_LIST_STRATEGY", "volume-mounts")));
    }
    if (node.platform() == Platform.BOTTLEROCKET && !stack.toolkit()) {
      obstacles.add(new Obstacle(InjectionFault.BOTTLEROCKET, "osImage is " + node.osImage()));
    }
    if (cdiFirst && stack.indexIds()) {
      obstacles.add(
          new Obstacle(
              InjectionFault.INDEX_IDS,
              policy(stack, "devicePlugin.env DEVICE_ID_STRATEGY", "index")));
    }
    modes.add(cdiFirst ? InjectionMode.ENV_CDI : InjectionMode.ENV);
    modes.add(cdiFirst ? InjectionMode.ENV : InjectionMode.ENV_CDI);
    if (!stack.runtimeMode().isEmpty()) {
      because.add(policy(stack, "toolkit.env NVIDIA_CONTAINER_RUNTIME_MODE", stack.runtimeMode()));
    }
    return modes;
  }

  private static DefaultRuntime defaultRuntime(GpuNode node, GpuStack stack) {
    if (stack.hasPolicy() && stack.toolkit()) {
      switch (stack.defaultRuntime()) {
        case "true", "1":
          return DefaultRuntime.NVIDIA;
        case "false", "0":
          return DefaultRuntime.OTHER;
        default:
          // Up to 25.3 it is the default one with CDI, too.
          boolean untouched = stack.nri() || stack.cdi() && stack.leavesDefaultRuntime();
          return untouched ? DefaultRuntime.OTHER : DefaultRuntime.NVIDIA;
      }
    }
    return switch (node.platform()) {
      case EKS, BOTTLEROCKET, AKS -> DefaultRuntime.NVIDIA;
      case GKE, TALOS, K3S, RKE2 -> DefaultRuntime.OTHER;
      case OPENSHIFT, OTHER -> DefaultRuntime.UNKNOWN;
    };
  }

  private static String origin(GpuNode node, GpuStack stack) {
    if (stack.hasPolicy()) {
      return version(stack) + ", CDI " + (stack.cdi() ? "on" : "off");
    }
    return switch (node.platform()) {
      case OPENSHIFT -> "OpenShift without a ClusterPolicy";
      case EKS -> "EKS: NVIDIA's runtime is the default one";
      case BOTTLEROCKET -> "Bottlerocket: NVIDIA's runtime is the default one";
      case AKS -> "AKS: NVIDIA's runtime is the default one";
      case GKE -> "GKE without its own device plugin";
      case TALOS -> "Talos: handler nvidia by RuntimeClass";
      case K3S -> "k3s: handler nvidia by RuntimeClass";
      case RKE2 -> "RKE2: handler nvidia by RuntimeClass";
      case OTHER -> "no ClusterPolicy: a device plugin of its own";
    };
  }

  private static String defaultDetail(GpuNode node, GpuStack stack) {
    return stack.hasPolicy()
        ? policy(stack, "toolkit.env NVIDIA_RUNTIME_SET_AS_DEFAULT", stack.defaultRuntime())
        : origin(node, stack);
  }

  private static String version(GpuStack stack) {
    var version = stack.version();
    return version.isKnown()
        ? "GPU Operator " + version.year() + "." + version.month()
        : "GPU Operator of unknown version";
  }

  private static String policy(GpuStack stack, String field, String value) {
    return "ClusterPolicy " + stack.policy() + " has " + field + " " + value;
  }
}
