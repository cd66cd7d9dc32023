package dev.berth.engine.injection;

import static dev.berth.engine.injection.InjectionGuess.DefaultRuntime.NVIDIA;
import static dev.berth.engine.injection.InjectionGuess.DefaultRuntime.OTHER;
import static dev.berth.engine.injection.InjectionGuess.DefaultRuntime.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.injection.InjectionGuess.DefaultRuntime;
import dev.berth.engine.injection.InjectionGuess.Obstacle;
import dev.berth.engine.request.Flow;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The platforms and the operator's versions, one row each.
class InjectionGuessTest {
  private static final String PLAIN =
      "osImage: Ubuntu 24.04, kubeletVersion: v1.36.3, containerRuntimeVersion: containerd://2.2.2";
  private static final String CRIO =
      "osImage: Red Hat Enterprise Linux CoreOS 9.6, kubeletVersion: v1.34.1,"
          + " containerRuntimeVersion: cri-o://1.34.0";
  private static final String NONE = "";

  static Stream<Arguments> platforms() {
    return Stream.of(
        // default runtime, modes and class of shares, obstacles
        row(
            "operator 25.3, CDI off",
            PLAIN,
            NONE,
            policy("v25.3.4", "{enabled: false}"),
            "nvidia",
            NVIDIA,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "operator 25.3, CDI by default",
            PLAIN,
            NONE,
            policy("v25.3.4", "{enabled: true, default: true}"),
            "nvidia",
            NVIDIA,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "operator 25.3, CDI on, not by default",
            PLAIN,
            NONE,
            policy("v25.3.4", "{enabled: true, default: false}"),
            "nvidia",
            NVIDIA,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "operator 25.10",
            PLAIN,
            NONE,
            policy("v25.10.1", "{enabled: true}"),
            "nvidia nvidia-cdi nvidia-legacy",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "operator 25.10, cdi absent",
            PLAIN,
            NONE,
            policy("v25.10.1", "{}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "operator 25.10, no RuntimeClass",
            PLAIN,
            NONE,
            policy("v25.10.1", "{enabled: true}"),
            "",
            OTHER,
            "env-cdi env",
            "",
            "CdiWithoutRuntimeClass"),
        row(
            "operator 25.10, CDI off",
            PLAIN,
            NONE,
            policy("v25.10.1", "{enabled: false}"),
            "nvidia",
            NVIDIA,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "operator 25.10, legacy by toolkit.env",
            PLAIN,
            NONE,
            policy(
                "v25.10.1",
                "{enabled: true}",
                "toolkit: {env: [{name: NVIDIA_CONTAINER_RUNTIME_MODE, value: legacy}]}"),
            "nvidia",
            OTHER,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "operator 25.10, default runtime by toolkit.env",
            PLAIN,
            NONE,
            policy(
                "v25.10.1",
                "{enabled: true}",
                "toolkit: {env: [{name: NVIDIA_RUNTIME_SET_AS_DEFAULT, value: \"true\"}]}"),
            "",
            NVIDIA,
            "env-cdi env",
            "",
            ""),
        row(
            "operator of OLM, CDI on",
            PLAIN,
            NONE,
            policy("", "{enabled: true}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "operator of OLM, CDI by default as up to 25.3",
            PLAIN,
            NONE,
            policy("", "{enabled: true, default: true}"),
            "nvidia",
            NVIDIA,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "operator 26.7 with NRI",
            PLAIN,
            NONE,
            policy("v26.7.0", "{enabled: true, nriPluginEnabled: true}"),
            "",
            OTHER,
            "nri env-cdi env",
            "",
            ""),
        row(
            "operator 26.3 with NRI",
            PLAIN,
            NONE,
            policy("v26.3.3", "{enabled: true, nriPluginEnabled: true}"),
            "",
            OTHER,
            "nri env-cdi env",
            "",
            "NriPluginTooOld"),
        row(
            "variable refused",
            PLAIN,
            NONE,
            policy(
                "v25.10.1",
                "{enabled: true}",
                "toolkit: {env: [{name: ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED,"
                    + " value: \"false\"}]}"),
            "nvidia",
            OTHER,
            "",
            "nvidia",
            "EnvvarNotAccepted"),
        row(
            "index ids",
            PLAIN,
            NONE,
            policy(
                "v25.10.1",
                "{enabled: true}",
                "devicePlugin: {env: [{name: DEVICE_ID_STRATEGY, value: index}]}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            "IndexDeviceIds"),
        row(
            "volume mounts",
            PLAIN,
            NONE,
            policy(
                "v25.3.4",
                "{enabled: false}",
                "devicePlugin: {env: [{name: DEVICE_LIST_STRATEGY, value: volume-mounts}]}"),
            "nvidia",
            NVIDIA,
            "env env-cdi",
            "nvidia",
            "VolumeMountsStrategy"),
        row(
            "OpenShift up to 25.3: the hook, the class has no handler",
            CRIO,
            NONE,
            policy("v25.3.4", "{enabled: false}"),
            "nvidia",
            NVIDIA,
            "env env-cdi",
            "",
            ""),
        row(
            "OpenShift from 25.10",
            CRIO,
            NONE,
            policy("", "{enabled: true}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "EKS AL2023",
            "osImage: Amazon Linux 2023.9, kubeletVersion: v1.34.1-eks-113cf36,"
                + " containerRuntimeVersion: containerd://2.1.5",
            "eks.amazonaws.com/nodegroup: g",
            "",
            "",
            NVIDIA,
            "env env-cdi",
            "",
            ""),
        row(
            "Bottlerocket",
            "osImage: Bottlerocket OS 1.50.0 (aws-k8s-1.34-nvidia),"
                + " kubeletVersion: v1.34.1-eks-113cf36,"
                + " containerRuntimeVersion: containerd://2.1.5+bottlerocket",
            NONE,
            "",
            "",
            NVIDIA,
            "env env-cdi",
            "",
            "BottlerocketDefaults"),
        row(
            "AKS",
            PLAIN,
            "kubernetes.azure.com/cluster: mc",
            "",
            "",
            NVIDIA,
            "env env-cdi",
            "",
            ""),
        row(
            "GKE's own plugin",
            PLAIN,
            "cloud.google.com/gke-accelerator: nvidia-l4",
            "",
            "",
            OTHER,
            "",
            "",
            "GkeDevicePlugin"),
        row(
            "GKE with the operator",
            PLAIN,
            "cloud.google.com/gke-accelerator: nvidia-l4,"
                + " gke-no-default-nvidia-gpu-device-plugin: \"true\"",
            policy("v25.10.1", "{enabled: true}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""),
        row(
            "Talos",
            "osImage: Talos (v1.11.3), kubeletVersion: v1.34.1,"
                + " containerRuntimeVersion: containerd://2.1.5",
            NONE,
            "",
            "nvidia",
            OTHER,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "k3s",
            "osImage: Debian, kubeletVersion: v1.34.1+k3s1,"
                + " containerRuntimeVersion: containerd://2.1.5-k3s1",
            NONE,
            "",
            "nvidia",
            OTHER,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "RKE2 without a RuntimeClass",
            "osImage: Debian, kubeletVersion: v1.34.1+rke2r1,"
                + " containerRuntimeVersion: containerd://2.1.5-k3s1",
            NONE,
            "",
            "",
            OTHER,
            "env env-cdi",
            "",
            "NoRuntimeClass"),
        row(
            "a device plugin of its own",
            PLAIN,
            NONE,
            "",
            "nvidia",
            UNKNOWN,
            "env env-cdi",
            "nvidia",
            ""),
        row(
            "replicas",
            PLAIN,
            "nvidia.com/gpu.replicas: \"4\"",
            policy("v25.10.1", "{enabled: true}"),
            "nvidia",
            OTHER,
            "",
            "nvidia",
            "ReplicatedGpus"),
        row(
            "MIG, strategy single",
            PLAIN,
            "nvidia.com/gpu.product: A100-SXM4-40GB-MIG-1g.5gb",
            policy("v25.10.1", "{enabled: true}"),
            "nvidia",
            OTHER,
            "",
            "nvidia",
            "MigPartitioned"),
        row(
            "MIG is the operator's strategy, and not used",
            PLAIN,
            "nvidia.com/mig.strategy: single, nvidia.com/gpu.product: Tesla-T4",
            policy("v25.10.1", "{enabled: true}"),
            "nvidia",
            OTHER,
            "env-cdi env",
            "nvidia",
            ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("platforms")
  void aPlatform(
      String name,
      Map<?, ?> tree,
      List<Map<?, ?>> policies,
      List<Map<?, ?>> classes,
      DefaultRuntime defaultRuntime,
      String modes,
      String runtimeClass,
      String faults) {
    var stack = GpuStack.of(policies, List.of(), classes);
    var node = GpuNode.of(tree);
    String ofShares = InjectionGuess.runtimeClass(stack, List.of(node));
    var guess = InjectionGuess.of(node, stack, ofShares);
    assertThat(ofShares).as("runtime class").isEqualTo(runtimeClass);
    assertThat(String.join(" ", guess.modes().stream().map(InjectionMode::word).toList()))
        .as("modes")
        .isEqualTo(modes);
    assertThat(codes(guess)).as("obstacles").isEqualTo(faults);
    assertThat(guess.defaultRuntime()).as("default runtime").isEqualTo(defaultRuntime);
    assertThat(guess.because().isEmpty() && guess.obstacles().isEmpty()).as("says why").isFalse();
  }

  @Test
  void claimsAlone() {
    var stack =
        GpuStack.of(
            List.of(), List.of(Flow.tree("{metadata: {name: gpus, generation: 1}}")), List.of());
    var guess = InjectionGuess.of(GpuNode.of(Flow.tree("{metadata: {name: gpu-1}}")), stack, "");
    assertThat(guess.modes()).isEmpty();
    assertThat(codes(guess)).isEqualTo("DraOnly");
  }

  @Test
  void aNodeWithoutGpusHasNoModeAndNoObstacle() {
    var stack = GpuStack.of(List.of(), List.of(), List.of());
    var guess = InjectionGuess.of(GpuNode.of(Flow.tree("{metadata: {name: cpu-1}}")), stack, "");
    assertThat(guess.modes()).isEmpty();
    assertThat(guess.obstacles()).isEmpty();
  }

  @Test
  void aClassThatForcesItsModeLeavesThatOne() {
    var guess = withClass("nvidia-legacy", "nvidia nvidia-cdi nvidia-legacy", "[]");
    assertThat(guess.modes()).containsExactly(InjectionMode.ENV);
    assertThat(withClass("nvidia-cdi", "nvidia nvidia-cdi", "[]").modes().getFirst())
        .isEqualTo(InjectionMode.ENV_CDI);
  }

  @Test
  void aClassThatIsNotThereOrHasNoHandlerOnTheNodeExcludesIt() {
    assertThat(codes(withClass("gpu", "nvidia", "[]"))).isEqualTo("RuntimeClassMissing");
    var guess = withClass("nvidia", "nvidia", "[{name: \"\"}, {name: runc}, {name: kata}]");
    assertThat(guess.modes()).isEmpty();
    assertThat(guess.obstacles().getFirst().on("gpu-1"))
        .isEqualTo(
            "node gpu-1: the node's container runtime has no handler for the runtime class of"
                + " shares, so their pods do not start (RuntimeClass nvidia names handler nvidia,"
                + " the node has kata, runc)");
  }

  @Test
  void autoIsNoClassWhereNoGpuNodeHasTheHandler() {
    var stack = GpuStack.of(List.of(), List.of(), classes("nvidia"));
    var with = GpuNode.of(node(PLAIN, NONE, "[{name: nvidia}]"));
    var without = GpuNode.of(node(PLAIN, NONE, "[{name: runc}]"));
    assertThat(InjectionGuess.runtimeClass(stack, List.of(without))).isEmpty();
    assertThat(InjectionGuess.runtimeClass(stack, List.of(without, with))).isEqualTo("nvidia");
    assertThat(InjectionGuess.runtimeClass(stack, List.of())).isEqualTo("nvidia");
  }

  private static InjectionGuess withClass(String runtimeClass, String classes, String handlers) {
    var stack = GpuStack.of(List.of(), List.of(), classes(classes));
    return InjectionGuess.of(GpuNode.of(node(PLAIN, NONE, handlers)), stack, runtimeClass);
  }

  private static String codes(InjectionGuess guess) {
    return String.join(
        " ", guess.obstacles().stream().map(Obstacle::fault).map(InjectionFault::code).toList());
  }

  private static Arguments row(
      String name,
      String host,
      String labels,
      String policy,
      String classes,
      DefaultRuntime defaultRuntime,
      String modes,
      String runtimeClass,
      String faults) {
    List<Map<?, ?>> policies = policy.isEmpty() ? List.of() : List.of(Flow.tree(policy));
    return Arguments.of(
        name,
        node(host, labels, "[]"),
        policies,
        classes(classes),
        defaultRuntime,
        modes,
        runtimeClass,
        faults);
  }

  private static List<Map<?, ?>> classes(String names) {
    return names.isEmpty()
        ? List.of()
        : Stream.of(names.split(" "))
            .<Map<?, ?>>map(
                name -> Flow.tree("{metadata: {name: " + name + "}, handler: " + name + "}"))
            .toList();
  }

  private static Map<?, ?> node(String host, String labels, String handlers) {
    // a text of the flow style ends at a comma or a brace
    String quoted = host.replaceAll("(\\w+): ([^,]+)", "$1: \"$2\"");
    return Flow.tree(
        "{metadata: {name: gpu-1, labels: {"
            + labels
            + "}}, status: {allocatable: {nvidia.com/gpu: \"8\"}, runtimeHandlers: "
            + handlers
            + ", nodeInfo: {bootID: b-1, "
            + quoted
            + "}}}");
  }

  private static String policy(String version, String cdi, String... more) {
    return "{metadata: {name: cluster-policy, uid: u-1, generation: 3, labels: {"
        + (version.isEmpty() ? "" : "app.kubernetes.io/version: " + version)
        + "}}, spec: {cdi: "
        + cdi
        + (more.length == 0 ? "" : ", " + String.join(", ", more))
        + "}}";
  }
}
