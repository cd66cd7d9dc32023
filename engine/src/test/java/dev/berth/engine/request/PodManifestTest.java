package dev.berth.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WordsOnPod;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodManifestTest {
  private static Pod read(String tree) {
    Pod pod = PodManifest.read(Flow.tree(tree)).orElseThrow();
    assertThat(pod.problems()).isEmpty();
    return pod;
  }

  private static Pod asking(String spec) {
    return read("{metadata: {name: p}, spec: {" + spec + "}}");
  }

  private static Pod annotated(String annotations) {
    return read(
        "{metadata: {name: p, annotations: {"
            + annotations
            + "}}, spec: {containers: [{name: main}, {name: side}]}}");
  }

  private static Pod labelled(String labels) {
    return read("{metadata: {name: p, labels: {" + labels + "}}}");
  }

  private static String amounts(Pod pod) {
    return pod.asks().request().amounts().toString();
  }

  @Test
  void aTreeWithoutANameIsNoPod() {
    assertThat(PodManifest.read(Flow.tree("{}"))).isEmpty();
    assertThat(PodManifest.read(Flow.tree("{metadata: {namespace: a}}"))).isEmpty();
  }

  @Test
  void aPodOfAFileHasAStandInForItsUid() {
    Pod pod = read("{metadata: {name: p, namespace: team}}");
    assertThat(pod.uid()).isEqualTo(new PodUid("team/p"));
    assertThat(pod.created()).isEqualTo(Instant.EPOCH);
    assertThat(pod.version()).isZero();
    assertThat(amounts(pod)).isEqualTo("{pods=1}");
  }

  @Test
  void aPodOfTheApiHasItAll() {
    Pod pod =
        read(
            """
            {metadata: {name: p, namespace: team, uid: u-1, resourceVersion: "42",
              creationTimestamp: "2026-01-01T01:30:00Z", deletionTimestamp: "2026-01-01T02:00:00Z",
              ownerReferences: [{kind: X, uid: x}, {apiVersion: batch/v1, kind: Job, name: j, uid: o, controller: true}]},
            spec: {schedulerName: berth, nodeName: a, priority: -5, schedulingGates: [{name: berth.dev/queued}]},
            status: {phase: Running, startTime: "2026-01-01T01:40:00Z",
              conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: 0/3 nodes}]}}
            """);
    assertThat(pod.uid()).isEqualTo(new PodUid("u-1"));
    assertThat(pod.version()).isEqualTo(42);
    assertThat(pod.created()).isEqualTo(Instant.parse("2026-01-01T01:30:00Z"));
    assertThat(pod.scheduler()).isEqualTo("berth");
    assertThat(pod.life())
        .isEqualTo(
            new Pod.Lifecycle(
                Pod.Phase.RUNNING,
                new NodeName("a"),
                List.of("berth.dev/queued"),
                true,
                "0/3 nodes",
                Instant.parse("2026-01-01T01:40:00Z")));
    assertThat(pod.belonging().owner())
        .isEqualTo(new Pod.Owner(new OwnerUid("o"), "batch/v1", "Job", "j"));
    assertThat(pod.asks().priority()).isEqualTo(-5);
    assertThat(pod.isGated()).as("gated").isTrue();
  }

  /// A deleted pod with a grace period of hours occupies its room for hours, and no plan waits for
  /// that room.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | nodeName: a | true",
        "', deletionGracePeriodSeconds: 30' | nodeName: a | true",
        "', deletionGracePeriodSeconds: 60' | nodeName: a | true",
        "', deletionGracePeriodSeconds: 61' | nodeName: a | false",
        "', deletionGracePeriodSeconds: 2147483647' | nodeName: a | false",
        "', deletionGracePeriodSeconds: 9223372036854775807' | nodeName: a | false",
        "', deletionGracePeriodSeconds: 3600' | '' | true",
      })
  void aDeletedPodLeavesIfItsRoomComesSoon(String metadata, String spec, boolean leaves) {
    Pod pod =
        read(
            "{metadata: {name: p, deletionTimestamp: \"2026-01-01T02:00:00Z\""
                + metadata
                + "}, spec: {"
                + spec
                + "}, status: {phase: Running}}");
    assertThat(pod.life().leaving()).isEqualTo(leaves);
    assertThat(pod.life().runsOn()).isEqualTo(!leaves);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "startTime: \"2026-01-01T02:00:00Z\", phase: Pending | 2026-01-01T02:00:00Z",
        "conditions: [{type: PodScheduled, status: \"True\", lastTransitionTime:"
            + " \"2026-01-01T03:00:00Z\"}] | 2026-01-01T03:00:00Z",
        "phase: Running | 2026-01-01T01:00:00Z",
        "phase: Pending | +1000000000-12-31T23:59:59.999999999Z",
        "phase: Pending, conditions: [{type: PodScheduled, status: \"False\", lastTransitionTime:"
            + " \"2026-01-01T03:00:00Z\"}] | +1000000000-12-31T23:59:59.999999999Z",
      })
  void aPodRunsSinceItsKubeletTookItElseItWasBoundElseItWasMade(String status, Instant since) {
    Pod pod =
        read(
            "{metadata: {name: p, creationTimestamp: \"2026-01-01T01:00:00Z\"}, status: {"
                + status
                + "}}");
    assertThat(pod.life().started()).isEqualTo(since);
  }

  /// A pod that goes on in a container has not ended, whatever another of its containers did.
  @ParameterizedTest
  @CsvSource({
    "Succeeded, 2026-01-01T02:00:07Z",
    "Failed, 2026-01-01T02:00:07Z",
    "Running, +1000000000-12-31T23:59:59.999999999Z",
  })
  void aPodEndedWhenTheLastOfItsContainersDid(String phase, Instant finished) {
    Pod pod =
        read(
            """
            {metadata: {name: p}, status: {phase: %s, containerStatuses: [
              {state: {terminated: {finishedAt: "2026-01-01T02:00:07Z"}}},
              {state: {terminated: {finishedAt: "2026-01-01T02:00:03Z"}}},
              {state: {waiting: {reason: PodInitializing}}}]}}
            """
                .formatted(phase));
    assertThat(pod.life().finished()).isEqualTo(finished);
  }

  @Test
  void howAPodComesAndGoes() {
    assertThat(read("{metadata: {name: p}}").asks().manners()).isEqualTo(Pod.Manners.DEFAULT);
    assertThat(
            read("""
            {metadata: {name: p},
            spec: {preemptionPolicy: Never, terminationGracePeriodSeconds: 300}}
            """)
                .asks()
                .manners())
        .isEqualTo(new Pod.Manners(false, Duration.ofMinutes(5)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containers: [{resources: {requests: {cpu: 500m}}}, {resources: {requests: {cpu: 1, memory:"
            + " 1Ki}}}] | {cpu=1500, memory=1024, pods=1}",
        "containers: [{resources: {limits: {nvidia.com/gpu: 2}}}] | {nvidia.com/gpu=2, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}, limits: {cpu: 4, memory: 2k}}}] | {cpu=1000,"
            + " memory=2000, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{resources: {requests:"
            + " {cpu: 3}}}] | {cpu=3000, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{restartPolicy: Always,"
            + " resources: {requests: {cpu: 3}}}] | {cpu=4000, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{restartPolicy: Always,"
            + " resources: {requests: {cpu: 2}}}, {resources: {requests: {cpu: 4}}}] | {cpu=6000,"
            + " pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], initContainers: [{resources: {requests:"
            + " {cpu: 4}}}, {restartPolicy: Always, resources: {requests: {cpu: 2}}}] | {cpu=4000,"
            + " pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], overhead: {cpu: 250m, memory: 1M} |"
            + " {cpu=1250, memory=1000000, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], resources: {requests: {cpu: 3}} |"
            + " {cpu=3000, pods=1}",
        "containers: [{resources: {requests: {cpu: 1}}}], resources: {limits: {cpu: 3, memory: 1k}}"
            + " | {cpu=1000, memory=1000, pods=1}",
        "containers: [{resources: {requests: {cpu: 0.1, example.com/nic: \"2\"}}}] | {cpu=100,"
            + " example.com/nic=2, pods=1}",
        "containers: [{resources: {limits: {nvidia.com/mig-1g.5gb: 1}}}] |"
            + " {nvidia.com/mig-1g.5gb=1, pods=1}",
        "containers: [{resources: {requests: {cpu: 0}}}] | {pods=1}",
      })
  void amountsAreThoseThatKubernetesCounts(String spec, String amounts) {
    assertThat(amounts(asking(spec))).isEqualTo(amounts);
  }

  /// As many as a pod may name: nodes with NICs, huge pages and storage have more than six.
  @Test
  void anyNumberOfResourcesIsCounted() {
    for (int names = 1; names <= 40; names++) {
      var list = new StringBuilder();
      var expected = new TreeMap<String, Long>();
      for (int i = 0; i < names; i++) {
        list.append(i == 0 ? "" : ", ").append("example.com/r").append(i).append(": 2");
        expected.put("example.com/r" + i, 2L);
      }
      expected.put("pods", 1L);
      for (String kind : List.of("requests", "limits")) {
        String container = "{resources: {" + kind + ": {" + list + "}}}";
        assertThat(amounts(asking("containers: [" + container + "]")))
            .isEqualTo(expected.toString());
        assertThat(amounts(asking("containers: [{}], initContainers: [" + container + "]")))
            .isEqualTo(expected.toString());
        assertThat(amounts(asking("containers: [{}], overhead: {" + list + "}")))
            .isEqualTo(expected.toString());
      }
    }
  }

  @Test
  void absurdAmountsStayAbsurd() {
    String huge = "{resources: {requests: {memory: \"9223372036854775807\"}}}";
    Pod pod = asking("containers: [" + huge + ", " + huge + "]");
    assertThat(pod.asks().request().amounts().of(Resource.MEMORY)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void devicesAreWholeOrShared() {
    assertThat(asking("containers: [{resources: {limits: {amd.com/gpu: 2}}}]").asks().request())
        .satisfies(request ->
            assertThat(request.devices()).isEqualTo(new DeviceRequest.Whole(Resource.AMD, 2)));
    assertThat(devices("gpu-fraction: \"0.5\"")).isEqualTo(fraction(500, 500, 1));
    assertThat(devices("gpu-fraction: 0.125")).isEqualTo(fraction(125, 125, 1));
    assertThat(devices("gpu-fraction: 500m")).isEqualTo(fraction(500, 500, 1));
    assertThat(devices("gpu-fraction: \"0.001\"")).isEqualTo(fraction(1, 1, 1));
    assertThat(devices("gpu-fraction: \"0.5\", gpu-fraction-limit: \"1\""))
        .isEqualTo(fraction(500, 1000, 1));
    assertThat(devices("gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"2\""))
        .isEqualTo(fraction(500, 500, 2));
    assertThat(devices("gpu-memory: 8192")).isEqualTo(new DeviceRequest.Memory(8192, 8192, 1));
    assertThat(devices("gpu-memory: 8Gi, gpu-memory-limit: \"10000\""))
        .isEqualTo(new DeviceRequest.Memory(8192, 10_000, 1));
    assertThat(devices("gpu-memory: 8G")).isEqualTo(new DeviceRequest.Memory(7630, 7630, 1));
    assertThat(devices("")).isEqualTo(DeviceRequest.NONE);
  }

  private static DeviceRequest devices(String annotations) {
    return annotated(annotations).asks().request().devices();
  }

  private static DeviceRequest fraction(int millis, int limit, int count) {
    return new DeviceRequest.Fraction(millis, limit, count);
  }

  @Test
  void whatElseIsAskedOfDevices() {
    var request =
        annotated(
                "gpu-fraction: \"0.5\", gpu-fraction-container-name: side,"
                    + " berth.dev/gpu-model: \"H100, H200,\", berth.dev/gpu-isolation: hami")
            .asks()
            .request();
    assertThat(request.deviceContainer()).isEqualTo("side");
    assertThat(request.models()).containsExactly("H100", "H200");
    assertThat(request.isolation()).isEqualTo(Isolation.HAMI);
    assertThat(annotated("mps: \"true\"").asks().request().isolation()).isEqualTo(Isolation.MPS);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "labels: {berth.dev/pod-group: g}",
        "annotations: {berth.dev/pod-group: g}",
        "annotations: {pod-group-name: g}",
        "labels: {scheduling.x-k8s.io/pod-group: g}",
        "labels: {berth.dev/pod-group: g, scheduling.x-k8s.io/pod-group: other}",
      })
  void membershipHasManyNames(String metadata) {
    Pod pod = read("{metadata: {name: p, namespace: n, " + metadata + "}}");
    assertThat(pod.belonging().group()).isEqualTo(new GroupKey("n", "g"));
  }

  /// The ledger shows the group of a pod alone as `x/pod` where a PodGroup is called `x`: what a
  /// pod names is no name that only the ledger may give.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "labels: {berth.dev/pod-group: My_Group}",
        "annotations: {berth.dev/pod-group: x/pod}",
        "annotations: {pod-group-name: ' g'}",
        "labels: {scheduling.x-k8s.io/pod-group: G}",
      })
  void aGroupThatNoObjectCanBeCalledIsAProblem(String metadata) {
    var pod =
        PodManifest.read(Flow.tree("{metadata: {name: p, namespace: n, " + metadata + "}}"))
            .orElseThrow();
    assertThat(pod.belonging().group()).isEqualTo(GroupKey.NONE);
    assertThat(pod.problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.rule()).startsWith("a PodGroup has a name of"));
  }

  @Test
  void membershipMayBeAField() {
    assertThat(asking("schedulingGroup: {podGroupName: g}").belonging().group())
        .isEqualTo(new GroupKey("default", "g"));
  }

  @Test
  void labelsHaveAliases() {
    var ours =
        labelled(
            "berth.dev/queue: q, berth.dev/subgroup: s, berth.dev/task-priority: \"-2\","
                + " berth.dev/preemptibility: non-preemptible, kai.scheduler/queue: other");
    var theirs =
        labelled(
            "kai.scheduler/queue: q, kai.scheduler/subgroup-name: s,"
                + " kai.scheduler/task-priority: \"-2\", kai.scheduler/preemptibility:"
                + " non-preemptible");
    assertThat(theirs.belonging()).isEqualTo(ours.belonging());
    assertThat(ours.belonging().queue()).isEqualTo(new QueueName("q"));
    assertThat(ours.belonging().subGroup()).isEqualTo("s");
    assertThat(ours.belonging().taskPriority()).isEqualTo(-2);
    assertThat(ours.belonging().priorityClass()).isEmpty();
    assertThat(labelled("priorityClassName: inference").belonging().priorityClass())
        .isEqualTo("inference");
    assertThat(ours.asks().preemptibility()).isEqualTo(Preemptibility.NON_PREEMPTIBLE);
    assertThat(theirs.asks()).isEqualTo(ours.asks());
  }

  @Test
  void annotationsHaveAliases() {
    var ours =
        annotated(
            "berth.dev/min-member: \"4\", berth.dev/topology: t, berth.dev/topology-required: rack,"
                + " berth.dev/topology-preferred: host, berth.dev/preemption-delay: 5m,"
                + " berth.dev/staleness-grace-period: \"-1s\"");
    var theirs =
        annotated(
            "kai.scheduler/batch-min-member: \"4\", kai.scheduler/topology: t,"
                + " kai.scheduler/topology-required-placement: rack,"
                + " kai.scheduler/topology-preferred-placement: host,"
                + " kai.scheduler/preemption-delay: 5m, kai.scheduler/staleness-grace-period:"
                + " \"-1s\"");
    assertThat(theirs.belonging()).isEqualTo(ours.belonging());
    assertThat(ours.belonging().minMember()).isEqualTo(4);
    assertThat(ours.belonging().topology()).isEqualTo(new TopologyAsk("t", "rack", "host"));
    assertThat(ours.belonging().patience())
        .isEqualTo(
            new Patience(
                Duration.ofMinutes(5), Duration.ofSeconds(-1), Duration.ZERO, Duration.ZERO));
  }

  @Test
  void nodesAreChosenAsInKubernetes() {
    var constraints =
        asking(
                """
                nodeSelector: {zone: a},
                affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                  {matchExpressions: [{key: rack, operator: NotIn, values: [r1, r2]}]},
                  {matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}},
                tolerations: [{key: k, operator: Exists, effect: NoSchedule}, {key: l, value: v}]
                """)
            .asks()
            .constraints();
    assertThat(constraints.nodeSelector()).containsEntry("zone", "a");
    assertThat(constraints.required())
        .containsExactly(
            new Term(List.of(new Expression(false, "rack", Operator.NOT_IN, List.of("r1", "r2")))),
            new Term(List.of(new Expression(true, "metadata.name", Operator.IN, List.of("n1")))));
    assertThat(constraints.tolerations())
        .containsExactly(
            new Toleration("k", true, "", "NoSchedule"), new Toleration("l", false, "v", ""));
  }

  @Test
  void hostPortsAreThoseOfContainersAndSidecars() {
    assertThat(
            asking(
                    "containers: [{ports: [{containerPort: 80, hostPort: 8080}, {containerPort:"
                        + " 90}]}], initContainers: [{restartPolicy: Always, ports: [{hostPort:"
                        + " 53, protocol: UDP, hostIP: 10.0.0.1}]}, {ports: [{hostPort: 1}]}]")
                .asks()
                .request()
                .hostPorts())
        .containsExactly("TCP:0.0.0.0:8080", "UDP:10.0.0.1:53");
    assertThat(
            asking("hostNetwork: true, containers: [{ports: [{containerPort: 80}]}]")
                .asks()
                .request()
                .hostPorts())
        .containsExactly("TCP:0.0.0.0:80");
  }

  @Test
  void whatBerthWroteIsReadBack() {
    var plan =
        new WrittenPlan(
            new Placement(new NodeName("a"), List.of(0, 2), 500),
            "g1",
            2,
            Instant.parse("2026-01-01T00:00:30Z"));
    Pod pod =
        annotated(
            "berth.dev/plan: \"" + plan.text() + "\", berth.dev/gpu-devices: \"GPU-a, GPU-b\"");
    assertThat(pod.written()).isEqualTo(new Pod.Written(plan, List.of("GPU-a", "GPU-b")));
  }

  @Test
  void onlyItsOwnUidMarksAPreemptor() {
    String pod = "{metadata: {name: p, uid: u-1, annotations: {berth.dev/preemptor: OTHER}}}";
    assertThat(read(pod.replace("OTHER", "u-1")).written())
        .isEqualTo(new Pod.Written(WrittenPlan.NONE, List.of(), true, WordsOnPod.NONE));
    assertThat(read(pod.replace("OTHER", "u-2")).written()).isEqualTo(Pod.Written.NOTHING);
  }

  /// Behind our gate the condition is ours; it is kube-scheduler's once it gave a reason of its
  /// own.
  @Test
  void whereAPodSaysWhyItWaitsIsRead() {
    String pod =
        """
        {metadata: {name: p, uid: u-1, annotations: {NOTE: "Starting: Waits"}},
         status: {phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: REASON}]}}
        """;
    String silent = pod.replace("NOTE", "example.com/note");
    assertThat(read(silent.replace("REASON", "SchedulingGated")).written().words())
        .isEqualTo(WordsOnPod.NONE);
    assertThat(read(silent.replace("REASON", "SchedulerError")).written().words())
        .isEqualTo(new WordsOnPod(true, false));
    String told = pod.replace("NOTE", "berth.dev/waiting");
    assertThat(read(told.replace("REASON", "SchedulingGated")).written().words())
        .isEqualTo(new WordsOnPod(false, true));
  }

  @Test
  void sinceWhenAPodIsWarnedOfItsEndIsRead() {
    String pod =
        """
        {metadata: {name: p, uid: u-1}, status: {phase: Running, conditions: [
          {type: berth.dev/EndsSoon, status: "True", lastTransitionTime: "2026-01-01T10:00:00Z"}]}}
        """;
    assertThat(read(pod).written().words())
        .isEqualTo(new WordsOnPod(false, false, Instant.parse("2026-01-01T10:00:00Z")));
    assertThat(read(pod.replace("True", "False")).written()).isEqualTo(Pod.Written.NOTHING);
  }

  @Test
  void sinceWhenAPodSaysThatItIsIdleIsRead() {
    String pod =
        """
        {metadata: {name: p, uid: u-1}, status: {phase: Running, conditions: [
          {type: berth.dev/Idle, status: "True", reason: GpusIdleNearEviction,
            lastTransitionTime: "2026-01-01T10:00:00Z"}]}}
        """;
    var since = Instant.parse("2026-01-01T10:00:00Z");
    assertThat(read(pod).written().words().idle()).isEqualTo(new Idleness.Notice(since, true));
    assertThat(read(pod.replace("NearEviction", "")).written().words().idle())
        .isEqualTo(new Idleness.Notice(since, false));
    assertThat(read(pod.replace("True", "False")).written()).isEqualTo(Pod.Written.NOTHING);
  }

  @Test
  void aHolderTellsItsDevice() {
    String holder =
        """
        {metadata: {name: h, labels: {berth.dev/holder: "true"}, annotations: {berth.dev/holder-slot: "3"}},
        spec: {nodeName: a}, status: {containerStatuses: [{state: {terminated: {exitCode: EXIT, message: "GPU-7 "}}}]}}
        """;
    assertThat(read(holder.replace("EXIT", "0")).holding())
        .isEqualTo(new Pod.Holding(new NodeName("a"), 3, "GPU-7"));
    assertThat(read(holder.replace("EXIT", "1")).holding())
        .isEqualTo(new Pod.Holding(new NodeName("a"), 3, "", "failed to report: GPU-7"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "containerStatuses: [{state: {waiting: {reason: PodInitializing}}}] | ''",
        "containerStatuses: [{state: {waiting: {reason: ImagePullBackOff, message: \"Back-off"
            + " pulling  image x\"}}}] | does not start: ImagePullBackOff: Back-off pulling image"
            + " x",
        "containerStatuses: [{state: {waiting: {reason: CrashLoopBackOff}}}] | does not start:"
            + " CrashLoopBackOff",
        "phase: Failed, reason: OutOfnvidia.com/gpu, message: none left | refused by its kubelet:"
            + " OutOfnvidia.com/gpu: none left",
      })
  void aHolderTellsWhatKeepsIt(String status, String trouble) {
    assertThat(holder(status).trouble()).isEqualTo(trouble);
    assertThat(holder(status).uuid()).isEmpty();
  }

  /// What the kubelet allocated | what the container saw | the device | the trouble begins with.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''        | GPU-1       | GPU-1 | ''
          GPU-1     | ''          | GPU-1 | ''
          GPU-1     | void        | GPU-1 | ''
          GPU-1     | GPU-1       | GPU-1 | ''
          GPU-1     | 0           | GPU-1 | ''
          0         | GPU-1       | GPU-1 | ''
          GPU-1     | GPU-2       | ''    | sees GPU-2, but its kubelet says that it allocated GPU-1
          ''        | GPU-1,GPU-2 | ''    | sees several GPUs (GPU-1,GPU-2)
          GPU-1,GPU-2 | GPU-1     | ''    | sees several GPUs (GPU-1,GPU-2)
          GPU-1::3  | GPU-1       | ''    | holds a replica (GPU-1::3), not a whole GPU
          ''        | GPU-1::3    | ''    | holds a replica (GPU-1::3), not a whole GPU
          MIG-7     | GPU-1       | ''    | holds a MIG instance (MIG-7)
          nvidia0   | GPU-1       | ''    | got device ID nvidia0 of GKE's own device plugin
          ''        | ''          | ''    | cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is empty, the kubelet says nothing
          ''        | all         | ''    | cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is "all"
          ''        | void        | ''    | cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is "void"
          ''        | none        | ''    | cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is "none"
          0         | 0           | ''    | cannot tell the UUID of its GPU (NVIDIA_VISIBLE_DEVICES is "0", the kubelet says "0"
          ''        | /var/run/nvidia-container-devices | '' | cannot tell the UUID of its GPU
          ''        | GPU-????????-????-????-????-???????????? | '' | cannot tell the UUID of its GPU
          """)
  void aHolderHasTwoSources(String kubelet, String seen, String device, String trouble) {
    var ids = new StringBuilder();
    for (String id : kubelet.isEmpty() ? new String[0] : kubelet.split(",", -1)) {
      ids.append("{resourceID: \"").append(id).append("\", health: Healthy},");
    }
    var holding =
        holder(
            "containerStatuses: [{name: hold, state: {running: {}}, lastState: {terminated:"
                + " {exitCode: 0, message: \"%s \"}}, allocatedResourcesStatus: [{name: nvidia.com/gpu,"
                    .formatted(seen)
                + " resources: ["
                + ids
                + "]}]}]");
    assertThat(holding.uuid()).isEqualTo(device);
    assertThat(holding.trouble()).startsWith(trouble);
    assertThat(holding.trouble().isEmpty()).isEqualTo(trouble.isEmpty());
    assertThat(trouble.isEmpty() || holding.trouble().contains(": ")).as("a way out").isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // the kubelet has spoken, the container has not
        "containerStatuses: [{state: {running: {}}, allocatedResourcesStatus: [{name:"
            + " nvidia.com/gpu, resources: [{resourceID: GPU-1}]}]}]",
        // lost in a reboot; the message is the kubelet's
        "containerStatuses: [{state: {terminated: {exitCode: 137, reason: ContainerStatusUnknown,"
            + " message: 'The container could not be located'}}}]",
        "containerStatuses: []",
        "phase: Pending",
      })
  void aHolderThatHasNotReportedIsNoTrouble(String status) {
    assertThat(holder(status)).isEqualTo(new Pod.Holding(new NodeName("a"), 3, ""));
  }

  /// It was killed while it held, with the container runtime for instance, and starts again.
  @ParameterizedTest
  @CsvSource({"137, waiting", "143, running", "0, waiting"})
  void aHolderThatRestartsKeepsItsReport(int exitCode, String state) {
    var holding =
        holder(
            "containerStatuses: [{state: {%s: {}}, lastState: {terminated: {exitCode: %d, message:"
                    .formatted(state, exitCode)
                + " GPU-1}}}]");
    assertThat(holding).isEqualTo(new Pod.Holding(new NodeName("a"), 3, "GPU-1"));
  }

  @Test
  void theKubeletTellsTheDevicesOfAnyPod() {
    var pod =
        read(
            "{metadata: {name: p}, status: {containerStatuses: [{allocatedResourcesStatus: [{name:"
                + " nvidia.com/gpu, resources: [{resourceID: GPU-1}, {resourceID: GPU-2}]}, {name:"
                + " example.com/nic, resources: [{resourceID: eth0}]}]},"
                + " {allocatedResourcesStatus: [{name: nvidia.com/mig-1g.10gb, resources:"
                + " [{resourceID: MIG-3}]}]}]}}");
    assertThat(pod.life().allocated()).containsExactly("GPU-1", "GPU-2", "MIG-3");
  }

  private static Pod.Holding holder(String status) {
    return read("{metadata: {name: h, labels: {berth.dev/holder: \"true\"}, annotations:"
            + " {berth.dev/holder-slot: \"3\"}}, spec: {nodeName: a}, status: {"
            + status
            + "}}")
        .holding();
  }

  /// KAI's reservation pod counts for the device, whichever scheduler now handles pods of that
  /// scheduler name.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {labels: {runai-gpu-group: g1}, annotations: {gpu-fraction: "0.5"}}        | n1 | runai-gpu-group
          {labels: {runai-gpu-group/g1: g1}, annotations: {gpu-memory: "100"}}       | n1 | runai-gpu-group
          {labels: {runai-gpu-group: g1}, annotations: {gpu-fraction: "0.5"}}        | '' | kai-scheduler
          {labels: {runai-gpu-group: g1}}                                            | n1 | kai-scheduler
          {labels: {runai-gpu-group: g1}, annotations: {gpu-fraction: "0.5", berth.dev/gpu-devices: GPU-1}} | n1 | kai-scheduler
          {labels: {runai-gpu-group: g1}, annotations: {gpu-memory: "100", berth.dev/plan: node=n1}} | n1 | kai-scheduler
          {annotations: {gpu-fraction: "0.5"}}                                       | n1 | kai-scheduler
          {labels: {berth.dev/placeholder: w}}                                       | '' | berth.dev/placeholder
          {labels: {berth.dev/placeholder: w}}                                       | n1 | kai-scheduler
          """)
  void schedulerOfAPod(String metadata, String node, String scheduler) {
    String tree =
        "{metadata: {name: p, "
            + metadata.substring(1)
            + ", spec: {schedulerName: kai-scheduler, nodeName: \""
            + node
            + "\"}}";
    var pod = PodManifest.readInPlaceOfKai(Flow.tree(tree)).orElseThrow();
    assertThat(pod.scheduler()).isEqualTo(scheduler);
    if (scheduler.equals("runai-gpu-group")) {
      assertThat(read(tree).scheduler())
          .as("where KAI never was, anybody may have written the label")
          .isEqualTo("kai-scheduler");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Pending, PENDING",
    "'\"\"', PENDING",
    "Running, RUNNING",
    "Unknown, RUNNING",
    "Succeeded, SUCCEEDED",
    "Failed, FAILED"
  })
  void phases(String text, Pod.Phase phase) {
    assertThat(read("{metadata: {name: p}, status: {phase: " + text + "}}").life().phase())
        .isEqualTo(phase);
  }
}
