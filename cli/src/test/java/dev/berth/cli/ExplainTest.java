package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth explain` and `berth what-if` on a shipped scenario and on a cluster that runs, as users
/// read them.
final class ExplainTest {
  private static final String FILE = "../examples/scenarios/queue-limit.yaml";

  private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder = Path.of("");

  private int explain(String... arguments) {
    return output.run(Explain::new, arguments);
  }

  private int whatIf(String... arguments) {
    return output.run(WhatIfCommand::new, arguments);
  }

  private String told() {
    return output.told();
  }

  private String wrong() {
    return output.wrong();
  }

  @Test
  void tellsWhyAWorkloadWaitsAndWhatLetsItStart() {
    assertThat(explain("-f", FILE, "vision-2")).isZero();
    assertThat(told())
        .isEqualTo(
            """
            default/vision-2, queue vision, priority 0
              Waits: queue research has 4 of its limit of 4 GPUs in use and this group asks for 1. \
            Helps: 1 GPU released in research, or a limit of 5 GPUs.
              Place 2 of 2 in the order: priority 0, its queue's share in use 100.0 %, with it \
            150.0 %, waits 1m6s
                before it default/speech-2, queue speech: all else is equal; by name of the queues
              Each of these alone lets it start:
                administrator  a limit of 5 GPUs in research (now 4)
                user           a priority of 1 (now 0); evicts 1 pod (default/vision-1)
                time           1 GPU released: default/vision-0 ends

            """);
  }

  @Test
  void tellsOfAllThatWaitWhereNoneIsNamed() {
    assertThat(explain("-f", FILE)).isZero();
    assertThat(told().lines().filter(line -> line.startsWith("default/")))
        .containsExactly(
            "default/speech-2, queue speech, priority 0",
            "default/vision-2, queue vision, priority 0");
  }

  @Test
  void saysOfAWorkloadThatRunsThatItDoesNotWait() {
    assertThat(explain("-f", FILE, "default/vision-0")).isZero();
    assertThat(told()).contains("It does not wait.");
  }

  @Test
  void saysOfAWorkloadThatRunsWhenItsTimeIsOver() throws IOException {
    Path file = folder.resolve("bounded.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: bounded}
        spec:
          now: "2026-01-01T10:00:00Z"
          objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "2"}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: research}, spec: {maxRuntime: 12h}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: vision}, spec: {parent: research}}
          - apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: team, labels: {berth.dev/queue: vision}}
            spec: {schedulerName: berth, nodeName: n1, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
            status: {phase: Running, startTime: "2026-01-01T02:10:00Z"}
        """);
    assertThat(explain("-f", file.toString(), "train")).as(wrong()).isZero();
    assertThat(told())
        .isEqualTo(
            """
            team/train, queue vision, priority 0
              It does not wait.
              It runs since 2026-01-01T02:10:00Z and is evicted at 2026-01-01T14:10:00Z by the \
            max-runtime of queue research, 12h.

            """);
    assertThat(output.run(QueuesCommand::new, "-f", file.toString(), "-o", "wide")).isZero();
    assertThat(told().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .anyMatch(line -> line.startsWith("research ") && line.endsWith(" 12h -"))
        .anyMatch(line -> line.startsWith("vision ") && line.endsWith(" 12h (research) -"));
    assertThat(output.run(QueuesCommand::new, "-f", file.toString(), "-o", "json")).isZero();
    assertThat(told())
        .containsPattern("\"maxRuntime\" ?: ?\"12h\"")
        .containsPattern("\"maxRuntimeOf\" ?: ?\"research\"");
    assertThat(output.run(WorkloadsCommand::new, "-f", file.toString(), "-o", "wide")).isZero();
    assertThat(told().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .anyMatch(line -> line.startsWith("team train ") && line.endsWith(" n1 4h - -"));
    assertThat(output.run(WorkloadsCommand::new, "-f", file.toString(), "-o", "json")).isZero();
    assertThat(told()).contains("2026-01-01T14:10:00Z").contains("max-runtime of queue research");
  }

  /// As its condition says; the rule is that of its queues which evicts first.
  @Test
  void aWorkloadWhoseGpusAreIdleSaysWhenItIsEvicted() throws IOException {
    Path file = folder.resolve("idle.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: idle}
        spec:
          now: "2026-01-01T10:05:00Z"
          objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "2"}, conditions: [{type: Ready, status: "True"}]}
          - apiVersion: berth.dev/v1alpha1
            kind: Queue
            metadata: {name: research}
            spec: {idle: {after: 1h, warning: 30m, action: Evict}}
          - apiVersion: berth.dev/v1alpha1
            kind: Queue
            metadata: {name: vision}
            spec: {parent: research, idle: {after: 2h}}
          - apiVersion: v1
            kind: Pod
            metadata: {name: train, namespace: team, labels: {berth.dev/queue: vision}}
            spec: {schedulerName: berth, nodeName: n1, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
            status:
              phase: Running
              startTime: "2026-01-01T02:10:00Z"
              conditions: [{type: berth.dev/Idle, status: "True", reason: GpusIdleNearEviction, lastTransitionTime: "2026-01-01T10:00:00Z"}]
        """);
    assertThat(explain("-f", file.toString(), "train")).as(wrong()).isZero();
    assertThat(told())
        .isEqualTo(
            """
            team/train, queue vision, priority 0
              It does not wait.
              Its GPUs are idle, which it says since 2026-01-01T10:00:00Z. At \
            2026-01-01T10:30:00Z its pods are evicted by the idle rule of queue research, 1h below \
            5 %, unless it uses a GPU before.

            """);
    assertThat(output.run(WorkloadsCommand::new, "-f", file.toString(), "-o", "wide")).isZero();
    assertThat(told().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .anyMatch(line -> line.startsWith("team train ") && line.endsWith(" n1 24m (idle) - -"));
    assertThat(output.run(WorkloadsCommand::new, "-f", file.toString(), "-o", "json")).isZero();
    assertThat(told()).contains("2026-01-01T10:30:00Z");
  }

  @Test
  void aWorkloadMayBeNamedByTheJobOfItsPods() throws IOException {
    Path file = folder.resolve("job.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: one-job}
        spec:
          objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "2"}}
          - apiVersion: v1
            kind: Pod
            metadata:
              name: nightly-x7k2p
              ownerReferences:
              - {apiVersion: batch/v1, kind: Job, name: nightly, uid: u, controller: true}
            spec:
              schedulerName: berth
              schedulingGates: [{name: berth.dev/queued}]
              containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 4}}}]
        """);
    assertThat(explain("-f", file.toString(), "nightly")).as(wrong()).isZero();
    assertThat(told()).startsWith("default/nightly-x7k2p, queue default, priority 0\n");
  }

  /// It has no reason to wait, as the plan that would follow evicts for it.
  @Test
  void whatTheNextPlanOfADumpEvictsForIsToldOf() throws IOException {
    Path file = folder.resolve("dump.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: Node
          metadata: {name: n1}
          status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "1"}}
        - apiVersion: berth.dev/v1alpha1
          kind: Queue
          metadata: {name: q}
          spec: {quota: {gpu: 1, cpu: unlimited, memory: unlimited}}
        - apiVersion: v1
          kind: Pod
          metadata: {name: low, namespace: team, labels: {berth.dev/queue: q}}
          spec: {schedulerName: berth, nodeName: n1, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
          status: {phase: Running}
        - apiVersion: v1
          kind: Pod
          metadata: {name: high, namespace: team, labels: {berth.dev/queue: q}}
          spec: {schedulerName: berth, priority: 60, schedulingGates: [{name: berth.dev/queued}], containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
        """);
    assertThat(explain("-f", file.toString())).as(wrong()).isZero();
    assertThat(told())
        .isEqualTo(
            "team/high, queue q, priority 60\n"
                + "  The next plan starts it: 1 pod on n1; evicts 1 pod (team/low).\n\n");
  }

  /// Deployments say the queue of their pods, as in a cluster.
  @Test
  void aDumpMayHoldOwnersOfPodsAndAWorkloadMayBeNamedByThem() throws IOException {
    Path file = folder.resolve("dump.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: Node
          metadata: {name: n1}
          status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "2"}}
        - apiVersion: berth.dev/v1alpha1
          kind: Queue
          metadata: {name: serving}
          spec: {limit: {gpu: 1}}
        - apiVersion: apps/v1
          kind: Deployment
          metadata: {name: llm, namespace: team, uid: d, labels: {berth.dev/queue: serving}}
        - apiVersion: apps/v1
          kind: ReplicaSet
          metadata:
            name: llm-5c6d7
            namespace: team
            uid: r
            ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: llm, uid: d, controller: true}]
        - apiVersion: v1
          kind: Pod
          metadata:
            name: llm-5c6d7-x7k2p
            namespace: team
            ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: llm-5c6d7, uid: r, controller: true}]
          spec:
            schedulerName: berth
            schedulingGates: [{name: berth.dev/queued}]
            containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 2}}}]
        """);
    assertThat(explain("-f", file.toString(), "llm")).as(wrong()).isZero();
    assertThat(told())
        .startsWith("team/llm-5c6d7-x7k2p, queue serving, ")
        .contains("queue serving never has more than its limit of 1 GPU");
  }

  @Test
  void whatIsNotThereIsToldWithTheNearestName() {
    assertThat(explain("-f", FILE, "visoin-2")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            "berth: there is no workload, and no pod or owner of one, called visoin-2"
                + " (did you mean vision-2?)\n");
    assertThat(explain("-f", "no-such.yaml")).isEqualTo(2);
    assertThat(wrong()).contains("berth: no-such.yaml: there is no such file or folder");
    assertThat(explain("-f", "../examples/scenarios/disruption-budget.yaml")).isEqualTo(2);
    assertThat(wrong())
        .contains(
            "there are 3 scenarios; name one with --only:"
                + " a-victim-that-may-not-leave-is-not-chosen, ");
  }

  @Test
  void oneOfSeveralScenariosOfAFileIsNamed() {
    String file = "../examples/scenarios/preemption-policy-never.yaml";
    assertThat(explain("-f", file, "--only", "preemption-policy-never-takes-no-victims")).isZero();
    assertThat(told())
        .contains("no pod is evicted for it, since its preemptionPolicy is Never.")
        .contains(
            "user           a priority class that preempts (now preemptionPolicy: Never); evicts 1"
                + " pod");
    assertThat(explain("-f", file, "--only", "preemption-policy")).isEqualTo(2);
    assertThat(wrong()).contains("there is no scenario preemption-policy; there are preemption-");
    assertThat(explain("--only", "x")).isEqualTo(2);
    assertThat(wrong()).contains("--only x: names a Scenario of a file (-f FILE)");
  }

  /// A pod leaves against its budget only when that had its time.
  @Test
  void whatIsTakenAgainstABudgetIsToldToComeLater() throws IOException {
    Path file = folder.resolve("kept.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: kept}
        spec:
          now: "2026-01-01T01:00:00Z"
          objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "1"}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: a}, spec: {limit: {gpu: 0}, quota: {gpu: 1, cpu: unlimited, memory: unlimited}}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: b}, spec: {quota: {gpu: 0, cpu: unlimited, memory: unlimited}}}
          - {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: kept, namespace: default}, spec: {maxUnavailable: 0, selector: {matchLabels: {app: kept}}}}
          - &pod
            apiVersion: v1
            kind: Pod
            metadata: {name: runs, labels: {berth.dev/queue: b, app: kept}}
            spec: &placed
              schedulerName: berth
              nodeName: n1
              containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]
            status: {phase: Running, startTime: "2026-01-01T00:50:00Z"}
          - {<<: *pod, metadata: {name: waits, labels: {berth.dev/queue: a}}, spec: {<<: *placed, nodeName: null, schedulingGates: [{name: berth.dev/queued}]}, status: {phase: Pending}}
        """);
    assertThat(explain("-f", file.toString(), "waits")).isZero();
    assertThat(told())
        .contains(
            "a limit of 1 GPU in a (now 0); evicts 1 pod (default/runs) against a disruption"
                + " budget, after evictions.budgetTimeout");
  }

  @Test
  void whatTheNextPlanStartsIsSaidToStart() {
    assertThat(explain("-f", "../examples/scenarios/usage-over-time.yaml", "greedy-3")).isZero();
    assertThat(told())
        .contains("  The next plan starts it: 1 pod on ")
        .contains("; evicts 1 pod (default/modest-4).");
  }

  @Test
  void aConfigurationIsThatOfAFileWithoutOne() throws IOException {
    Path config = Files.writeString(folder.resolve("berth.yaml"), "plan: {pauze: 5ms}");
    assertThat(explain("-f", FILE, "--config", config.toString())).isEqualTo(2);
    assertThat(wrong()).contains("pauze is not a field that Berth knows in plan");
    assertThat(explain("-f", FILE, "--config", folder.resolve("none.yaml").toString()))
        .isEqualTo(2);
    String ofItsOwn = "../examples/scenarios/usage-over-time.yaml";
    assertThat(explain("-f", ofItsOwn, "--config", config.toString())).isEqualTo(2);
    assertThat(wrong()).contains("the Scenario has settings of its own");
  }

  @Test
  void aNamespaceIsThatOfNamesWithoutOne() {
    assertThat(explain("-f", FILE, "-n", "default", "vision-2")).isZero();
    assertThat(told()).startsWith("default/vision-2, queue ");
    assertThat(explain("-f", FILE, "-n", "team", "vision-2")).isEqualTo(2);
    assertThat(wrong()).contains("called team/vision-2");
    output.reset();
    assertThat(explain("-f", FILE, "-n", "team")).isZero();
    assertThat(told()).isEqualTo("no workload waits in namespace team\n");
  }

  /// Played on, it has started.
  @Test
  void aDumpIsAskedAsItWas() throws IOException {
    Path file = folder.resolve("dump.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: List
        items:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "8", memory: 64Gi, pods: "110", nvidia.com/gpu: "1"}}
          - apiVersion: berth.dev/v1alpha1
            kind: Queue
            metadata: {name: research}
            spec: {preemptMinRuntime: 10m, quota: {gpu: 1, cpu: unlimited, memory: unlimited}}
          - apiVersion: v1
            kind: Pod
            metadata:
              name: runs
              labels: {berth.dev/queue: research}
              creationTimestamp: "2026-01-01T12:00:00Z"
            spec:
              schedulerName: berth
              nodeName: n1
              priority: 50
              containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
            status: {phase: Running, startTime: "2026-01-01T12:00:00Z"}
          - apiVersion: v1
            kind: Pod
            metadata:
              name: waits
              labels: {berth.dev/queue: research}
              creationTimestamp: "2026-01-01T12:01:00Z"
            spec:
              schedulerName: berth
              priority: 60
              containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 1}}}]
        """);
    assertThat(explain("-f", file.toString(), "waits")).isZero();
    assertThat(told()).contains(" waiting until 2026-01-01T12:10:00Z; evicts 1 pod");
  }

  @Test
  void theRemedyStandsWhereItCounts() throws IOException {
    Path file = folder.resolve("group.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: a-podgroup-that-may-not-be-evicted}
        spec:
          objects:
            - apiVersion: v1
              kind: Node
              metadata: {name: n1}
              status: {allocatable: {cpu: "8", memory: 64Gi, pods: "110", nvidia.com/gpu: "2"}}
            - apiVersion: berth.dev/v1alpha1
              kind: Queue
              metadata: {name: research}
              spec: {quota: {gpu: 1, cpu: unlimited, memory: unlimited}}
            - apiVersion: berth.dev/v1alpha1
              kind: PodGroup
              metadata: {name: train}
              spec: {minMember: 1, queue: research, preemptibility: NonPreemptible}
            - apiVersion: v1
              kind: Pod
              metadata: {name: a, labels: {berth.dev/pod-group: train}}
              spec:
                schedulerName: berth
                containers: [{name: main, image: x, resources: {limits: {nvidia.com/gpu: 2}}}]
          expect: {pods: {a: {phase: Pending}}}
        """);
    assertThat(explain("-f", file.toString(), "train")).isZero();
    assertThat(told())
        .contains("  preemptible work (spec.preemptibility: Preemptible in its PodGroup)")
        .doesNotContain("label berth.dev/preemptibility");
  }

  @Test
  void plansThatDoNotSufficeAreTold() {
    assertThat(explain("-f", FILE, "--plans", "2", "vision-2")).isZero();
    assertThat(told()).contains("\n  Not everything was tried: --plans 2 does not suffice.\n");
    output.reset();
    assertThat(explain("-f", FILE, "--plans", "0")).isEqualTo(2);
    assertThat(wrong()).contains("berth: --plans 0: must be 1 or more");
  }

  @Test
  void aLimitIsAQuantityAsInAQueue() {
    assertThat(whatIf("-f", FILE, "--limit", "research=5")).isZero();
    String inGpus = told();
    output.reset();
    assertThat(whatIf("-f", FILE, "--limit", "research=5000m")).as(wrong()).isZero();
    assertThat(told()).isEqualTo(inGpus);
    assertThat(whatIf("-f", FILE, "--limit", "research=0.5m")).isEqualTo(2);
    assertThat(wrong()).contains("thousandths like 500m, or unlimited, of a queue");
  }

  @Test
  void aHigherLimitStartsTheGroupThatWaitsForIt() {
    assertThat(whatIf("-f", FILE, "--limit", "research=5")).isZero();
    assertThat(told())
        .contains("\ndefault/vision-2: starts with 1 pod (now: Waits: queue research")
        .startsWith("default/speech-2: Waits: queue speech has 2 of its limit of 2 GPUs");
  }

  @Test
  void whatMakesNoDifferenceIsSaidToMakeNone() {
    assertThat(whatIf("-f", FILE, "--quota", "speech=2")).isZero();
    assertThat(told()).isEqualTo("The plan would be the same.\n");
  }

  @Test
  void workloadsThatWaitAlikeAreToldOnce() throws IOException {
    Path file = folder.resolve("alike.yaml");
    var pods = new StringBuilder();
    for (String name : List.of("x-1", "x-2", "y", "x-3")) {
      pods.append(
          """
              - apiVersion: v1
                kind: Pod
                metadata: {name: %s, labels: {berth.dev/queue: a}}
                spec:
                  schedulerName: berth
                  containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: %d}}}]
          """
              .formatted(name, name.equals("y") ? 2 : 1));
    }
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: alike}
        spec:
          objects:
            - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: a}, spec: {quota: {gpu: 0, cpu: unlimited, memory: unlimited}, limit: {gpu: 0}}}
        """
            + pods);
    assertThat(explain("-f", file.toString())).as(wrong()).isZero();
    assertThat(told().lines().filter(line -> line.startsWith("default/")))
        .containsExactly("default/x-1, queue a, priority 0", "default/y, queue a, priority 0");
    assertThat(told())
        .contains("  The same goes for default/x-2, default/x-3. Name one to be told of it alone.");
    assertThat(explain("-f", file.toString(), "x-1", "x-2")).isZero();
    assertThat(told()).contains("default/x-2, queue a, priority 0");
  }

  @Test
  void whatIfNamesTheWorkloadsThatLosePods() throws IOException {
    Path file = folder.resolve("borrowed.yaml");
    Files.writeString(
        file,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: borrowed}
        spec:
          objects:
          - apiVersion: v1
            kind: Node
            metadata: {name: n1}
            status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "1"}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: a}, spec: {quota: {gpu: 1, cpu: unlimited, memory: unlimited}}}
          - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: b}, spec: {quota: {gpu: 0, cpu: unlimited, memory: unlimited}}}
          - &pod
            apiVersion: v1
            kind: Pod
            metadata: {name: runs, labels: {berth.dev/queue: a}}
            spec: &placed
              schedulerName: berth
              nodeName: n1
              containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]
            status: {phase: Running}
          - {<<: *pod, metadata: {name: waits, labels: {berth.dev/queue: b}}, spec: {<<: *placed, nodeName: null, schedulingGates: [{name: berth.dev/queued}]}, status: {phase: Pending}}
        """);
    assertThat(whatIf("-f", file.toString(), "--quota", "a=0", "--quota", "b=1")).isZero();
    assertThat(told())
        .startsWith("default/waits: starts with 1 pod, for which 1 would be evicted (now: ")
        .endsWith("default/runs: 1 pod is evicted for default/waits (reclaim)\n");
    assertThat(whatIf("-f", file.toString(), "--drain", "n1")).isZero();
    assertThat(told()).contains("default/runs: is gone\ndefault/waits: Waits: there are no nodes");
  }

  @Test
  void drainedNodesAndEndsAndNodesToComeAreChanges() {
    assertThat(whatIf("-f", FILE, "--end", "vision-0", "--add-nodes", "worker-a=2")).isZero();
    assertThat(told()).contains("starts with 1 pod");
    assertThat(whatIf("-f", FILE, "--drain", "worker-a")).isZero();
  }

  @Test
  void aChangeThatCannotBeMeantIsToldWithTheWayOut() {
    assertThat(whatIf("-f", FILE)).isEqualTo(2);
    assertThat(wrong()).contains("no change is named: --limit, --quota, --drain");
    assertThat(whatIf("--kubeconfig", folder.resolve("nowhere").toString())).isEqualTo(2);
    assertThat(wrong()).doesNotContain("nowhere");
    assertThat(whatIf("-f", FILE, "--limit", "research=five")).isEqualTo(2);
    assertThat(wrong())
        .contains("--limit research=five: must be a number of GPUs with up to three decimals");
    assertThat(whatIf("-f", FILE, "--quota", "reserch=2")).isEqualTo(2);
    assertThat(wrong()).contains("there is no queue reserch (did you mean research?); there are ");
    assertThat(whatIf("-f", FILE, "--drain", "worker-z")).isEqualTo(2);
    assertThat(wrong()).contains("there is no node worker-z (did you mean worker-a?)");
    assertThat(whatIf("-f", FILE, "--limit", "research=5", "--limit", "research=6")).isEqualTo(2);
    assertThat(wrong()).contains("--limit research=6: queue research is named twice");
    assertThat(whatIf("-f", FILE, "--limit", "research=1e9")).isEqualTo(2);
    assertThat(wrong()).contains("--limit research=1e9: must be a number of GPUs");
    assertThat(whatIf("-f", FILE, "--quota", "research")).isEqualTo(2);
    assertThat(wrong()).contains("--quota research: must be a number of GPUs with up to three");
    assertThat(whatIf("-f", FILE, "--add-nodes", "worker-a=0")).isEqualTo(2);
    assertThat(wrong()).contains("--add-nodes worker-a=0: must be from 1 to 100000");
    assertThat(whatIf("-f", FILE, "--add-nodes", "worker-a=100001")).isEqualTo(2);
  }

  private ServedLists running() {
    var cluster = new ServedLists(folder);
    cluster.answers.put(
        "/apis/berth.dev/v1alpha1/queues",
        ServedLists.list(
            "{\"metadata\": {\"name\": \"own\"}, \"spec\": {\"limit\": {\"gpu\": 1}}}"));
    return cluster;
  }

  /// Nothing is played: what runs stays, what waits is told as the next plan has it.
  @Test
  void whatIfTakesAmountsOfANodePool() {
    String file = "../examples/scenarios/quota-of-a-pool.yaml";
    assertThat(whatIf("-f", file, "--quota", "research@h100=3")).as(wrong()).isZero();
    assertThat(told()).contains("default/research-h100-2: starts with 1 pod");
    output.reset();
    assertThat(whatIf("-f", file, "--quota", "research=3")).as(wrong()).isZero();
    assertThat(told()).doesNotContain("research-h100");
    output.reset();
    assertThat(whatIf("-f", file, "--quota", "research@h10=3")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            "berth: --quota research@h10=3: no node is in pool h10 (did you mean h100?); there are"
                + " a100, h100\n");
    output.reset();
    assertThat(whatIf("-f", FILE, "--limit", "research@h100=3")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            "berth: --limit research@h100=3: nodes are not divided into pools (setting"
                + " nodePools.label); leave @h100 out\n");
    output.reset();
    assertThat(whatIf("-f", file, "--limit", "research@h100=3", "--limit", "research@h100=4"))
        .isEqualTo(2);
    assertThat(wrong()).contains("queue research is named twice");
  }

  @Test
  void aClusterThatRunsIsToldOfAsItIs() throws IOException {
    try (var cluster = running()) {
      assertThat(explain("--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(told())
          .startsWith(
              "team/waits, queue own, priority 0\n  Waits: queue own has 1 of its limit of 1")
          .contains("administrator  a limit of 2 GPUs in own (now 1)")
          .doesNotContain("team/runs, queue");
      output.reset();
      assertThat(whatIf("--kubeconfig", cluster.kubeconfig(), "--limit", "own=2")).isZero();
      assertThat(told())
          .startsWith("team/waits: starts with 1 pod (now: Waits: queue own has 1 of");
      assertThat(wrong()).isEmpty();
    }
  }

  @Test
  void aWorkloadThatHasAPlaceAndIsNotBoundIsToldOf() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.placed("0/1 nodes are available: 1 node(s) didn't find persistent volumes to bind.");
      assertThat(explain("--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(told())
          .contains("team/waits, queue own")
          .contains("1 refused by kube-scheduler (1 node(s) didn't find persistent volumes");
      output.reset();
      cluster.placed("0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");
      assertThat(explain("--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(told())
          .contains(
              "  It has a place: pod waits on node worker, and is not bound yet. kube-scheduler"
                  + " says: 0/1 nodes are available: 1 Insufficient nvidia.com/gpu.\n");
      output.reset();
      cluster.placed("");
      assertThat(explain("--kubeconfig", cluster.kubeconfig(), "waits")).isZero();
      assertThat(told())
          .contains(
              "  It has a place: pod waits on node worker, and is not bound yet. kubectl -n team"
                  + " describe pod waits tells for what it waits.");
    }
  }

  @Test
  void aClusterThatMayNotBeReadIsToldOf() throws IOException {
    try (var cluster = running()) {
      cluster.forbidden.add("/api/v1/pods");
      assertThat(explain("--kubeconfig", cluster.kubeconfig(), "waits")).isEqualTo(2);
      assertThat(wrong())
          .isEqualTo(
              "berth: pods may not be listed by this user (kubectl auth can-i list pods -A)\n");
    }
  }

  @Test
  void aFileIsNoWorkload() {
    assertThat(explain(FILE, "vision-2")).isEqualTo(2);
    assertThat(wrong()).isEqualTo("berth: " + FILE + " is a file: -f " + FILE + "\n");
  }

  /// Of which one would be read, and all others not.
  @Test
  void aFolderOfManyFilesIsNoCluster() throws IOException {
    for (String name : List.of("nodes.yaml", "pods.yaml")) {
      Files.writeString(folder.resolve(name), "{apiVersion: v1, kind: List, items: []}");
    }
    assertThat(explain("-f", folder.toString())).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo(
            ("berth: " + folder + ": is a folder with 2 files (nodes.yaml, pods.yaml): name one of")
                + " them, or write all objects into one file\n");
  }

  /// In the folder where the command runs.
  @Test
  void aWorkloadMayBeCalledAsAFileIs() {
    assertThat(explain("-f", FILE, "pom.xml")).isEqualTo(2);
    assertThat(wrong())
        .isEqualTo("berth: there is no workload, and no pod or owner of one, called pom.xml\n");
  }
}
