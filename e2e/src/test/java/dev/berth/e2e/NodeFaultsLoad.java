package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.RealNode.Component;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What becomes of two halves of a GPU when something of their real node fails, while a whole-GPU
/// pod of another scheduler waits for that GPU. A row an event: how often the shares kept their
/// GPU, were stopped, and for how long at most a share and a whole pod had one GPU at once, by the
/// word of the kubelet.
///
/// ```
/// ./mvnw -pl e2e -am verify -Dit.test=NodeFaultsLoad -Drounds=10 [-Devents=REGEX] [-Dport=BASE]
///   -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
/// ```
class NodeFaultsLoad {
  private static final int PORT = Integer.getInteger("port", 22600);

  /// Shares that lost their GPU are stopped within `holders.lossGrace`, the kubelet's next status
  /// and `holders.lossTermination`.
  private static final Duration LONGEST_OVERLAP = Duration.ofSeconds(10);

  /// Of shares that the kubelet starts again after a reboot; others have ended by then.
  private static final String RESTARTED = ", shares with restartPolicy Always";

  private static final String NOT_PLAYED = "not played";
  private static final String HOLDER_IMAGE = "docker.io/library/busybox:1.37";
  private static final String SHARE_IMAGE = "berth.dev/cuda-like:1";
  private static final Duration LOOK = Duration.ofSeconds(12);
  private static final String HOLDERS =
      "/api/v1/namespaces/berth-system/pods?labelSelector=berth.dev%2Fholder";
  private static final String PROBES =
      "/api/v1/namespaces/berth-system/pods?labelSelector=berth.dev%2Fprobe";

  private ControlPlane cluster;
  private Api api;
  private RealNode node;

  private record Round(String outcome, Duration overlap, Duration settled, String words) {}

  @Test
  void sharesAndWholePodsNeverStayOnOneGpu() {
    RealNode.require();
    int rounds = Integer.getInteger("rounds", 1);
    String events = System.getProperty("events", ".*");
    var table = new LinkedHashMap<String, List<Round>>();
    up();
    try {
      for (var event : events().entrySet()) {
        for (int round = 0; round < rounds && event.getKey().matches(events); round++) {
          var result = attempt(event.getValue(), event.getKey().endsWith(RESTARTED));
          table.computeIfAbsent(event.getKey(), _ -> new ArrayList<>()).add(result);
          System.out.println(event.getKey() + ": " + result);
        }
      }
    } finally {
      down();
      System.out.println(markdown(table));
    }
    for (var row : table.entrySet()) {
      for (Round round : row.getValue()) {
        assertThat(round.outcome()).as("%s: %s", row.getKey(), round).isNotEqualTo(NOT_PLAYED);
        assertThat(round.overlap())
            .as("a share and a whole pod on one GPU, %s: %s", row.getKey(), round)
            .isLessThan(LONGEST_OVERLAP);
      }
    }
  }

  private void up() {
    cluster = ControlPlane.up(PORT, "--nodes", "0", "--plain-scheduler", "--real-nodes");
    api = cluster.admin();
    node = RealNode.up(cluster, "real-0", PORT + 100, "--gpus", "2", "--default-runtime", "nvidia");
  }

  /// Stops the node, too.
  private void down() {
    cluster.close();
  }

  /// A round that fails costs its cluster, not the rounds after it.
  private Round attempt(Consumer<NodeFaultsLoad> event, boolean restarted) {
    try {
      return play(event, restarted);
    } catch (RuntimeException | AssertionError failed) {
      String words = String.valueOf(failed.getMessage());
      down();
      up();
      return new Round(NOT_PLAYED, Duration.ZERO, Duration.ZERO, words);
    }
  }

  private Map<String, Consumer<NodeFaultsLoad>> events() {
    var events = new LinkedHashMap<String, Consumer<NodeFaultsLoad>>();
    for (Component component :
        List.of(Component.KUBELET, Component.CONTAINERD, Component.DEVICE_PLUGIN)) {
      for (String how : List.of("SIGTERM", "SIGKILL")) {
        for (int late : List.of(0, 3, 10)) {
          events.put(
              component + " " + how + ", back after " + late + " s",
              test -> test.restart(component, how.equals("SIGKILL"), late));
        }
      }
    }
    for (int late : List.of(0, 3, 10)) {
      events.put(
          "KUBELET SIGKILL, plugin " + late + " s after it", test -> test.kubeletFirst(late));
    }
    events.put("reboot, plugin early", test -> test.node.reboot(Duration.ZERO));
    events.put("reboot, plugin 8 s late", test -> test.node.reboot(Duration.ofSeconds(8)));
    events.put("reboot, plugin early" + RESTARTED, test -> test.node.reboot(Duration.ZERO));
    events.put(
        "reboot, plugin 8 s late" + RESTARTED, test -> test.node.reboot(Duration.ofSeconds(8)));
    events.put("holder deleted by an administrator", NodeFaultsLoad::deleteHolder);
    events.put("holder abandoned, then deleted", NodeFaultsLoad::abandonHolder);
    events.put("GPU of the shares unhealthy", test -> test.ofShares("unhealthy"));
    events.put("GPU of the shares replaced", NodeFaultsLoad::replaceGpu);
    events.put("drain", NodeFaultsLoad::drain);
    events.put("image of the holder gone, its container killed", NodeFaultsLoad::killHolder);
    events.put("image of the holder gone, KUBELET SIGKILL", NodeFaultsLoad::withoutImage);
    events.put(
        "image of the holder gone, reboot, plugin early" + RESTARTED,
        test -> test.rebootWithoutImage(HOLDER_IMAGE));
    events.put(
        "image of the shares gone, reboot, plugin early" + RESTARTED,
        test -> test.rebootWithoutImage(SHARE_IMAGE));
    events.put("memory pressure: the kubelet evicts", NodeFaultsLoad::evict);
    return events;
  }

  private void restart(Component component, boolean kill, int late) {
    if (kill) {
      node.kill(component);
    } else {
      node.stop(component);
    }
    Api.pause(Duration.ofSeconds(late));
    node.start(component);
  }

  private void kubeletFirst(int late) {
    node.stop(Component.DEVICE_PLUGIN);
    node.kill(Component.KUBELET);
    node.start(Component.KUBELET);
    Api.pause(Duration.ofSeconds(late));
    node.start(Component.DEVICE_PLUGIN);
  }

  private void deleteHolder() {
    for (JsonNode holder : api.list(HOLDERS)) {
      var answer = api.impersonating("carol", "system:masters").delete(Kubelets.path(holder));
      assertThat(answer.status()).as(answer.message()).isEqualTo(403);
    }
  }

  private void abandonHolder() {
    for (JsonNode holder : api.list(HOLDERS)) {
      var carol = api.impersonating("carol", "system:masters");
      carol.patch(
          Kubelets.path(holder), "{\"metadata\":{\"labels\":{\"berth.dev/abandon\":\"true\"}}}");
      var answer = carol.delete(Kubelets.path(holder) + "?gracePeriodSeconds=0");
      assertThat(answer.isOk()).as(answer.message()).isTrue();
    }
  }

  private int gpuOfShares() {
    String uuid = devices(api.get(GpuPod.PODS + "/a")).iterator().next();
    var gpus = node.gpus();
    for (int i = 0; i < gpus.size(); i++) {
      if (gpus.get(i).uuid().equals(uuid)) {
        return i;
      }
    }
    throw new AssertionError(uuid + " is none of " + gpus);
  }

  private void ofShares(String health) {
    node.health(gpuOfShares(), health);
  }

  private void replaceGpu() {
    node.replace(gpuOfShares());
  }

  /// The kubelet would start the container again, and cannot: nothing here can be pulled.
  private void killHolder() {
    node.forget(HOLDER_IMAGE);
    for (JsonNode holder : api.list(HOLDERS)) {
      String id = holder.at("/status/containerStatuses/0/containerID").asText();
      node.run("ctr", "-n", "k8s.io", "tasks", "kill", "-s", "SIGKILL", id.replaceAll(".*/", ""));
    }
  }

  private void withoutImage() {
    node.forget(HOLDER_IMAGE);
    restart(Component.KUBELET, true, 0);
  }

  private void rebootWithoutImage(String image) {
    node.forget(image);
    node.reboot(Duration.ZERO);
  }

  /// A threshold that is crossed at once. The kubelet evicts one pod every ten seconds: the holder
  /// has to be there as long as a share runs.
  private void evict() {
    String holder = Kubelets.uid(api.list(HOLDERS).getFirst());
    long memory = memory();
    node.evictBelow("memory.available", (memory - 200 * 1024) + "Ki");
    ControlPlane.await(
        "both shares are evicted, and the holder stays as long as one of them runs",
        () -> {
          var phases = List.of(phase("a"), phase("b"));
          if (phases.contains("Running")) {
            assertThat(api.list(HOLDERS))
                .as("the holder, while the shares are %s", phases)
                .singleElement()
                .satisfies(now -> {
                  assertThat(Kubelets.uid(now)).isEqualTo(holder);
                  assertThat(now.at("/status/phase").asText()).isEqualTo("Running");
                });
          }
          return phases.equals(List.of("Failed", "Failed"));
        },
        () -> api.list(GpuPod.PODS) + "\n" + api.list(HOLDERS));
    for (String name : List.of("a", "b")) {
      assertThat(api.get(GpuPod.PODS + "/" + name).at("/status/reason").asText())
          .isEqualTo("Evicted");
    }
  }

  private String phase(String pod) {
    return api.get(GpuPod.PODS + "/" + pod).at("/status/phase").asText();
  }

  /// @return KiB
  private long memory() {
    String capacity =
        api.get("/api/v1/nodes/" + node.name()).at("/status/capacity/memory").asText();
    return Long.parseLong(capacity.replace("Ki", ""));
  }

  private void drain() {
    ControlPlane.run(
        Duration.ofSeconds(60),
        List.of(
            "env",
            "BERTH_E2E_DIR=" + cluster.dir(),
            ControlPlane.root().resolve("e2e/cluster").toString(),
            "kubectl",
            "drain",
            node.name(),
            "--ignore-daemonsets",
            "--delete-emptydir-data",
            "--force",
            "--timeout=30s"));
  }

  private Round play(Consumer<NodeFaultsLoad> event, boolean restarted) {
    begin(restarted);
    var watch = new Watch();
    watch.start();
    long start = System.nanoTime();
    event.accept(this);
    var giveUp = System.nanoTime() + LOOK.toNanos();
    while (System.nanoTime() < giveUp) {
      Api.pause(Duration.ofMillis(200));
    }
    watch.end();
    String outcome = outcome();
    var round =
        new Round(
            outcome,
            watch.longest,
            Duration.ofNanos(Math.max(0, watch.lastChange - start)),
            told());
    end();
    return round;
  }

  /// Two halves on one GPU, a whole pod on the other, one more that waits for a GPU.
  private void begin(boolean restarted) {
    for (String name : List.of("a", "b")) {
      var share =
          GpuPod.named(name)
              .by("berth")
              .annotated("gpu-fraction", "0.5")
              .image(SHARE_IMAGE)
              .running();
      (restarted ? share.restarted() : share).create(api).awaitRunning(api);
    }
    GpuPod.named("whole").by("default-scheduler").gpus(1).running().create(api).awaitRunning(api);
    GpuPod.named("waiting").by("default-scheduler").gpus(1).running().create(api);
    Api.pause(Duration.ofSeconds(1));
    assertThat(GpuPod.named("waiting").phase(api)).isEqualTo("Pending");
  }

  private String outcome() {
    var words = new ArrayList<String>();
    for (String name : List.of("a", "b", "waiting")) {
      var pod = api.call("GET", GpuPod.PODS + "/" + name, "application/json", "");
      String phase = pod.status() == 404 ? "gone" : pod.body().at("/status/phase").asText();
      words.add(name + " " + phase);
    }
    return String.join(", ", words);
  }

  private String told() {
    var reasons = new TreeMap<String, String>();
    for (JsonNode event : api.list("/apis/events.k8s.io/v1/namespaces/default/events")) {
      if (event.path("reason").asText().equals("DeviceLost")) {
        reasons.put(event.at("/regarding/name").asText(), event.path("note").asText());
      }
    }
    return reasons.values().stream().findFirst().orElse("");
  }

  private void end() {
    api.delete(GpuPod.PODS + "?gracePeriodSeconds=0");
    for (int i = 0; i < node.gpus().size(); i++) {
      node.health(i, "healthy");
    }
    api.patch("/api/v1/nodes/" + node.name(), "{\"spec\":{\"unschedulable\":null}}");
    node.restoreImages();
    node.restoreThresholds();
    forgetProbes();
    api.delete("/apis/events.k8s.io/v1/namespaces/default/events");
    ControlPlane.await(
        "nothing is left: no pod, no holder, no allocation; both GPUs are offered",
        Duration.ofSeconds(90),
        () ->
            api.list(GpuPod.PODS).isEmpty()
                && api.list(HOLDERS).isEmpty()
                && node.allocations().isEmpty()
                && api.get("/api/v1/nodes/" + node.name())
                    .at("/status/allocatable/nvidia.com~1gpu")
                    .asText()
                    .equals("2"),
        () -> api.list(GpuPod.PODS) + "\n" + api.list(HOLDERS) + "\n" + node.allocations());
  }

  /// Those that wait for an image, which their kubelets try again only after a while.
  private void forgetProbes() {
    for (JsonNode probe : api.list(PROBES)) {
      if (!probe.at("/status/phase").asText().equals("Succeeded")) {
        api.delete(Kubelets.path(probe) + "?gracePeriodSeconds=0");
      }
    }
  }

  private static Set<String> devices(JsonNode pod) {
    String text = pod.path("metadata").path("annotations").path("berth.dev/gpu-devices").asText();
    return text.isEmpty() ? Set.of() : Set.of(text.split(","));
  }

  /// Compares what the kubelet gave out with what shares were given, about ten times a second.
  private final class Watch implements Runnable {
    private final Thread thread = Thread.ofPlatform().unstarted(this);
    private volatile boolean over;
    private Duration longest = Duration.ZERO;
    private long lastChange = System.nanoTime();

    void start() {
      thread.start();
    }

    void end() {
      over = true;
      try {
        thread.join();
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
    }

    @Override
    public void run() {
      long since = 0;
      String before = "";
      while (!over) {
        String state = outcome();
        long now = System.nanoTime();
        if (!state.equals(before)) {
          lastChange = before.isEmpty() ? lastChange : now;
          before = state;
        }
        if (isShared()) {
          since = since == 0 ? now : since;
          var lasted = Duration.ofNanos(System.nanoTime() - since);
          longest = lasted.compareTo(longest) > 0 ? lasted : longest;
        } else {
          since = 0;
        }
        Api.pause(Duration.ofMillis(50));
      }
    }

    /// A whole pod has a GPU that a share, whose pod is there, was given.
    private boolean isShared() {
      List<RealNode.Allocation> given;
      try {
        given = node.allocations();
      } catch (IllegalStateException kubeletIsAway) {
        return false;
      }
      var shares = new HashSet<String>();
      for (JsonNode pod : api.list(GpuPod.PODS)) {
        if (!pod.at("/spec/nodeName").asText().isEmpty()) {
          shares.addAll(devices(pod));
        }
      }
      return given.stream()
          .filter(each -> each.pod().startsWith("default/"))
          .flatMap(each -> each.devices().stream())
          .anyMatch(shares::contains);
    }
  }

  private static String markdown(Map<String, List<Round>> table) {
    var text =
        new StringBuilder(
            "| event | rounds | outcome | longest overlap | settled after |\n"
                + "|---|---|---|---|---|\n");
    table.forEach((event, rounds) -> {
      var outcomes = new TreeMap<String, Integer>();
      var longest = Duration.ZERO;
      var settled = Duration.ZERO;
      for (Round round : rounds) {
        outcomes.merge(round.outcome(), 1, Integer::sum);
        longest = round.overlap().compareTo(longest) > 0 ? round.overlap() : longest;
        settled = round.settled().compareTo(settled) > 0 ? round.settled() : settled;
      }
      text.append(
          "| %s | %d | %s | %.1f s | %.1f s |\n"
              .formatted(
                  event,
                  rounds.size(),
                  outcomes,
                  longest.toMillis() / 1000.0,
                  settled.toMillis() / 1000.0));
    });
    return text.toString();
  }
}
