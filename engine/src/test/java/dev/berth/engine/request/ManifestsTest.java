package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Fact.NamespaceSeen;
import dev.berth.engine.model.Fact.PriorityClassSeen;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Topology;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every kind but the pod.
class ManifestsTest {
  @Test
  void aNode() {
    Node node =
        NodeManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: a, resourceVersion: "7", labels: {zone: z, nvidia.com/gpu.product: H100-MIG-1g.10gb,
                      nvidia.com/gpu.memory: "81559", nvidia.com/mig.strategy: single}},
                    spec: {unschedulable: true, taints: [{key: k, value: v, effect: NoSchedule}]},
                    status: {allocatable: {cpu: 3900m, memory: 1Ki, pods: "110", nvidia.com/gpu: "8"},
                      conditions: [{type: DiskPressure, status: "False"}, {type: Ready, status: Unknown}]}}
                    """))
            .orElseThrow();
    assertThat(node.name()).isEqualTo(new NodeName("a"));
    assertThat(node.version()).isEqualTo(7);
    assertThat(node.unschedulable()).as("unschedulable").isTrue();
    assertThat(node.ready()).as("ready").isFalse();
    assertThat(node.taints()).containsExactly(new Node.Taint("k", "v", "NoSchedule"));
    assertThat(node.labels()).containsEntry("zone", "z");
    assertThat(node.allocatable().toString())
        .isEqualTo("{cpu=3900, memory=1024, nvidia.com/gpu=8, pods=110}");
    assertThat(node.accelerator())
        .isEqualTo(
            new Node.Accelerator(Resource.NVIDIA, 8, "H100-MIG-1g.10gb", 81_559, Node.Mig.SINGLE));
  }

  /// Whatever a kubelet or a device plugin says: it would be the share of every queue, and an entry
  /// in memory for each.
  @Test
  void amountsThatNoNodeHasDoNotCount() {
    for (String gpus : new String[] {"4097", "1000000000000", "9223372036854775807"}) {
      Node node =
          NodeManifest.read(
                  Flow.tree(
                      "{metadata: {name: a}, status: {allocatable: {cpu: 9223372036854775,"
                          + " memory: 7Ei, nvidia.com/gpu: \""
                          + gpus
                          + "\"}, capacity: {nvidia.com/gpu: \"8\"}}}"))
              .orElseThrow();
      assertThat(node.allocatable().toString())
          .isEqualTo("{cpu=140737488355328, memory=140737488355328}");
      assertThat(node.accelerator().count()).isZero();
      assertThat(node.accelerator().capacity()).isZero();
      assertThat(node.accelerator().sick())
          .isEqualTo(
              ("nvidia.com/gpu: " + gpus)
                  + ", and no node has more than 4096 (see to its device plugin)");
    }
  }

  @Test
  void aNodeOfAFileIsReady() {
    Node node = NodeManifest.read(Flow.tree("{metadata: {name: a}}")).orElseThrow();
    assertThat(node.ready()).as("ready").isTrue();
    assertThat(node.accelerator()).isEqualTo(Node.Accelerator.NONE);
  }

  /// As GPU feature discovery writes it: the strategy also where nothing is partitioned.
  @ParameterizedTest
  @CsvSource({
    "single, A100-SXM4-80GB, true, NONE",
    "single, A100-SXM4-80GB-MIG-1g.10gb, true, SINGLE",
    "single, '', true, SINGLE",
    "single, '', false, NONE",
    "single, Tesla-T4, false, NONE",
    "mixed, A100-SXM4-80GB, true, MIXED",
    "mixed, Tesla-T4, false, NONE",
    "none, A100-SXM4-80GB, true, NONE",
  })
  void whetherGpusArePartitioned(String strategy, String product, String capable, Node.Mig mig) {
    var node =
        NodeManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: a, labels: {nvidia.com/gpu.product: "%s", nvidia.com/mig.strategy: %s,
                      nvidia.com/mig.capable: "%s"}}, status: {allocatable: {nvidia.com/gpu: 8}}}
                    """
                        .formatted(product, strategy, capable)))
            .orElseThrow();
    assertThat(node.accelerator().mig()).isEqualTo(mig);
  }

  @Test
  void aNodeWithPartitionsOnly() {
    Node node =
        NodeManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: a, labels: {nvidia.com/mig.strategy: mixed}},
                    status: {allocatable: {nvidia.com/gpu: "0", nvidia.com/mig-1g.5gb: 7}}}
                    """))
            .orElseThrow();
    assertThat(node.accelerator().mig()).isEqualTo(Node.Mig.MIXED);
    assertThat(node.accelerator().count()).isZero();
  }

  @Test
  void aDisruptionBudgetCoversPodsThatItSelects() {
    var budget =
        DisruptionBudgetManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: b, namespace: n, resourceVersion: "7"}, spec: {selector: {
                      matchLabels: {app: web}, matchExpressions: [
                        {key: tier, operator: NotIn, values: [test]}, {key: old, operator: DoesNotExist}]}},
                    status: {disruptionsAllowed: 2}}
                    """))
            .orElseThrow();
    assertThat(budget.allowed()).isEqualTo(2);
    assertThat(budget.version()).isEqualTo(7);
    assertThat(budget.covers(pod("n", "app: web"))).as("selected").isTrue();
    assertThat(budget.covers(pod("m", "app: web"))).as("of another namespace").isFalse();
    assertThat(budget.covers(pod("n", "app: api"))).as("of another app").isFalse();
    assertThat(budget.covers(pod("n", "app: web, tier: test"))).as("of a test").isFalse();
    assertThat(budget.covers(pod("n", "app: web, old: x"))).as("an old one").isFalse();
  }

  @Test
  void anEmptySelectorCoversItsNamespaceAndAMissingOneNoPod() {
    var all =
        DisruptionBudgetManifest.read(
                Flow.tree("{metadata: {name: b, namespace: n}, spec: {selector: {}}}"))
            .orElseThrow();
    var none =
        DisruptionBudgetManifest.read(Flow.tree("{metadata: {name: b, namespace: n}, spec: {}}"))
            .orElseThrow();
    assertThat(all.covers(pod("n", "app: web"))).as("with an empty selector").isTrue();
    assertThat(none.covers(pod("n", "app: web"))).as("without selector").isFalse();
    assertThat(all.allowed()).as("without status").isZero();
  }

  private static Pod pod(String namespace, String labels) {
    return PodManifest.read(
            Flow.tree(
                "{metadata: {name: p, namespace: " + namespace + ", labels: {" + labels + "}}}"))
        .orElseThrow();
  }

  @Test
  void sinceWhenAGroupIsWarnedOfItsEnd() {
    String group =
        """
        {metadata: {name: train}, status: {conditions: [
          {type: EndsSoon, status: "True", lastTransitionTime: "2026-01-01T10:00:00Z"}]}}
        """;
    assertThat(warned(group)).isEqualTo(Instant.parse("2026-01-01T10:00:00Z"));
    assertThat(warned(group.replace("True", "False"))).isEqualTo(GroupSpec.Run.RECALLED);
    assertThat(warned(group.replace("EndsSoon", "Stale"))).isEqualTo(Instant.EPOCH);
  }

  @Test
  void anIdleRuleReportsBelowFivePercentUnlessItSaysMore() {
    var queue =
        QueueManifest.read(Flow.tree("{metadata: {name: q}, spec: {idle: {after: 90m}}}"))
            .orElseThrow();
    assertThat(queue.idle())
        .isEqualTo(
            new IdleRule(
                new QueueName("q"), Duration.ofMinutes(90), 5, Duration.ofMinutes(15), false));
  }

  @Test
  void sinceWhenAGroupSaysThatItIsIdle() {
    String group =
        """
        {metadata: {name: train}, status: {conditions: [{type: Idle, status: "True",
          reason: GpusIdleNearEviction, lastTransitionTime: "2026-01-01T10:00:00Z"}]}}
        """;
    var since = Instant.parse("2026-01-01T10:00:00Z");
    assertThat(notice(group)).isEqualTo(new Idleness.Notice(since, true));
    assertThat(notice(group.replace("GpusIdleNearEviction", "GpusIdle")))
        .isEqualTo(new Idleness.Notice(since, false));
    assertThat(notice(group.replace("True", "False"))).isEqualTo(Idleness.Notice.RECALLED);
    assertThat(notice(group.replace("type: Idle", "type: Stale"))).isEqualTo(Idleness.Notice.NONE);
  }

  private static Idleness.Notice notice(String group) {
    return GroupManifest.read(Flow.tree(group)).orElseThrow().run().notice();
  }

  private static Instant warned(String group) {
    return GroupManifest.read(Flow.tree(group)).orElseThrow().run().warned();
  }

  @Test
  void aQueue() {
    Queue queue =
        QueueManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: research}, spec: {parent: ml, priority: 200,
                      quota: {gpu: 8.5, cpu: "64", memory: 512Gi, example.com/nic: 2, gpu/H100: "1"},
                      limit: {gpu: 16, cpu: unlimited}, weight: {gpu: 2, memory: 0.5, cpu: 0},
                      preemptMinRuntime: 10m, reclaimMinRuntime: 1h, maxRuntime: 12h,
                      maxRuntimeWarning: 20m, idle: {after: 1h, below: 3, warning: 5m, action: Evict}}}
                    """))
            .orElseThrow();
    assertThat(queue.problems()).isEmpty();
    assertThat(queue.parent()).isEqualTo(new QueueName("ml"));
    assertThat(queue.priority()).isEqualTo(200);
    assertThat(queue.quota().toString())
        .isEqualTo("{cpu=64000, example.com/nic=2, gpu=8500, gpu/H100=1000, memory=549755813888}");
    assertThat(queue.limitOf(Resource.GPU)).isEqualTo(16_000);
    assertThat(queue.limitOf(Resource.CPU)).isEqualTo(Queue.UNLIMITED);
    assertThat(queue.weight().toString()).isEqualTo("{cpu=0.0, gpu=2.0, memory=0.5}");
    assertThat(queue.reclaimMinRuntime()).isEqualTo(Duration.ofHours(1));
    assertThat(queue.maxRuntime()).isEqualTo(Duration.ofHours(12));
    assertThat(queue.maxRuntimeWarning()).isEqualTo(Duration.ofMinutes(20));
    assertThat(queue.idle())
        .isEqualTo(
            new IdleRule(
                new QueueName("research"), Duration.ofHours(1), 3, Duration.ofMinutes(5), true));
  }

  @Test
  void aQueueInNodePools() {
    Queue queue =
        QueueManifest.read(
                Flow.tree(
                    """
                    {metadata: {name: research}, spec: {quota: {gpu: 8}, limit: {gpu: 16}, weight: {gpu: 3},
                      pools: [
                        {name: h100, quota: {gpu: 2, cpu: 0}, limit: {gpu: 4}},
                        {name: a100, limit: {}, weight: {gpu: 0}},
                        {name: "", quota: {}}]}}
                    """))
            .orElseThrow();
    assertThat(queue.problems()).isEmpty();
    assertThat(queue.isLimited()).as("a limit").isTrue();
    var h100 = queue.in("h100");
    assertThat(h100.quota().toString()).isEqualTo("{gpu=2000}");
    assertThat(h100.zeroQuota()).containsExactly(Resource.CPU);
    assertThat(h100.limitOf(Resource.GPU)).isEqualTo(4000);
    assertThat(h100.weightOf(Resource.GPU)).isEqualTo(3);
    var a100 = queue.in("a100");
    assertThat(a100.quota().toString()).isEqualTo("{gpu=8000}");
    assertThat(a100.limitOf(Resource.GPU)).isEqualTo(Queue.UNLIMITED);
    assertThat(a100.weightOf(Resource.GPU)).isZero();
    assertThat(queue.in("").declaresQuota()).as("a quota").isFalse();
    assertThat(queue.in("v100")).isSameAs(queue);
  }

  @Test
  void aLimitInOnePoolIsALimit() {
    Queue queue =
        QueueManifest.read(
                Flow.tree("{metadata: {name: q}, spec: {pools: [{name: a, limit: {gpu: 1}}]}}"))
            .orElseThrow();
    assertThat(queue.isLimited()).as("a limit").isTrue();
  }

  @Test
  void whatAQueueKeepsOfThePast() {
    var queue =
        Flow.tree(
            """
            {metadata: {name: q, resourceVersion: "7", generation: 3},
            status: {usage: {gpu: "0.25", cpu: 1, memory: lots}, usageUntil: "2026-01-01T00:00:00Z"}}
            """);
    var past = QueueManifest.pastUse(queue).orElseThrow();
    assertThat(past.queue()).isEqualTo(new QueueName("q"));
    assertThat(past.version()).isEqualTo(7);
    assertThat(past.until()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(past.fractions().toString()).isEqualTo("{cpu=1.0, gpu=0.25}");
    assertThat(QueueManifest.read(queue).orElseThrow().generation()).isEqualTo(3);
    var fresh = QueueManifest.pastUse(Flow.tree("{metadata: {name: q}}")).orElseThrow();
    assertThat(fresh.until()).isEqualTo(Instant.EPOCH);
    assertThat(fresh.fractions()).isEmpty();
  }

  @Test
  void aQueueThatSaysNothing() {
    Queue queue = QueueManifest.read(Flow.tree("{metadata: {name: q}, spec: {}}")).orElseThrow();
    assertThat(queue.priority()).isEqualTo(100);
    assertThat(queue.declaresQuota()).as("no quota").isFalse();
    var zero =
        QueueManifest.read(Flow.tree("{metadata: {name: q}, spec: {quota: {gpu: 0}}}"))
            .orElseThrow();
    assertThat(zero.declaresQuota()).as("a quota of 0").isTrue();
    assertThat(zero.zeroQuota()).containsExactly(Resource.GPU);
    assertThat(queue.parent()).isEqualTo(QueueName.NONE);
    assertThat(
            QueueManifest.read(Flow.tree("{metadata: {name: q}, spec: {quota: {gpu: unlimited}}}"))
                .orElseThrow()
                .quota()
                .of(Resource.GPU))
        .isEqualTo(Queue.UNLIMITED);
  }

  private static GroupSpec group(String spec) {
    var group =
        GroupManifest.read(Flow.tree("{metadata: {name: g, namespace: n}, spec: {" + spec + "}}"))
            .orElseThrow();
    assertThat(group.problems()).isEmpty();
    return group;
  }

  @Test
  void preemptibilityIsReadInTheSpellingOfLabelsToo() {
    for (String spelling : List.of("NonPreemptible", "non-preemptible", "nonPreemptible")) {
      assertThat(group("preemptibility: " + spelling).preemptibility())
          .as(spelling)
          .isEqualTo(Preemptibility.NON_PREEMPTIBLE);
    }
    var labelled = Flow.tree("{berth.dev/preemptibility: SemiPreemptible}");
    assertThat(GroupLabels.preemptibility(ManifestTree.root(labelled, new Problems())))
        .isEqualTo(Preemptibility.SEMI_PREEMPTIBLE);
  }

  @Test
  void aGroup() {
    GroupSpec group =
        group(
            """
            queue: research, minMember: 4, topology: {name: fabric, required: zone, preferred: rack},
            priorityClassName: train, preemptibility: SemiPreemptible, preemptionDelay: 5m,
            stalenessGracePeriod: 60s, expectedRuntime: 2h, maxRuntime: 8h
            """);
    assertThat(group.key()).isEqualTo(new GroupKey("n", "g"));
    assertThat(group.uid()).isEqualTo("n/g");
    assertThat(group.minMember()).isEqualTo(4);
    assertThat(group.queue()).isEqualTo(new QueueName("research"));
    assertThat(group.topology()).isEqualTo(new TopologyAsk("fabric", "zone", "rack"));
    assertThat(group.priorityClass()).isEqualTo("train");
    assertThat(group.preemptibility()).isEqualTo(Preemptibility.SEMI_PREEMPTIBLE);
    assertThat(group.patience())
        .isEqualTo(
            new Patience(
                Duration.ofMinutes(5),
                Duration.ofSeconds(60),
                Duration.ofHours(2),
                Duration.ofHours(8)));
  }

  @Test
  void aGroupThatSaysNothingStartsWithOne() {
    assertThat(group("").minMember()).isEqualTo(1);
    assertThat(group("").patience()).isEqualTo(Patience.NONE);
  }

  @Test
  void aTreeOfSubGroups() {
    GroupSpec group =
        group(
            """
            minSubGroup: 1, subGroups: [{name: prefill, minSubGroup: 1},
              {name: prefill-0, parent: prefill, minMember: 4, topology: {name: fabric, required: rack}},
              {name: decode}]
            """);
    assertThat(group.minMember()).isZero();
    assertThat(group.minSubGroup()).isEqualTo(1);
    assertThat(group.subGroups())
        .containsExactly(
            new SubGroup("prefill", "", 0, 1, TopologyAsk.NONE),
            new SubGroup("prefill-0", "prefill", 4, 0, new TopologyAsk("fabric", "rack", "")),
            new SubGroup("decode", "", 0, 0, TopologyAsk.NONE));
  }

  @Test
  void aCircleOfSubGroupsIsBroken() {
    var group =
        GroupManifest.read(
                Flow.tree(
                    "{metadata: {name: g}, spec: {subGroups: [{name: a, parent: b}, {name: b,"
                        + " parent: a}, {name: c, parent: a}]}}"))
            .orElseThrow();
    assertThat(group.problems()).hasSize(3);
    assertThat(group.subGroups()).extracting(SubGroup::parent).containsOnly("");
  }

  @ParameterizedTest
  @CsvSource({"0s, PT0.000000001S", "-1s, PT-1S", "60s, PT1M", "'', PT0S"})
  void aGraceOfZeroIsToldApartFromNone(String text, Duration grace) {
    String field = text.isEmpty() ? "" : "stalenessGracePeriod: \"" + text + "\"";
    assertThat(group(field).patience().stalenessGrace()).isEqualTo(grace);
  }

  @Test
  void aTopology() {
    assertThat(
            TopologyManifest.read(
                Flow.tree(
                    "{metadata: {name: fabric}, spec: {levels: [{nodeLabel: zone, alias: z},"
                        + " {alias: nothing}, {nodeLabel: host}]}}")))
        .contains(
            new Topology(
                "fabric",
                0,
                List.of(new Topology.Level("zone", "z"), new Topology.Level("host", ""))));
  }

  @Test
  void aQueueChoosesNamespaces() {
    assertThat(queue("{metadata: {name: q}, spec: {}}").namespaces()).isEmpty();
    assertThat(queue("{metadata: {name: q}, spec: {namespaceSelector: {}}}").namespaces())
        .contains(new LabelSelector(List.of()));
    var words =
        "{metadata: {name: q}, spec: {namespaceSelector: {matchLabels: {team: ml},"
            + " matchExpressions: [{key: size, operator: In, values: [s, m]},"
            + " {key: tier, operator: NotIn, values: [test]}, {key: paid, operator: Exists},"
            + " {key: suspended, operator: DoesNotExist}]}}}";
    assertThat(queue(words).problems()).isEmpty();
    assertThat(queue(words).namespaces().orElseThrow())
        .hasToString("team=ml,size in (s, m),tier notin (test),paid,!suspended");
  }

  private static Queue queue(String words) {
    return QueueManifest.read(Flow.tree(words)).orElseThrow();
  }

  @Test
  void aPriorityClassAndANamespace() {
    assertThat(
            PriorityClassManifest.read(
                Flow.tree("{metadata: {name: c}, value: 50, globalDefault: true}")))
        .contains(new PriorityClassSeen("c", 0, 50, true));
    assertThat(PriorityClassManifest.read(Flow.tree("{metadata: {name: c}, value: high}")))
        .isEmpty();
    assertThat(
            NamespaceManifest.read(
                Flow.tree("{metadata: {name: n, labels: {kai.scheduler/queue: q}}}")))
        .contains(
            new NamespaceSeen(
                "n", 0, new QueueName("q"), new TreeMap<>(Map.of("kai.scheduler/queue", "q"))));
    for (String ends :
        List.of(
            "{metadata: {name: n}, status: {phase: Terminating}}",
            "{metadata: {name: n, deletionTimestamp: '2026-01-01T12:00:00Z'}}")) {
      assertThat(NamespaceManifest.read(Flow.tree(ends)).orElseThrow().terminates())
          .as("whether it is being deleted: " + ends)
          .isTrue();
    }
    assertThat(
            NamespaceManifest.read(Flow.tree("{metadata: {name: n}, status: {phase: Active}}"))
                .orElseThrow()
                .terminates())
        .as("whether it is being deleted")
        .isFalse();
  }

  @Test
  void groupNamesFitIntoALabel() {
    var owner = new OwnerUid("u");
    assertThat(GroupNames.of("n", "x".repeat(80), owner).name()).hasSize(63);
    assertThat(GroupNames.of("n", "x".repeat(53) + ".y", owner).name())
        .startsWith("x".repeat(53) + "-")
        .hasSize(62);
    assertThat(GroupNames.of("n", "j", new OwnerUid("other")))
        .isNotEqualTo(GroupNames.of("n", "j", owner));
    assertThat(GroupNames.of("n", "x".repeat(80), "group-1", owner))
        .isNotEqualTo(GroupNames.of("n", "x".repeat(80), "group-2", owner));
    assertThat(GroupNames.of("n", "j", "group-1", owner).name()).matches("j-group-1-[0-9a-f]{8}");
    assertThat(GroupNames.of("n", "j", "group-A_x.", owner).name())
        .as("as an object may be called")
        .matches("j-group-a-x-[0-9a-f]{8}")
        .isNotEqualTo(GroupNames.of("n", "j", "group-a-x", owner).name());
    assertThat(GroupNames.of("n", "j", "_", owner).name()).matches("j-[0-9a-f]{8}");
    assertThat(GroupNames.shortened("x".repeat(64), 63)).hasSize(63);
  }

  @Test
  void aNodeThatHasLostADeviceKeepsItsNumbers() {
    var accelerator =
        accelerator("", "allocatable: {nvidia.com/gpu: 6}, capacity: {nvidia.com/gpu: 8}");
    assertThat(accelerator.count()).isEqualTo(6);
    assertThat(accelerator.capacity()).isEqualTo(8);
    assertThat(accelerator.sick()).isEmpty();
    var none = accelerator("", "allocatable: {amd.com/gpu: 0}, capacity: {amd.com/gpu: 8}");
    assertThat(none.resource()).isEqualTo(Resource.AMD);
    assertThat(none.count()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "AcceleratedHardwareReady, False, AcceleratedHardwareReady=False",
    "AcceleratedHardwareReady, True, ''",
    "AcceleratedHardwareReady, Unknown, ''",
    "XIDErrors, True, XIDErrors=True",
    "XIDErrors, False, ''",
    "GPUMissing, True, GPUMissing=True",
    "MemoryPressure, True, ''",
  })
  void aNodeTellsByAConditionThatItsDevicesAreSick(String type, String status, String sick) {
    String conditions = "conditions: [{type: %s, status: \"%s\"}]".formatted(type, status);
    assertThat(accelerator("", "allocatable: {nvidia.com/gpu: 8}, " + conditions).sick())
        .isEqualTo(sick);
  }

  @ParameterizedTest
  @CsvSource({
    "nvidia.com/gpu.health: Unhealthy, nvidia.com/gpu.health=unhealthy",
    "nvidia.com/gpu.health: healthy, ''",
    "berth.dev/gpu-health: xid-79, berth.dev/gpu-health=xid-79",
  })
  void aNodeTellsByALabelThatItsDevicesAreSick(String label, String sick) {
    assertThat(accelerator(label, "allocatable: {nvidia.com/gpu: 8}").sick()).isEqualTo(sick);
  }

  @Test
  void theFractioningAgentHasAWord() {
    String condition = "conditions: [{type: gpu-fractioning.nvidia.com/Ready, status: \"%s\"}]";
    assertThat(accelerator("", condition.formatted("True")).fractions())
        .isEqualTo(Node.Fractions.READY);
    assertThat(accelerator("", condition.formatted("Unknown")).fractions())
        .isEqualTo(Node.Fractions.NOT_READY);
    assertThat(accelerator("", "conditions: []").fractions()).isEqualTo(Node.Fractions.UNTOLD);
  }

  private static Node.Accelerator accelerator(String label, String status) {
    String text = "{metadata: {name: a, labels: {%s}}, status: {%s}}".formatted(label, status);
    return NodeManifest.read(Flow.tree(text)).orElseThrow().accelerator();
  }
}
