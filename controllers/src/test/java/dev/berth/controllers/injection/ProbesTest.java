package dev.berth.controllers.injection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.ProbeClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.injection.InjectionMode;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A node starts shares once a probe there saw the held GPU and no other.
final class ProbesTest {
  private static final NodeName NODE = new NodeName("n1");

  private final World world = new World();
  private final InMemoryProbes pods = new InMemoryProbes();
  private final Map<String, Object> info = new HashMap<>(Map.of("bootID", "boot-1"));
  private @Nullable Probes probes;
  private String namespace = "berth-system";
  private int uids;

  private Probes start(InjectionSettings settings) {
    var made = new Probes(world.ledger, pods, world, world.workers, settings);
    world.changed.add(made::changed);
    made.start();
    probes = made;
    return made;
  }

  private Probes start() {
    return start(InjectionSettings.DEFAULT);
  }

  @Test
  void aNodeIsUnprovenUntilAProbeSawItsGpu() {
    var started = start();
    node();
    assertThat(injection()).isEqualTo(Injection.unproven(""));
    seconds(5);
    assertThat(pods.calls).as("no holder has told its GPU").containsExactly("class ''");
    holder("GPU-0");
    seconds(0.1);
    assertThat(pods.calls).containsExactly("class ''", "create env GPU-0 ''");
    started.seen(Kind.POD, probe(pods.last(), "Pending", ""));
    assertThat(injection().isProven()).as("the injection is proven").isFalse();
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0", "Completed", "", "uid-1"));
    assertThat(injection()).isEqualTo(new Injection("env", "", ""));
    seconds(60);
    assertThat(pods.calls).as("it costs nothing later").hasSize(2);
  }

  /// A user that may create pods in a namespace can write any label there.
  @Test
  void whatCallsItselfAProbeElsewhereProvesNothing() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    var forged = new TreeMap<String, Object>(probe(pods.last(), "Succeeded", "GPU-0"));
    var metadata = new TreeMap<String, Object>();
    ((Map<?, ?>) forged.get("metadata"))
        .forEach((name, value) -> metadata.put(String.valueOf(name), value));
    metadata.put("namespace", "team-a");
    forged.put("metadata", metadata);
    started.seen(Kind.POD, forged);
    assertThat(injection()).isNotEqualTo(new Injection("env", "", ""));
    metadata.put("namespace", "berth-system");
    started.seen(Kind.POD, forged);
    assertThat(injection()).isEqualTo(new Injection("env", "", ""));
  }

  @Test
  void aProvenNodeIsReadBack() {
    var first = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    var proof = probe(pods.last(), "Succeeded", "GPU-0");
    first.seen(Kind.POD, proof);
    var again = new InMemoryProbes();
    var second = new Probes(world.ledger, again, world, world.workers, InjectionSettings.DEFAULT);
    second.seen(Kind.POD, proof); // before its node
    second.seen(Kind.NODE, nodeTree());
    second.start();
    seconds(5);
    assertThat(injection()).isEqualTo(new Injection("env", "", ""));
    assertThat(again.calls).containsExactly("class ''");
  }

  @Test
  void whatFailedIsFollowedByTheNextMode() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Pending", "", "", "", "uid-1"));
    assertThat(injection().probing())
        .isEqualTo(
            "pod berth-system/p-1 probes how containers of node n1 get their GPU: it tries mode"
                + " env");
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "")); // it saw nothing
    assertThat(injection().fault()).isEmpty();
    assertThat(injection().probing())
        .endsWith("it is followed by mode env-cdi, after env=NoDeviceSeen");
    seconds(1);
    assertThat(pods.calls)
        .containsExactly(
            "class ''", "create env GPU-0 ''", "create env-cdi GPU-0 'env=NoDeviceSeen'");
    assertThat(pods.last().variable()).isEqualTo("k8s.device-plugin.nvidia.com/gpu=GPU-0");
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0"));
    assertThat(injection()).isEqualTo(new Injection("env-cdi", "", ""));
    seconds(1);
    assertThat(pods.calls).as("the failed one is cleared away").contains("delete uid-1").hasSize(4);
  }

  @Test
  void aNodeOnWhichAllModesFailSaysWhyAndIsTriedAgainLater() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", ""));
    seconds(1);
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", ""));
    seconds(1);
    assertThat(pods.last().nri()).containsKey("nvidia.cdi.k8s.io/container.probe");
    var last =
        probe(
            pods.last(),
            "Failed",
            "",
            "StartError",
            "failed to create containerd task: unresolvable CDI devices"
                + " k8s.device-plugin.nvidia.com/gpu=GPU-0");
    started.seen(Kind.POD, last);
    assertThat(injection().isProven()).as("the injection is proven").isFalse();
    assertThat(injection().fault())
        .startsWith("a probe that carried what a share would saw no GPU")
        .contains(
            " [mode env: NoDeviceSeen, mode env-cdi: NoDeviceSeen, mode nri: CdiDeviceUnknown:"
                + " failed to create containerd task: unresolvable CDI devices");
    seconds(590);
    assertThat(pods.calls).doesNotContain("delete uid-3");
    seconds(30);
    assertThat(pods.calls).contains("delete uid-3");
    started.gone(Kind.POD, last);
    seconds(1);
    assertThat(pods.created.stream().filter(probe -> probe.failed().isEmpty()))
        .as("the first mode, again")
        .hasSize(2);
  }

  @Test
  void aProbeThatSeesMoreThanItsGpuIsNoProof() {
    var started = start(only(InjectionMode.ENV));
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0,GPU-1"));
    assertThat(injection().fault())
        .startsWith("a probe that carried one GPU saw more than that one")
        .contains("it saw GPU-0,GPU-1");
  }

  @Test
  void anImageThatCannotBePulledIsToldAtOnceAndNoOtherModeIsTried() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(
        Kind.POD, waiting("ErrImagePull", "failed to pull image \"registry/no:1\": not found"));
    assertThat(injection().fault())
        .isEqualTo(
            "the image of holders and probes cannot be pulled [pod berth-system/p-1 on node n1:"
                + " failed to pull image \"registry/no:1\": not found]. Set holders.image to an"
                + " image that the node can pull, such as a mirror of busybox.");
    var told = injection();
    started.seen(Kind.POD, waiting("ImagePullBackOff", "Back-off pulling image \"registry/no:1\""));
    seconds(60);
    assertThat(injection()).isEqualTo(told);
    assertThat(pods.calls).containsExactly("class ''", "create env GPU-0 ''");
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0", "Completed", "", "uid-1"));
    assertThat(injection().isProven()).as("it was pulled after all").isTrue();
  }

  private Map<String, Object> waiting(String reason, String message) {
    var pod = new HashMap<>(probe(pods.last(), "Pending", "", "", "", "uid-1"));
    var state = Map.of("waiting", Map.of("reason", reason, "message", message));
    pod.put(
        "status", Map.of("phase", "Pending", "containerStatuses", List.of(Map.of("state", state))));
    return pod;
  }

  @Test
  void aProbeThatNeverEndsIsGivenUp() {
    var started = start(only(InjectionMode.ENV));
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Pending", ""));
    seconds(31);
    assertThat(injection().fault())
        .contains("it did not end within 30 s; see pod berth-system/p-1");
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0", "Completed", "", "uid-1"));
    assertThat(injection().isProven()).as("late, and yet it has seen it").isTrue();
  }

  @Test
  void aDevicePluginThatIsAwayForAWhileChangesNothing() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0"));
    started.seen(
        Kind.NODE,
        Map.of(
            "metadata",
            Map.of("name", "n1"),
            "status",
            Map.of("allocatable", Map.of("nvidia.com/gpu", "0"))));
    assertThat(injection()).isEqualTo(new Injection("env", "", ""));
  }

  @Test
  void aRebootAsksForANewProof() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    var proof = probe(pods.last(), "Succeeded", "GPU-0");
    started.seen(Kind.POD, proof);
    info.put("bootID", "boot-2");
    node();
    assertThat(injection()).isEqualTo(Injection.unproven(""));
    seconds(3);
    assertThat(pods.calls.getLast()).isEqualTo("delete uid-1");
    started.gone(Kind.POD, proof);
    seconds(3);
    assertThat(pods.calls.getLast()).isEqualTo("create env GPU-0 ''");
  }

  @Test
  void whatWasProvenBeforeARebootIsTriedFirstAfterIt() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    var first = probe(pods.last(), "Succeeded", ""); // env: it saw nothing
    started.seen(Kind.POD, first);
    seconds(1);
    var proof = probe(pods.last(), "Succeeded", "GPU-0");
    started.seen(Kind.POD, proof);
    started.gone(Kind.POD, first);
    assertThat(injection()).isEqualTo(new Injection("env-cdi", "", ""));
    info.put("bootID", "boot-2");
    node();
    seconds(3);
    started.gone(Kind.POD, proof);
    seconds(3);
    assertThat(pods.calls.getLast()).isEqualTo("create env-cdi GPU-0 ''");
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", ""));
    seconds(1);
    assertThat(pods.calls.getLast()).isEqualTo("create env GPU-0 'env-cdi=NoDeviceSeen'");
  }

  @Test
  void aPodThatOnlyHasTheLabelOfAProbeProvesNothing() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    namespace = "team-a";
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-0"));
    assertThat(injection()).isEqualTo(Injection.unproven(""));
  }

  @Test
  void theRuntimeClassOfSharesFollowsTheClusterOrTheSetting() {
    var started = start();
    node();
    seconds(0.1);
    started.seen(
        Kind.RUNTIME_CLASS, Map.of("metadata", Map.of("name", "nvidia"), "handler", "nvidia"));
    seconds(1);
    assertThat(pods.calls).containsExactly("class ''", "class 'nvidia'");
    assertThat(injection()).isEqualTo(Injection.unproven("nvidia"));
    started.gone(
        Kind.RUNTIME_CLASS, Map.of("metadata", Map.of("name", "nvidia"), "handler", "nvidia"));
    seconds(1);
    assertThat(pods.calls).endsWith("class ''");
  }

  @Test
  void aNodeThatExcludesSharesSaysSoWithoutAProbe() {
    start();
    node("nvidia.com/gpu.replicas", "4");
    holder("GPU-0");
    seconds(5);
    assertThat(injection().fault())
        .startsWith("the device plugin gives out replicas")
        .contains("[label nvidia.com/gpu.replicas is 4]");
    assertThat(pods.calls).containsExactly("class ''");
  }

  /// Another mode would not mend it, and the node would be left out long after the image is there.
  @Test
  void anImageThatCannotBePulledIsToldAndCostsNoMode() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    var first = pods.last();
    started.seen(Kind.POD, probe(first, "Pending", "", "ErrImagePull", "no such host", "uid-1"));
    seconds(60);
    assertThat(injection().fault())
        .startsWith("the image of holders and probes cannot be pulled")
        .contains("[pod berth-system/p-1 on node n1: no such host]");
    assertThat(pods.created).containsExactly(first);
    started.seen(Kind.POD, probe(first, "Pending", "", "ContainerCreating", "", "uid-1"));
    assertThat(injection().isProven()).as("the injection is proven").isFalse();
    started.seen(Kind.POD, probe(first, "Succeeded", "GPU-0", "Completed", "", "uid-1"));
    assertThat(injection()).isEqualTo(new Injection("env", "", ""));
  }

  @Test
  void anImageThatCannotBePulledForLongIsTriedAgainWithANewProbe() {
    var started = start();
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(
        Kind.POD, probe(pods.last(), "Pending", "", "ImagePullBackOff", "no such host", "uid-1"));
    seconds(590);
    assertThat(pods.calls).doesNotContain("delete uid-1");
    seconds(30);
    assertThat(pods.calls).contains("delete uid-1");
  }

  /// Otherwise a node without any mode left would not be reported.
  @Test
  void aToolkitThatRefusesTheVariableLeavesNoModeAndSaysSo() {
    var started = start();
    started.seen(
        Kind.CLUSTER_POLICY,
        Map.of(
            "metadata",
            Map.of("name", "cluster-policy"),
            "spec",
            Map.of(
                "toolkit",
                Map.of(
                    "env",
                    List.of(
                        Map.of(
                            "name",
                            "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED",
                            "value",
                            "false"))))));
    node();
    holder("GPU-0");
    seconds(5);
    assertThat(pods.created).isEmpty();
    assertThat(injection().fault())
        .startsWith("the toolkit ignores NVIDIA_VISIBLE_DEVICES of unprivileged containers");
  }

  @Test
  void aProbeThatSeesAnotherGpuIsNoProof() {
    var started = start(only(InjectionMode.ENV));
    node();
    holder("GPU-0");
    seconds(0.1);
    started.seen(Kind.POD, probe(pods.last(), "Succeeded", "GPU-1"));
    assertThat(injection().fault())
        .startsWith("a probe saw another GPU than the one that it carried")
        .contains("it saw GPU-1");
  }

  @Test
  void nothingIsWrittenOnStaleData() {
    world.fresh = false;
    start();
    node();
    holder("GPU-0");
    seconds(5);
    assertThat(pods.calls).isEmpty();
    world.fresh = true;
    seconds(2);
    assertThat(pods.calls).containsExactlyInAnyOrder("class ''", "create env GPU-0 ''");
  }

  @Test
  void aCreationThatFailsIsTriedAgain() {
    start();
    pods.failures.add(ClientException.Kind.NOT_NOW); // the runtime class
    pods.failures.add(ClientException.Kind.NOT_NOW);
    node();
    holder("GPU-0");
    seconds(1.5);
    assertThat(pods.calls)
        .containsExactlyInAnyOrder(
            "class ''", "class ''", "create env GPU-0 ''", "create env GPU-0 ''");
  }

  private static InjectionSettings only(InjectionMode mode) {
    var usual = InjectionSettings.DEFAULT;
    return new InjectionSettings(
        true, usual.runtimeClass(), Optional.of(mode), usual.probeTimeout(), usual.probeRetry());
  }

  private Injection injection() {
    return world.ledger.injection(NODE);
  }

  private Map<String, Object> nodeTree(String... label) {
    var labels = new HashMap<String, Object>();
    if (label.length == 2) {
      labels.put(label[0], label[1]);
    }
    return Map.of(
        "metadata",
        Map.of("name", "n1", "labels", labels),
        "status",
        Map.of("allocatable", Map.of("nvidia.com/gpu", "4"), "nodeInfo", new HashMap<>(info)));
  }

  private void node(String... label) {
    world.node("n1", 4);
    if (probes != null) {
      probes.seen(Kind.NODE, nodeTree(label));
    }
  }

  private void holder(String gpu) {
    world.pod(
        "holder-0",
        "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '0'}",
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: 'Running', containerStatuses: [{state: {running: {}}, lastState: {terminated:"
            + " {exitCode: 0, message: '%s'}}}]".formatted(gpu));
  }

  private Map<String, Object> probe(ProbeClient.Probe of, String phase, String seen) {
    return probe(of, phase, seen, phase.equals("Pending") ? "" : "Completed", "");
  }

  private Map<String, Object> probe(
      ProbeClient.Probe of, String phase, String seen, String reason, String words) {
    return probe(of, phase, seen, reason, words, "uid-" + ++uids);
  }

  private Map<String, Object> probe(
      ProbeClient.Probe of, String phase, String seen, String reason, String words, String uid) {
    Map<String, Object> state =
        phase.equals("Pending")
            ? Map.of(
                "waiting",
                Map.of("reason", reason.isEmpty() ? "ContainerCreating" : reason, "message", words))
            : Map.of(
                "terminated", Map.of("reason", reason, "message", seen.isEmpty() ? words : seen));
    return Map.of(
        "metadata",
        Map.of(
            "name",
            uid.replace("uid", "p"),
            "namespace",
            namespace,
            "uid",
            uid,
            "creationTimestamp",
            world.workers.time().instant().toString(),
            "labels",
            Map.of(ProbeClient.LABEL, "true"),
            "annotations",
            Map.of(
                ProbeClient.NODE,
                of.node().value(),
                ProbeClient.MODE,
                of.mode(),
                ProbeClient.CLASS,
                of.runtimeClass(),
                ProbeClient.SIGNS,
                of.signs(),
                ProbeClient.FAILED,
                of.failed(),
                "berth.dev/gpu-devices",
                of.uuid())),
        "status",
        Map.of(
            "phase", phase, "containerStatuses", List.of(Map.of("name", "probe", "state", state))));
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class InMemoryProbes implements ProbeClient {
    final List<String> calls = new ArrayList<>();
    final List<Probe> created = new ArrayList<>();
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();

    Probe last() {
      return created.getLast();
    }

    @Override
    public String namespace() {
      return "berth-system";
    }

    @Override
    public void create(Probe probe) throws ClientException {
      created.add(probe);
      called("create " + probe.mode() + " " + probe.uuid() + " '" + probe.failed() + "'");
    }

    @Override
    public void delete(PodKey probe, PodUid uid) throws ClientException {
      called("delete " + uid);
    }

    @Override
    public void runtimeClass(String runtimeClass) throws ClientException {
      called("class '" + runtimeClass + "'");
    }

    private void called(String call) throws ClientException {
      calls.add(call);
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), call);
      }
    }
  }
}
