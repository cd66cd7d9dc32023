package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.GpuPod.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Shares on real nodes: real kubelet, containerd and runc, simulated GPUs. What counts is what
/// each container says that it sees.
class RealNodeSharesIT {
  private static final int PORT = 22400;
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final String CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
  private static final String POLICIES = "/apis/nvidia.com/v1/clusterpolicies";
  private static final String SYSTEM = "/api/v1/namespaces/berth-system/pods";
  private static final String CDI = "k8s.device-plugin.nvidia.com/gpu=";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    RealNode.require();
    cluster = ControlPlane.up(PORT, "--nodes", "0", "--plain-scheduler", "--real-nodes");
    api = cluster.admin();
    cluster.define("doctor/clusterpolicies.yaml", POLICIES);
    cluster.restart("berth"); // which looks for a kind that was absent only now and then
  }

  @AfterEach
  void clean() {
    api.delete(GpuPod.PODS + "?gracePeriodSeconds=0");
    api.delete(GROUPS);
    api.delete(CLASSES);
    api.delete(POLICIES);
  }

  private static RealNode node(int number, String... options) {
    return RealNode.up(cluster, "real-" + number, PORT + 100 + 10 * number, options);
  }

  private static void classes() {
    for (JsonNode each :
        Api.documents(ControlPlane.root().resolve("e2e/node/runtime-classes.yaml"))) {
      api.createOrFail(CLASSES, each.toString());
    }
    awaitClass("nvidia");
  }

  /// Admission reads it from what Berth writes.
  private static void awaitClass(String name) {
    ControlPlane.await(
        "shares have the runtime class \"" + name + "\"",
        () ->
            api.call("GET", PARAMETERS, "application/json", "")
                .body()
                .at("/data/runtimeClass")
                .asText("-")
                .equals(name),
        () -> api.call("GET", PARAMETERS, "application/json", "").message());
  }

  private static final String PARAMETERS =
      "/api/v1/namespaces/berth-system/configmaps/berth-shares";

  private static GpuPod share(String name) {
    return GpuPod.named(name).by("berth").annotated("gpu-fraction", "0.5").running();
  }

  /// All that a share must be, on a node, by what its containers say.
  private static String half(RealNode node, String name) {
    share(name).onlyOn(node).container("side").create(api).awaitRunning(api);
    return device(node, name);
  }

  private static String device(RealNode node, String name) {
    var pod = GpuPod.named(name);
    var devices = devices(name);
    assertThat(devices).as("devices of %s", name).hasSize(1);
    expectSees(pod.seen(api, node, "main"), Set.copyOf(devices));
    expectNothing(pod.seen(api, node, "side"));
    return devices.getFirst();
  }

  private static void expectSees(Seen seen, Set<String> uuids) {
    assertThat(Set.copyOf(seen.uuids())).as("GPUs by device node of %s", seen).isEqualTo(uuids);
    assertThat(seen.minors()).as("device nodes of %s", seen).hasSameSizeAs(uuids);
  }

  private static void expectNothing(Seen seen) {
    assertThat(seen.variable()).as("variable of a container without share").isEqualTo("void");
    assertThat(seen.minors()).as("device nodes of a container without share").isEmpty();
  }

  private static List<String> devices(String pod) {
    String text = annotation(pod, "berth.dev/gpu-devices");
    return text.isEmpty() ? List.of() : List.of(text.split(","));
  }

  private static String annotation(String pod, String key) {
    return api.get(GpuPod.PODS + "/" + pod).path("metadata").path("annotations").path(key).asText();
  }

  /// Two nodes of one cluster whose toolkits want different things of a share.
  @Test
  void eachNodeGivesAShareItsGpuInItsOwnWay() {
    classes();
    try (var legacy = node(0, "--gpus", "4");
        var cdi =
            node(
                1,
                "--gpus",
                "4",
                "--runtime-mode",
                "cdi",
                "--strategy",
                "cdi-annotations,cdi-cri")) {
      for (RealNode node : List.of(legacy, cdi)) {
        String prefix = node.name() + "-";
        GpuPod.named(prefix + "whole")
            .by("default-scheduler")
            .runtimeClass("nvidia")
            .gpus(1)
            .running()
            .onlyOn(node)
            .create(api)
            .awaitRunning(api);
        var whole = GpuPod.named(prefix + "whole").seen(api, node, "main");
        assertThat(whole.uuids()).as("the GPU of a whole pod").hasSize(1);

        String one = half(node, prefix + "a");
        String other = half(node, prefix + "b");
        assertThat(one).as("two halves are on one GPU").isEqualTo(other);
        assertThat(whole.uuids()).as("and not on that of the whole pod").doesNotContain(one);

        GpuPod.named(prefix + "memory")
            .by("berth")
            .annotated("gpu-memory", "60Gi")
            .running()
            .onlyOn(node)
            .container("side")
            .create(api)
            .awaitRunning(api);
        assertThat(device(node, prefix + "memory")).isNotIn(one, whole.uuids().getFirst());
      }
      assertThat(annotation("real-0-a", "berth.dev/gpu-inject")).startsWith("GPU-");
      assertThat(annotation("real-1-a", "berth.dev/gpu-inject")).startsWith(CDI + "GPU-");
      assertThat(api.get(GpuPod.PODS + "/real-1-a").at("/spec/runtimeClassName").asText())
          .isEqualTo("nvidia");
      twoGpus(cdi);
      gang(legacy, cdi);
    }
  }

  private static void twoGpus(RealNode node) {
    for (String name : List.of("real-1-a", "real-1-b", "real-1-memory")) {
      GpuPod.named(name).delete(api);
    }
    GpuPod.named("pair")
        .by("berth")
        .annotated("gpu-fraction", "0.6")
        .annotated("gpu-fraction-num-devices", "2")
        .running()
        .onlyOn(node)
        .create(api)
        .awaitRunning(api);
    var devices = devices("pair");
    assertThat(new HashSet<>(devices)).as("two GPUs").hasSize(2);
    expectSees(GpuPod.named("pair").seen(api, node, "main"), Set.copyOf(devices));
    GpuPod.named("pair").delete(api);
  }

  private static void gang(RealNode... nodes) {
    api.createOrFail(GROUPS, PodYaml.group("gang", 4, ""));
    for (int i = 0; i < 4; i++) {
      share("gang-" + i).annotated("berth.dev/pod-group", "gang").create(api);
    }
    for (int i = 0; i < 4; i++) {
      GpuPod.named("gang-" + i).awaitRunning(api);
      String on = api.get(GpuPod.PODS + "/gang-" + i).at("/spec/nodeName").asText();
      for (RealNode node : nodes) {
        if (node.name().equals(on)) {
          expectSees(
              GpuPod.named("gang-" + i).seen(api, node, "main"), Set.copyOf(devices("gang-" + i)));
        }
      }
    }
  }

  /// Without a runtime class: the default runtime is NVIDIA's, or its NRI plugin serves.
  @Test
  void withoutARuntimeClass() {
    awaitClass("");
    try (var byDefault = node(0, "--default-runtime", "nvidia", "--gpus", "2");
        var jit =
            node(1, "--default-runtime", "nvidia", "--runtime-mode", "jit-cdi", "--gpus", "2");
        var nri =
            node(
                2,
                "--runtime-mode",
                "none",
                "--strategy",
                "cdi-annotations,cdi-cri",
                "--nri",
                "--gpus",
                "2")) {
      for (RealNode node : List.of(byDefault, jit, nri)) {
        assertThat(half(node, node.name() + "-a"))
            .as("two halves on one GPU of %s", node.name())
            .isEqualTo(half(node, node.name() + "-b"));
      }
      assertThat(annotation("real-0-a", "berth.dev/gpu-inject")).startsWith("GPU-");
      assertThat(annotation("real-1-a", "berth.dev/gpu-inject")).startsWith("GPU-");
      assertThat(annotation("real-2-a", "berth.dev/gpu-inject")).isEqualTo("void");
      assertThat(annotation("real-2-a", "nvidia.cdi.k8s.io/container.main"))
          .startsWith(CDI + "GPU-");
    }
  }

  /// What is wrong with a node stands in the event of the pod that waits for it. The first column
  /// is the code in docs/operators/node-faults.md; `-` = it has none.
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ReplicatedGpus | --default-runtime nvidia --replicas 4 | the device plugin gives out replicas
          NoDeviceSeen | --runtime-mode cdi --strategy cdi-annotations,cdi-cri | saw no GPU
          NoDeviceSeen | --default-runtime nvidia --accept-envvar false | saw no GPU
          UuidNotResolved | --default-runtime nvidia --runtime-mode cdi --strategy cdi-annotations --id-strategy index | takes NVIDIA_VISIBLE_DEVICES as a CDI name and finds no device
          MigPartitioned | --default-runtime nvidia --labels nvidia.com/gpu.product=NVIDIA-A100-SXM4-40GB-MIG-1g.5gb | its GPUs are partitioned by MIG
          GkeDevicePlugin | --plugin gke --runtime-mode none | it runs GKE's own device plugin
          - | --plugin none | whose device plugin is gone
          """)
  void aNodeThatCannotGiveAShareItsGpuSaysWhy(String code, String options, String sentence) {
    awaitClass("");
    try (var node = node(0, options.split(" "))) {
      expectWaiting(node, sentence);
    }
  }

  /// The same where the GPU Operator's ClusterPolicy tells more.
  @ParameterizedTest(name = "{0}: {3}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CdiWithoutRuntimeClass | v25.10.1 | {cdi: {enabled: true}} | --runtime-mode cdi --strategy cdi-annotations,cdi-cri | the toolkit uses CDI and leaves the default runtime as it is
          NoRuntimeClass | v25.3.4 | {cdi: {enabled: false}, toolkit: {env: [{name: NVIDIA_RUNTIME_SET_AS_DEFAULT, value: "false"}]}} | --runtime-mode legacy | its default runtime is not NVIDIA's
          EnvvarNotAccepted | v25.3.4 | {cdi: {enabled: false}, toolkit: {env: [{name: ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED, value: "false"}]}} | --default-runtime nvidia --accept-envvar false | the toolkit ignores NVIDIA_VISIBLE_DEVICES
          CdiDeviceUnknown | v25.3.4 | {cdi: {enabled: true, default: true}} | --default-runtime nvidia --runtime-mode cdi --strategy cdi-annotations --id-strategy index | the device plugin wrote no CDI device of that name
          IndexDeviceIds | v25.3.4 | {cdi: {enabled: true, default: true}, devicePlugin: {env: [{name: DEVICE_ID_STRATEGY, value: index}]}} | --default-runtime nvidia --runtime-mode cdi --strategy cdi-annotations --id-strategy index | the device plugin names GPUs by index
          NriPluginTooOld | v26.3.0 | {cdi: {enabled: true, nriPluginEnabled: true}} | --runtime-mode none --strategy cdi-annotations,cdi-cri | serves its own namespace alone
          """)
  void aNodeOfTheOperatorThatCannotGiveAShareItsGpuSaysWhy(
      String code, String version, String spec, String options, String sentence) {
    api.createOrFail(
        POLICIES,
        """
        {apiVersion: nvidia.com/v1, kind: ClusterPolicy,
         metadata: {name: cluster-policy, labels: {app.kubernetes.io/version: %s}}, spec: %s}
        """
            .formatted(version, spec));
    awaitClass("");
    try (var node = node(0, options.split(" "))) {
      expectWaiting(node, sentence);
    }
  }

  /// `RuntimeHandlerMissing`: the class of shares exists, and another node has its handler.
  @Test
  void aNodeWithoutTheHandlerOfTheRuntimeClassSaysWhy() {
    classes();
    try (var with = node(0, "--gpus", "1");
        var without = node(1, "--gpus", "1", "--runtime-mode", "none")) {
      assertThat(with.gpus()).hasSize(1);
      awaitClass("nvidia");
      share("waits").onlyOn(without).create(api);
      awaitTold("the node's container runtime has no handler for the runtime class of shares");
      GpuPod.named("waits").delete(api);
    }
  }

  /// In the kubelet's words, as long as nothing can be pulled (`ImageNotPulled` of the doctor).
  @Test
  void aHolderWithoutItsImageSaysWhy() {
    awaitClass("");
    try (var node = node(0, "--default-runtime", "nvidia")) {
      node.forget("docker.io/library/busybox:1.37");
      share("waits").create(api);
      awaitTold("does not start: ErrImagePull");
      GpuPod.named("waits").delete(api);
    }
  }

  private static void expectWaiting(RealNode node, String sentence) {
    share("waits").create(api);
    awaitTold(sentence);
    assertThat(GpuPod.named("waits").phase(api)).isEqualTo("Pending");
    GpuPod.named("waits").delete(api);
    assertThat(node.allocations()).as("a holder that nobody uses leaves").hasSizeLessThan(2);
  }

  private static void awaitTold(String sentence) {
    ControlPlane.await(
        "the pod tells: " + sentence,
        () -> told("waits").stream().anyMatch(note -> note.contains(sentence)),
        () -> String.join("\n", told("waits")));
  }

  private static List<String> told(String pod) {
    var notes = new ArrayList<String>();
    String uid = api.get(GpuPod.PODS + "/" + pod).at("/metadata/uid").asText();
    for (JsonNode event : api.list("/apis/events.k8s.io/v1/namespaces/default/events")) {
      if (event.at("/regarding/uid").asText().equals(uid)) {
        notes.add(event.path("note").asText());
      }
    }
    return notes;
  }

  /// The severe one of the first real node: the kubelet comes back before its device plugin.
  @Test
  void aShareKeepsItsGpuOverAKubeletThatRestartsBeforeItsPlugin() {
    awaitClass("");
    try (var node = node(0, "--default-runtime", "nvidia", "--gpus", "1")) {
      half(node, "a");
      GpuPod.named("whole").by("default-scheduler").gpus(1).running().onlyOn(node).create(api);
      node.stop(RealNode.Component.DEVICE_PLUGIN);
      node.kill(RealNode.Component.KUBELET);
      node.start(RealNode.Component.KUBELET);
      Api.pause(Duration.ofSeconds(8));
      node.start(RealNode.Component.DEVICE_PLUGIN);
      ControlPlane.await(
          "the kubelet knows who has the GPU",
          () -> node.allocations().stream().anyMatch(a -> a.pod().contains("holder-")),
          () -> node.allocations().toString());
      Api.pause(Duration.ofSeconds(5));
      assertThat(GpuPod.named("whole").phase(api)).isEqualTo("Pending");
      assertThat(GpuPod.named("a").phase(api)).isEqualTo("Running");
      assertThat(node.allocations())
          .singleElement()
          .satisfies(each -> assertThat(each.devices()).containsExactlyElementsOf(devices("a")));
      assertThat(api.list(SYSTEM + "?labelSelector=berth.dev%2Fholder")).hasSize(1);
    }
  }
}
