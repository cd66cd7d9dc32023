package dev.berth.e2e;

import static dev.berth.e2e.RealNode.Component.CONTAINERD;
import static dev.berth.e2e.RealNode.Component.DEVICE_PLUGIN;
import static dev.berth.e2e.RealNode.Component.KUBELET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.GpuPod.Seen;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What containers see on real nodes, by device list strategy, runtime mode and value of
/// `NVIDIA_VISIBLE_DEVICES`; and that a real kubelet keeps its devices apart. Without Berth.
class RealNodeIT {
  private static final int PORT = 22000;
  private static final String PLUGIN_KIND = "k8s.device-plugin.nvidia.com/gpu=";
  private static final String UNKNOWN = "GPU-00000000-0000-4000-8000-000000000000";
  private static final String UNRESOLVABLE = "unresolvable CDI devices management.nvidia.com/gpu=";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    RealNode.require();
    cluster =
        ControlPlane.up(
            PORT,
            "--nodes",
            "1",
            "--gpus",
            "2",
            "--no-berth",
            "--no-manifests",
            "--no-scheduler",
            "--plain-scheduler",
            "--real-nodes");
    api = cluster.admin();
    for (var runtimeClass :
        Api.documents(ControlPlane.root().resolve("e2e/node/runtime-classes.yaml"))) {
      api.createOrFail("/apis/node.k8s.io/v1/runtimeclasses", runtimeClass.toString());
    }
  }

  private static RealNode node(String name, String... options) {
    return RealNode.up(cluster, name, PORT + 100, options);
  }

  private static Seen look(RealNode node, GpuPod pod) {
    return pod.on(node).look(api, node);
  }

  private static List<String> uuids(RealNode node) {
    return node.gpus().stream().map(RealNode.Gpu::uuid).toList();
  }

  /// The container has one GPU of its own, reads this, and /proc shows it these.
  private static void expectOne(Seen seen, String variable, List<String> shown) {
    assertThat(seen.minors()).as("device nodes of %s", seen).hasSize(1);
    assertThat(seen.variable()).as("variable of %s", seen).isEqualTo(variable);
    assertThat(seen.shown()).as("GPUs in /proc of %s", seen).isEqualTo(shown);
  }

  private static void expectNone(Seen seen) {
    assertThat(seen.minors()).as("device nodes of %s", seen).isEmpty();
  }

  @Test
  void legacyRuntimeAsDefault() {
    try (var node = node("legacy", "--default-runtime", "nvidia")) {
      var all = uuids(node);
      var asks = look(node, GpuPod.named("asks").gpus(1));
      expectOne(asks, asks.uuids().getFirst(), asks.uuids());
      for (String value : List.of(all.get(1), "1")) {
        var plain = look(node, GpuPod.named("plain").variable(value));
        expectOne(plain, value, List.of(all.get(1)));
      }
      assertThat(look(node, GpuPod.named("all").variable("all")).uuids()).isEqualTo(all);
      assertThat(look(node, GpuPod.named("image").image("berth.dev/cuda-like:1")).uuids())
          .as("GPUs of a CUDA image that asks for none")
          .isEqualTo(all);
      for (String value : List.of("void", "", "none")) {
        expectNone(look(node, GpuPod.named("nothing").variable(value)));
      }
      expectNone(look(node, GpuPod.named("image").image("berth.dev/cuda-like:1").variable("void")));
      assertThat(GpuPod.named("unknown").variable(UNKNOWN).on(node).failure(api))
          .contains("device error: " + UNKNOWN + ": unknown device");
      assertThat(look(node, GpuPod.named("overrides").gpus(1).variable("all")).uuids())
          .as("the pod's variable beats the device plugin's")
          .isEqualTo(all);
    }
  }

  @Test
  void legacyRuntimeByClass() {
    try (var node = node("by-class", "--gpus", "2")) {
      var all = uuids(node);
      var asks = look(node, GpuPod.named("asks").gpus(1).runtimeClass("nvidia"));
      expectOne(asks, asks.uuids().getFirst(), asks.uuids());
      expectOne(
          look(node, GpuPod.named("plain").variable(all.get(1)).runtimeClass("nvidia")),
          all.get(1),
          List.of(all.get(1)));
      var classless = look(node, GpuPod.named("classless").gpus(1));
      expectNone(classless);
      assertThat(all).as("the variable alone, without its GPU").contains(classless.variable());
      assertThat(classless.shown()).as("/proc without the runtime").isEqualTo(all);
      expectNone(look(node, GpuPod.named("plain-classless").variable(all.get(1))));
    }
  }

  @Test
  void deviceNodesFromThePlugin() {
    try (var node = node("specs", "--pass-device-specs")) {
      var asks = look(node, GpuPod.named("asks").gpus(1));
      expectOne(asks, asks.uuids().getFirst(), uuids(node));
    }
  }

  @Test
  void specsMadeForEachContainer() {
    try (var node = node("jit", "--runtime-mode", "jit-cdi", "--default-runtime", "nvidia")) {
      var all = uuids(node);
      expectOne(look(node, GpuPod.named("asks").gpus(1)), "void", all);
      var plain = look(node, GpuPod.named("plain").variable(all.get(1)));
      expectOne(plain, "void", all);
      assertThat(plain.uuids()).containsExactly(all.get(1));
    }
  }

  @Test
  void cdiStrategies() {
    for (String strategy :
        List.of("cdi-cri", "cdi-annotations", "cdi-annotations,cdi-cri", "envvar,cdi-cri")) {
      try (var node = node("cdi", "--strategy", strategy, "--runtime-mode", "cdi")) {
        expectOne(look(node, GpuPod.named("asks").gpus(1)), "void", uuids(node));
        expectOne(
            look(node, GpuPod.named("asks").gpus(1).runtimeClass("nvidia")), "void", uuids(node));
      }
    }
  }

  @Test
  void cdiStrategiesBesideTheVariableWhereNvidiaIsTheDefaultRuntime() {
    try (var node =
        node(
            "operator-25-3",
            "--strategy",
            "envvar,cdi-annotations",
            "--runtime-mode",
            "cdi",
            "--default-runtime",
            "nvidia")) {
      expectOne(look(node, GpuPod.named("asks").gpus(1)), "void", uuids(node));
      var plain = look(node, GpuPod.named("plain").variable(PLUGIN_KIND + uuids(node).getFirst()));
      expectOne(plain, "void", uuids(node));
    }
  }

  @Test
  void cdiRuntimeResolvesNamesAndRefusesPlainUuids() {
    try (var node = node("cdi", "--strategy", "cdi-cri", "--runtime-mode", "cdi")) {
      var all = uuids(node);
      var qualified = GpuPod.named("qualified").variable(PLUGIN_KIND + all.get(1));
      var plain = look(node, qualified.runtimeClass("nvidia"));
      expectOne(plain, "void", all);
      assertThat(plain.uuids()).containsExactly(all.get(1));
      var two = PLUGIN_KIND + all.get(0) + "," + PLUGIN_KIND + all.get(1);
      assertThat(look(node, GpuPod.named("two").variable(two).runtimeClass("nvidia")).uuids())
          .isEqualTo(all);
      for (String value : List.of(all.get(1), "none")) {
        assertThat(
                GpuPod.named("refused")
                    .variable(value)
                    .runtimeClass("nvidia")
                    .on(node)
                    .failure(api))
            .contains(UNRESOLVABLE + value);
      }
      for (String value : List.of("void", "")) {
        expectNone(look(node, GpuPod.named("nothing").variable(value).runtimeClass("nvidia")));
      }
      assertThat(look(node, GpuPod.named("all").variable("all").runtimeClass("nvidia")).uuids())
          .as("GPUs by management.nvidia.com/gpu=all")
          .isEqualTo(all);
      for (String value : List.of(all.get(1), PLUGIN_KIND + all.get(1))) {
        expectNone(look(node, GpuPod.named("classless").variable(value)));
      }
      expectOne(
          look(node, GpuPod.named("legacy").variable(all.get(1)).runtimeClass("nvidia-legacy")),
          all.get(1),
          List.of(all.get(1)));
    }
  }

  @Test
  void nriAnnotation() {
    try (var node =
        node("nri", "--strategy", "cdi-annotations,cdi-cri", "--runtime-mode", "none", "--nri")) {
      var all = uuids(node);
      String key = "nvidia.cdi.k8s.io/container.";
      var plain =
          look(node, GpuPod.named("plain").annotated(key + "main", PLUGIN_KIND + all.get(1)));
      expectOne(plain, "void", all);
      assertThat(plain.uuids()).containsExactly(all.get(1));
      expectNone(
          look(node, GpuPod.named("other").annotated(key + "beside", PLUGIN_KIND + all.get(1))));
      assertThat(
              GpuPod.named("managed")
                  .annotated(key + "main", "management.nvidia.com/gpu=all")
                  .on(node)
                  .refusal(api))
          .contains("management.nvidia.com/gpu=all is not for pods of users");
    }
    try (var node = node("no-nri", "--strategy", "cdi-cri", "--runtime-mode", "none")) {
      expectNone(
          look(
              node,
              GpuPod.named("plain")
                  .annotated(
                      "nvidia.cdi.k8s.io/container.main", PLUGIN_KIND + uuids(node).getFirst())));
    }
  }

  @Test
  void variableOfUnprivilegedContainersCanBeIgnored() {
    try (var node = node("strict", "--default-runtime", "nvidia", "--accept-envvar", "false")) {
      expectNone(look(node, GpuPod.named("plain").variable(uuids(node).getFirst())));
      expectNone(look(node, GpuPod.named("asks").gpus(1)));
      assertThat(look(node, GpuPod.named("privileged").privileged().variable("all")).uuids())
          .isEqualTo(uuids(node));
    }
  }

  @Test
  void indices() {
    try (var node =
        node("index", "--id-strategy", "index", "--default-runtime", "nvidia", "--gpus", "1")) {
      var pod = GpuPod.named("asks").gpus(1).running().on(node);
      expectOne(pod.look(api, node), "0", uuids(node));
      assertThat(pod.allocatedIds(api))
          .as("the kubelet's word is the UUID whatever the container reads")
          .isEqualTo(uuids(node));
    }
    try (var node = node("index", "--id-strategy", "index", "--strategy", "cdi-cri")) {
      expectOne(look(node, GpuPod.named("other").gpus(1)), "void", uuids(node));
    }
  }

  @Test
  void replicas() {
    try (var node =
        node("replicas", "--replicas", "2", "--gpus", "1", "--default-runtime", "nvidia")) {
      String uuid = uuids(node).getFirst();
      var one = GpuPod.named("replica-1").gpus(1).running().on(node);
      var other = GpuPod.named("replica-2").gpus(1).running().on(node);
      for (var pod : List.of(one, other)) {
        expectOne(pod.look(api, node), uuid, List.of(uuid));
      }
      assertThat(List.of(one.allocatedIds(api), other.allocatedIds(api)))
          .containsExactlyInAnyOrder(List.of(uuid + "::0"), List.of(uuid + "::1"));
    }
  }

  @Test
  void pluginOfGke() {
    try (var node = node("gke", "--plugin", "gke", "--runtime-mode", "none", "--gpus", "2")) {
      var pod = GpuPod.named("asks").gpus(1).running().on(node);
      var seen = pod.look(api, node);
      expectOne(seen, "unset", uuids(node));
      assertThat(pod.allocatedIds(api)).containsExactly("nvidia" + seen.minors().getFirst());
    }
  }

  @Test
  void sickAndReplacedGpus() {
    try (var node = node("sick", "--default-runtime", "nvidia")) {
      var all = uuids(node);
      node.health(0, "unhealthy");
      awaitAllocatable(node, 1);
      expectOne(look(node, GpuPod.named("asks").gpus(1)), all.get(1), List.of(all.get(1)));
      node.health(1, "gone");
      awaitAllocatable(node, 0);
      assertThat(GpuPod.named("too-many").gpus(1).on(node).failure(api)).contains("nvidia.com/gpu");
      node.health(0, "healthy");
      awaitAllocatable(node, 1);
      String other = node.replace(0);
      assertThat(all).as("UUIDs before").doesNotContain(other);
      ControlPlane.await(
          "the kubelet offers the other GPU",
          () -> node.run("simulated-nvidia", "pod-resources").contains(other),
          node::logs);
      expectOne(look(node, GpuPod.named("asks").gpus(1)), other, List.of(other));
    }
  }

  @Test
  void latePlugin() {
    try (var node = node("late", "--plugin-late", "5", "--default-runtime", "nvidia")) {
      // a kubelet leaves out resources that its node never had: such a pod runs, without a GPU
      var early = look(node, GpuPod.named("early").gpus(1));
      expectNone(early);
      assertThat(early.variable()).isEqualTo("unset");
      awaitAllocatable(node, 2);
      assertThat(look(node, GpuPod.named("asks").gpus(1)).uuids()).hasSize(1);
      node.reboot(Duration.ofSeconds(5));
      assertThat(GpuPod.named("after-reboot").gpus(1).on(node).failure(api))
          .as("the kubelet knows the resource by its checkpoint")
          .contains("cannot allocate unhealthy devices nvidia.com/gpu");
      awaitAllocatable(node, 2);
    }
  }

  @Test
  void runningContainersKeepTheirGpuOverRestarts() {
    try (var node = node("restarts", "--gpus", "1", "--default-runtime", "nvidia")) {
      var keeps = GpuPod.named("keeps").gpus(1).running().on(node);
      String uuid = keeps.look(api, node).uuids().getFirst();
      var waits = GpuPod.named("waits").gpus(1).running().onlyOn(node).create(api);
      node.kill(DEVICE_PLUGIN);
      node.kill(KUBELET);
      node.start(KUBELET);
      Api.pause(Duration.ofSeconds(3)); // the device plugin is late
      node.start(DEVICE_PLUGIN);
      awaitAllocatable(node, 1);
      node.kill(CONTAINERD);
      node.start(CONTAINERD);
      awaitReady(node);
      assertThat(node.allocations())
          .containsExactly(new RealNode.Allocation("default/keeps", "main", List.of(uuid)));
      assertThat(keeps.allocatedIds(api)).containsExactly(uuid);
      assertThat(keeps.get(api).at("/status/containerStatuses/0/restartCount").asInt()).isZero();
      assertThat(waits.phase(api)).isEqualTo("Pending");
      node.reboot(Duration.ZERO);
      ControlPlane.await(
          "the pod ended with the reboot: its restartPolicy is Never",
          () -> keeps.phase(api).equals("Failed"),
          node::logs);
      assertThat(waits.seen(api, node, "main").uuids())
          .as("the GPU goes to the pod that waits")
          .containsExactly(uuid);
      waits.delete(api);
    }
  }

  @Test
  void realAndFakeNodesInOneCluster() {
    try (var one = node("real-0");
        var other =
            RealNode.up(
                cluster, "real-1", PORT + 102, "--strategy", "cdi-cri", "--runtime-mode", "cdi")) {
      assertThat(uuids(one)).doesNotContainAnyElementsOf(uuids(other));
      var pods =
          java.util.stream.IntStream.range(0, 6)
              .mapToObj(i -> GpuPod.named("any-" + i).gpus(1).running().create(api))
              .toList();
      pods.forEach(pod -> pod.awaitRunning(api));
      assertThat(pods.stream().map(pod -> pod.get(api).at("/spec/nodeName").asText()).toList())
          .containsExactlyInAnyOrder(
              "node-0000", "node-0000", "real-0", "real-0", "real-1", "real-1");
      for (var node : List.of(one, other)) {
        assertThat(node.allocations().stream().flatMap(a -> a.devices().stream()).toList())
            .as("each GPU of " + node.name() + " given out once")
            .containsExactlyInAnyOrderElementsOf(uuids(node));
      }
      pods.forEach(pod -> pod.delete(api));
    }
  }

  private static void awaitAllocatable(RealNode node, int gpus) {
    ControlPlane.await(
        gpus + " GPUs are allocatable on " + node.name(),
        () ->
            api.get("/api/v1/nodes/" + node.name())
                .at("/status/allocatable/nvidia.com~1gpu")
                .asText("0")
                .equals(Integer.toString(gpus)),
        node::logs);
  }

  private static void awaitReady(RealNode node) {
    ControlPlane.await(
        node.name() + " is Ready",
        () -> {
          for (var condition : api.get("/api/v1/nodes/" + node.name()).at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
              return condition.path("status").asText().equals("True");
            }
          }
          return false;
        },
        node::logs);
  }
}
