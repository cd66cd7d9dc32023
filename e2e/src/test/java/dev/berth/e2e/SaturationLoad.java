package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// 500 nodes of a published trace (openb: seven models, shares, whole GPUs, pods without any), full
/// of pods drawn from its list `default`, and a hundred more that wait. Then for `-Dminutes=10`
/// twice a second a pod ends and as many come as are missing to a hundred that wait. Printed: how
/// long cycles took and what the cluster had allocated. Demanded: no cycle above 250 ms, and no
/// device given out twice.
///
/// Not part of `verify`: run it with `./mvnw -pl e2e -am verify -Dit.test=SaturationLoad
/// -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N` is the first of its ports, `-Dnodes=N` how
/// many nodes, `-Dwaiting=N` how many pods wait.
class SaturationLoad {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String NODES = "/api/v1/nodes";
  private static final Path TRACE = ControlPlane.root().resolve("../shared/traces/fgd").normalize();
  private static final int PORTS = Integer.getInteger("ports", 25900);
  private static final int EXTENDER = PORTS + 8;
  private static final int WAITING = Integer.getInteger("waiting", 100);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Map<String, Integer> MEMORY_MIB =
      Map.of("T4", 15360, "P100", 16384, "V100M16", 16384, "V100M32", 32768, "A10", 23028);

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  private final Random random = new Random(42);
  private final TreeMap<String, Integer> running = new TreeMap<>(); // guarded by itself
  private final LinkedHashSet<String> waiting = new LinkedHashSet<>(); // guarded by running
  private List<String[]> list = List.of();
  private int created;

  @BeforeAll
  static void up() {
    assumeTrue(Files.isDirectory(TRACE), "no traces beside the repository: " + TRACE);
    cluster = ControlPlane.up(PORTS, "--nodes", "1", "--gpus", "0");
    api = cluster.admin();
  }

  @Test
  void noCycleIsLongWhilePodsComeAndGo() {
    int gpus = nodes(Integer.getInteger("nodes", 500));
    list = rows(TRACE.resolve("pods/openb_pod_list_default.csv.gz"));
    api.events(PODS, this::seen);
    long begun = System.nanoTime();
    while (waits() < WAITING) { // settled: pods that still wait find no room as things are
      come(Math.max(20, Math.min(400, (int) (1.1 * gpus - allocated() / 1000.0))));
      settle();
    }
    System.out.printf(
        Locale.ROOT,
        "%d GPUs filled in %.0f s: %.1f %% allocated, %d pods run, %d wait%n",
        gpus,
        (System.nanoTime() - begun) / 1e9,
        allocated() / 10.0 / gpus,
        runs(),
        waits());
    var metrics = Metrics.of(EXTENDER);
    var effort = Effort.upTo(cluster);
    long end = System.nanoTime() + Duration.ofMinutes(Integer.getInteger("minutes", 10)).toNanos();
    double sum = 0;
    int looks = 0;
    while (System.nanoTime() < end) {
      oneEnds();
      come(Math.max(1, WAITING - waits()));
      Api.pause(PAUSE);
      sum += allocated() / 10.0 / gpus;
      looks++;
    }
    System.out.println("  " + Effort.upTo(cluster).since(effort));
    report(metrics, Metrics.of(EXTENDER), sum / looks);
    assertThat(Truth.broken(api)).as("rules about devices").isEmpty();
    assertThat(longCycles(metrics, Metrics.of(EXTENDER))).as("cycles above 250 ms").isZero();
  }

  private static double longCycles(Metrics before, Metrics after) {
    return many(after) - many(before);
  }

  private static double many(Metrics metrics) {
    return metrics.sum("berth_cycle_seconds_count", "")
        - metrics.sum("berth_cycle_seconds_bucket", "le=\"0.25\"");
  }

  private void report(Metrics before, Metrics after, double allocated) {
    System.out.printf(
        Locale.ROOT,
        "  %.0f cycles, %.2f s in all; p50 %s, p99 %s, longest %s; above 250 ms: %.0f%n  %.1f %% of"
            + " GPUs allocated on average, %d pods run, %d wait, %d were created%n",
        after.sum("berth_cycle_seconds_count", "") - before.sum("berth_cycle_seconds_count", ""),
        after.sum("berth_cycle_seconds_sum", "") - before.sum("berth_cycle_seconds_sum", ""),
        after.quantile(before, "berth_cycle_seconds", "", 0.5),
        after.quantile(before, "berth_cycle_seconds", "", 0.99),
        after.quantile(before, "berth_cycle_seconds", "", 1),
        longCycles(before, after),
        allocated,
        runs(),
        waits(),
        created);
    System.out.println("  decisions " + after.since(before, "berth_decisions_total", ""));
  }

  /// @return how many GPUs they have
  private int nodes(int count) {
    var all = new ArrayList<>(rows(TRACE.resolve("openb_node_list_gpu_node.csv")));
    Collections.shuffle(all, random);
    var nodes = new ArrayList<String>();
    int gpus = 0;
    for (String[] row : all.subList(0, count)) {
      nodes.add(node(row));
      gpus += Integer.parseInt(row[3]);
    }
    api.createAll(NODES, nodes, 16);
    return gpus;
  }

  private static String node(String[] row) {
    return """
    {"apiVersion": "v1", "kind": "Node",
     "metadata": {"name": "%1$s", "annotations": {"kwok.x-k8s.io/node": "fake"},
      "labels": {"kubernetes.io/hostname": "%1$s", "nvidia.com/gpu.present": "true",
       "nvidia.com/gpu.product": "%2$s", "nvidia.com/gpu.memory": "%3$d",
       "nvidia.com/gpu.count": "%4$s"}},
     "status": {"capacity": %5$s, "allocatable": %5$s,
      "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
       "lastHeartbeatTime": "%6$s", "lastTransitionTime": "%6$s"}],
      "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
      "nodeInfo": {"architecture": "amd64", "operatingSystem": "linux", "kubeletVersion": "v1.36.3",
       "kubeProxyVersion": "", "containerRuntimeVersion": "kwok", "kernelVersion": "",
       "osImage": "fake", "bootID": "", "machineID": "", "systemUUID": ""}}}
    """
        .formatted(
            row[0],
            row[4],
            MEMORY_MIB.getOrDefault(row[4], Truth.GPU_MEMORY_MIB),
            row[3],
            """
            {"cpu": "%sm", "memory": "%sMi", "pods": "250", "nvidia.com/gpu": "%s"}\
            """
                .formatted(row[1], row[2], row[3]),
            Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /// Pods drawn from the list.
  private void come(int count) {
    var pods = new ArrayList<String>();
    synchronized (running) {
      for (int i = 0; i < count; i++) {
        String name = "p" + created++;
        waiting.add(name);
        pods.add(like(list.get(random.nextInt(list.size())), name).toString());
      }
    }
    api.createAll(PODS, pods, 16);
  }

  private static PodYaml like(String[] row, String name) {
    var pod = pod(name).asking(row[1] + "m", row[2] + "Mi");
    int gpus = Integer.parseInt(row[3]);
    int millis = Integer.parseInt(row[4]);
    if (gpus == 1 && millis < 1000) {
      pod.share(String.format(Locale.ROOT, "0.%03d", millis));
    } else if (gpus > 0) {
      pod.gpus(gpus);
    }
    pod.labelled("millis", Integer.toString(gpus > 1 ? 1000 * gpus : gpus * millis));
    if (row.length > 5 && !row[5].isEmpty()) {
      var models = "\"" + row[5].replace("|", "\", \"") + "\"";
      pod.with(
          """
          "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
           {"nodeSelectorTerms": [{"matchExpressions":
            [{"key": "nvidia.com/gpu.product", "operator": "In", "values": [%s]}]}]}}}\
          """
              .formatted(models));
    }
    return pod;
  }

  /// Until no further pod is bound for five seconds.
  private void settle() {
    int before = -1;
    while (runs() != before) {
      before = runs();
      Api.pause(Duration.ofSeconds(5));
    }
  }

  private void seen(String type, JsonNode pod) {
    String name = Api.name(pod);
    synchronized (running) {
      if (type.equals("DELETED")) {
        running.remove(name);
        waiting.remove(name);
      } else if (Truth.isBound(pod) && !pod.path("metadata").has("deletionTimestamp")) {
        waiting.remove(name);
        running.put(name, pod.at("/metadata/labels/millis").asInt());
      }
    }
  }

  /// One of those that run, by chance, is deleted.
  private void oneEnds() {
    String name;
    synchronized (running) {
      name = new ArrayList<>(running.keySet()).get(random.nextInt(running.size()));
      running.remove(name);
    }
    api.delete(PODS + "/" + name);
  }

  private int waits() {
    synchronized (running) {
      return waiting.size();
    }
  }

  private int runs() {
    synchronized (running) {
      return running.size();
    }
  }

  /// Thousandths of GPUs.
  private long allocated() {
    synchronized (running) {
      return running.values().stream().mapToLong(Integer::longValue).sum();
    }
  }

  private static List<String[]> rows(Path file) {
    try (var raw = Files.newInputStream(file);
        var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
