package dev.berth.engine.injection;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/// What the cluster says of NVIDIA's stack: ClusterPolicy, GPUCluster, RuntimeClasses. The
/// ClusterPolicy's `toolkit.env` and `devicePlugin.env` are applied last by the operator, so they
/// decide here, too.
///
/// @param policy name of the ClusterPolicy; empty = there is none
/// @param version of the operator; not known under OLM
/// @param defaultRuntime whether `toolkit.env` makes `nvidia` the default runtime: `true`, `false`,
///   empty = it says nothing
/// @param runtimeMode `NVIDIA_CONTAINER_RUNTIME_MODE` of `toolkit.env`; empty = it says nothing
/// @param refusesVariable whether `toolkit.env` refuses the variable to unprivileged containers
/// @param listStrategy `DEVICE_LIST_STRATEGY` of `devicePlugin.env`; empty = it says nothing
/// @param claimsOnly a GPUCluster and no ClusterPolicy: GPUs by claims (DRA) alone
/// @param classes handler of each RuntimeClass
/// @param generations name, UID and generation of the objects that were read
public record GpuStack(
    String policy,
    OperatorVersion version,
    boolean cdi,
    boolean cdiDefault,
    boolean nri,
    boolean toolkit,
    String defaultRuntime,
    String runtimeMode,
    boolean refusesVariable,
    String listStrategy,
    boolean indexIds,
    boolean claimsOnly,
    Map<String, String> classes,
    String generations) {
  public static final String NVIDIA_CLASS = "nvidia";

  public GpuStack {
    classes = new TreeMap<>(classes);
  }

  /// @param policies ClusterPolicy objects; of several the operator uses the first, and so does
  ///   Berth
  /// @param gpuClusters GPUCluster objects
  /// @param runtimeClasses RuntimeClass objects
  public static GpuStack of(
      Collection<? extends Map<?, ?>> policies,
      Collection<? extends Map<?, ?>> gpuClusters,
      Collection<? extends Map<?, ?>> runtimeClasses) {
    var problems = new Problems();
    var classes = new TreeMap<String, String>();
    for (Map<?, ?> runtimeClass : runtimeClasses) {
      ManifestTree root = ManifestTree.root(runtimeClass, problems);
      classes.put(root.object("metadata").text("name"), root.text("handler"));
    }
    var generations = new TreeMap<String, String>();
    policies.forEach(policy -> generation("ClusterPolicy", policy, generations));
    gpuClusters.forEach(cluster -> generation("GPUCluster", cluster, generations));
    var none = new TreeMap<String, Object>();
    boolean hasPolicy = !policies.isEmpty();
    ManifestTree policy =
        ManifestTree.root(hasPolicy ? policies.iterator().next() : none, problems);
    ManifestTree spec = policy.object("spec");
    ManifestTree cdi = spec.object("cdi");
    var version =
        OperatorVersion.of(
            policy.object("metadata").words("labels").text("app.kubernetes.io/version"));
    var toolkitEnv = env(spec.object("toolkit"));
    var pluginEnv = env(spec.object("devicePlugin"));
    String asDefault =
        toolkitEnv.getOrDefault(
            "NVIDIA_RUNTIME_SET_AS_DEFAULT",
            toolkitEnv.getOrDefault("CONTAINERD_SET_AS_DEFAULT", ""));
    return new GpuStack(
        hasPolicy ? policy.object("metadata").text("name") : "",
        version,
        hasPolicy && (cdi.has("enabled") ? cdi.flag("enabled") : version.isFrom(25, 10)),
        cdi.flag("default"),
        hasPolicy && cdi.flag("nriPluginEnabled"),
        hasPolicy && isEnabled(spec.object("toolkit")),
        asDefault,
        toolkitEnv.getOrDefault("NVIDIA_CONTAINER_RUNTIME_MODE", ""),
        "false".equals(toolkitEnv.get("ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED")),
        pluginEnv.getOrDefault("DEVICE_LIST_STRATEGY", ""),
        "index".equals(pluginEnv.get("DEVICE_ID_STRATEGY")),
        !hasPolicy && !gpuClusters.isEmpty(),
        classes,
        String.join(" ", generations.values()));
  }

  public boolean hasPolicy() {
    return !policy.isEmpty();
  }

  /// Whether the toolkit's runtime resolves the variable as CDI names by default.
  boolean resolvesCdiNames() {
    return switch (runtimeMode) {
      case "" -> cdi && (cdiDefault || leavesDefaultRuntime());
      case "cdi" -> true;
      default -> false; // legacy, auto, jit-cdi, csv take UUIDs
    };
  }

  /// What CDI does from 25.10 on. An unknown version counts as one of these unless `cdi.default` is
  /// set, which later ones ignore.
  boolean leavesDefaultRuntime() {
    return version.isFrom(25, 10) || !version.isKnown() && !cdiDefault;
  }

  private static boolean isEnabled(ManifestTree component) {
    return !component.has("enabled") || component.flag("enabled");
  }

  private static Map<String, String> env(ManifestTree component) {
    var env = new TreeMap<String, String>();
    for (ManifestTree variable : component.objects("env")) {
      env.put(variable.text("name"), variable.text("value"));
    }
    return env;
  }

  private static void generation(String kind, Map<?, ?> object, Map<String, String> into) {
    ManifestTree metadata = ManifestTree.root(object, new Problems()).object("metadata");
    String name = kind + "/" + metadata.text("name");
    into.put(name, name + "@" + metadata.text("uid") + "." + metadata.text("generation"));
  }
}
