package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever a tree holds, reading it ends, and throws nothing.
class FuzzTest {
  /// A tree with everything that is read, to be spoilt.
  private static final String WHOLE =
      """
      {metadata: {name: p, namespace: n, uid: u, resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z",
        deletionTimestamp: null, generation: 1,
        labels: {berth.dev/queue: q, berth.dev/holder: "true", berth.dev/task-priority: "1", berth.dev/preemptibility: preemptible,
          nvidia.com/gpu.memory: "81559", nvidia.com/gpu.product: x, nvidia.com/mig.strategy: mixed},
        annotations: {gpu-fraction: "0.5", gpu-memory: 8Gi, gpu-fraction-num-devices: "2", gpu-fraction-limit: "0.7",
          gpu-memory-limit: "5", gpu-fraction-container-name: main, berth.dev/gpu-isolation: mps, berth.dev/gpu-model: "a,b",
          berth.dev/plan: "node=a slots=0 millis=500 until=2026-01-01T00:00:30Z", berth.dev/gpu-devices: "a,b",
          berth.dev/holder-slot: "1", berth.dev/min-member: "4", berth.dev/topology: t, berth.dev/topology-required: r,
          berth.dev/max-runtime: 1h, berth.dev/staleness-grace-period: 1m},
        ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: o, controller: true}]},
      spec: {schedulerName: berth, nodeName: a, priority: 5, hostNetwork: true, unschedulable: true,
        containers: [{name: main, resources: {requests: {cpu: 1, memory: 1Gi}, limits: {cpu: 2, nvidia.com/gpu: 1}}, ports: [{hostPort: 1, protocol: TCP}]}],
        initContainers: [{name: init, restartPolicy: Always, resources: {requests: {cpu: 1}}}],
        overhead: {cpu: 1}, resources: {requests: {cpu: 1}}, nodeSelector: {a: b}, tolerations: [{key: a, operator: Exists}],
        affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}]}]}}},
        schedulingGates: [{name: g}], schedulingGroup: {podGroupName: g}, taints: [{key: a, effect: NoSchedule}],
        parent: q, quota: {gpu: 1, cpu: unlimited}, limit: {gpu: 1}, weight: {gpu: 1}, preemptMinRuntime: 1m,
        queue: q, minMember: 1, minSubGroup: 1, subGroups: [{name: a, parent: b, minMember: 1}, {name: b, minSubGroup: 1}],
        topology: {name: t, required: r}, preemptibility: Preemptible, stalenessGracePeriod: 1s,
        levels: [{nodeLabel: a, alias: b}], parallelism: 2, completions: 3, template: {metadata: {annotations: {a: b}}}},
      status: {phase: Running, succeeded: 1, allocatable: {cpu: 1, nvidia.com/gpu: 8}, conditions: [{type: Ready, status: "True", reason: x, message: y}],
        containerStatuses: [{state: {terminated: {exitCode: 0, message: GPU-1}}}]},
      attributes: [{name: topologyManagerPolicy, value: restricted}, {name: topologyManagerScope, value: pod}],
      topologyPolicies: [SingleNUMANodePodLevel],
      zones: [{name: node-0, type: Node, resources: [{name: cpu, capacity: "8", allocatable: "8", available: 7}]}],
      value: 5, globalDefault: true}
      """;

  static LongStream seeds() {
    String one = System.getProperty("seed", "");
    return one.isEmpty() ? LongStream.range(0, 3000) : LongStream.of(Long.parseLong(one));
  }

  private static void readAll(Map<?, ?> tree) {
    PodManifest.read(tree);
    NodeManifest.read(tree);
    QueueManifest.read(tree);
    GroupManifest.read(tree);
    TopologyManifest.read(tree);
    PriorityClassManifest.read(tree);
    NamespaceManifest.read(tree);
    NumaManifest.read(tree);
  }

  @Test
  void theWholeTreeIsRead() {
    var pod = PodManifest.read(Flow.tree(WHOLE)).orElseThrow();
    assertThat(pod.holding().uuid()).isEqualTo("GPU-1");
    assertThat(pod.written().plan().isNone()).as("no plan").isFalse();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSpoiltTreeIsReadWithoutThrowing(long seed) {
    var random = new Random(seed);
    Object tree = spoilt(Flow.tree(WHOLE), random, 1 + random.nextInt(40));
    assertThatCode(() -> readAll((Map<?, ?>) tree))
        .as("seed %s: %s", seed, tree)
        .doesNotThrowAnyException();
    if (tree instanceof Map<?, ?> map
        && map.get("metadata") instanceof Map<?, ?> metadata
        && metadata.get("name") instanceof String name
        && !name.isEmpty()) {
      assertThat(PodManifest.read(map)).as("a pod with a name is a pod").isPresent();
    }
  }

  /// A copy in which about one value of `chance` is another one.
  private static @Nullable Object spoilt(@Nullable Object value, Random random, int chance) {
    if (value instanceof Map<?, ?> map) {
      var copy = new LinkedHashMap<@Nullable Object, @Nullable Object>();
      map.forEach((key, child) -> {
        if (random.nextInt(chance * 4) != 0) {
          copy.put(
              random.nextInt(chance * 8) == 0 ? anything(random, 0) : key,
              random.nextInt(chance) == 0 ? anything(random, 0) : spoilt(child, random, chance));
        }
      });
      return copy;
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>();
      for (Object child : list) {
        copy.add(random.nextInt(chance) == 0 ? anything(random, 0) : spoilt(child, random, chance));
      }
      return copy;
    }
    return value;
  }

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "a",
          "-",
          "0",
          "1",
          "-1",
          "0.5",
          "1e999999999",
          "1e-999999999",
          "1e99",
          "9".repeat(70),
          "9".repeat(30),
          "NaN",
          "8Gi",
          "1Ei",
          "1h",
          "1h1",
          "999999999h",
          "\0",
          "\n",
          "😀",
          "\ud800",
          "true",
          "unlimited",
          "node= slots=,",
          "node=a slots=99999999999 millis=5",
          "slots=1",
          "node=a until=x",
          "2026-13-01T00:00:00Z",
          "2026-01-01T99:00:00Z",
          "+999999999-12-31T23:59:59.999999999Z",
          "0000-00-00T00:00:00Z",
          ",,,",
          "x".repeat(5000),
          "Always",
          "In",
          "Exists",
          "m",
          ".",
          "+",
          "E",
          "e5");

  private static @Nullable Object anything(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 10 : 13)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt();
      case 3 -> random.nextLong();
      case 4 -> Double.longBitsToDouble(random.nextLong());
      case 5 -> new java.math.BigDecimal("1e" + random.nextInt(100_000));
      case 6 -> new Object();
      case 7 -> random.nextInt(3);
      case 10 -> List.of(1, "a");
      case 11 -> {
        var list = new ArrayList<@Nullable Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
          list.add(anything(random, depth + 1));
        }
        yield list;
      }
      case 12 -> {
        var map = new LinkedHashMap<@Nullable Object, @Nullable Object>();
        for (int i = random.nextInt(4); i > 0; i--) {
          map.put(anything(random, 4), anything(random, depth + 1));
        }
        yield map;
      }
      default -> TEXTS.get(random.nextInt(TEXTS.size()));
    };
  }

  @Test
  void treesThatContainThemselvesEnd() {
    var tree = new LinkedHashMap<String, Object>();
    var list = new ArrayList<Object>();
    list.add(tree);
    list.add(list);
    for (String key :
        List.of("metadata", "spec", "status", "labels", "annotations", "resources", "requests")) {
      tree.put(key, tree);
    }
    tree.put("name", "p");
    tree.put("containers", list);
    tree.put("subGroups", list);
    tree.put("quota", tree);
    assertThatCode(() -> readAll(tree)).doesNotThrowAnyException();
  }

  @Test
  void mapsWithOtherKeysThanTextsAreEmpty() {
    var numbers = new TreeMap<Integer, Object>();
    numbers.put(1, "a");
    assertThatCode(() -> readAll(numbers)).doesNotThrowAnyException();
    assertThatCode(() -> readAll(Map.of("metadata", Map.of("name", "p", "labels", numbers))))
        .doesNotThrowAnyException();
  }
}
