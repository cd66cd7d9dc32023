package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a workload would get that is not submitted yet.
class OfferTest {
  private static final String CLUSTER =
      """
      apiVersion: v1
      kind: List
      items:
      - apiVersion: v1
        kind: Node
        metadata: {name: n1, labels: {disk: ssd}}
        status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "4"}}
      - apiVersion: v1
        kind: Node
        metadata: {name: n2}
        spec: {taints: [{key: dedicated, value: vision, effect: NoSchedule}]}
        status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "4"}}
      - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: research}, spec: {quota: {gpu: 4, cpu: unlimited, memory: unlimited}, limit: {gpu: 6}}}
      - apiVersion: v1
        kind: Pod
        metadata: {name: runs, namespace: team, labels: {berth.dev/queue: research}}
        spec:
          schedulerName: berth
          nodeName: n1
          containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]
        status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}
      """;

  private final CommandOutput output = new CommandOutput();

  @TempDir Path folder;

  private int offer(String workload, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("workload.yaml"), workload);
    Path cluster = Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
    var arguments = new ArrayList<>(List.of(more));
    arguments.addAll(List.of("-f", file.toString(), "--dump", cluster.toString(), "-n", "team"));
    return output.run(OfferCommand::new, arguments.toArray(String[]::new));
  }

  private String told() {
    return output.told();
  }

  private static String job(int pods, int gpus, String more) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, labels: {berth.dev/queue: research}, annotations: {berth.dev/min-member: "%1$d"}}
    spec:
      parallelism: %1$d
      completions: %1$d
      template:
        spec:
          schedulerName: berth
          restartPolicy: Never
          %3$s
          containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: %2$d}}}]
    """
        .formatted(pods, gpus, more);
  }

  @Test
  void whatHasRoomStartsNow() throws IOException {
    assertThat(offer(job(3, 1, ""))).isZero();
    assertThat(told())
        .isEqualTo(
            """
            Job team/train: 3 pods, queue research, priority 0
              Starts now: 3 pods on n1.

            """);
  }

  @Test
  void eachOfferIsProvenAndSaysWhere() throws IOException {
    assertThat(offer(job(2, 2, ""))).isZero();
    assertThat(told())
        .startsWith(
            "Job team/train: 2 pods, queue research, priority 0\n  As it is: Waits: 1 of 2 pods")
        .contains("  It would start with each of these alone:\n     1  user")
        .contains("  a minimum of 1 member (now 2): 1 pod on n1\n")
        .contains("  1 GPU a pod (now 2): 2 pods on n1\n")
        .contains("  a toleration of dedicated=vision:NoSchedule: 1 pod on n1, 1 on n2\n")
        .contains("  time           1 GPU released: team/runs ends: 2 pods on n1\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a minimum of 1 member | berth.dev/min-member: \"1\"",
        "1 GPU a pod | nvidia.com/gpu: \"1\"",
        "a toleration of dedicated | - key: \"dedicated\"",
      })
  void anOfferThatIsTakenIsTheWorkloadWithItAlone(String words, String line) throws IOException {
    assertThat(offer(job(2, 2, ""))).isZero();
    String number =
        told()
            .lines()
            .filter(each -> each.matches(" +[0-9] .*" + words + ".*"))
            .findFirst()
            .orElseThrow()
            .strip();
    output.reset();
    assertThat(offer(job(2, 2, ""), "--take", number.substring(0, 1))).isZero();
    String taken = told();
    assertThat(taken).startsWith("---\napiVersion: \"batch/v1\"\nkind: \"Job\"\n").contains(line);
    output.reset();
    assertThat(offer(taken)).isZero();
    assertThat(told()).contains("  Starts now: ");
  }

  @Test
  void aSelectorAndAShareAreTakenToo() throws IOException {
    String pod =
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: half, labels: {berth.dev/queue: research}}
        spec: {schedulerName: berth, nodeSelector: {disk: hdd}, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
        """;
    assertThat(offer(pod)).isZero();
    assertThat(told()).contains("1  user  no node selector disk=hdd: 1 pod on n1");
    output.reset();
    assertThat(offer(pod, "--take", "1")).isZero();
    assertThat(told()).contains("nodeSelector: {}");
  }

  @Test
  void whatIsNotTheUsersToChangeIsNotTaken() throws IOException {
    assertThat(offer(job(2, 2, ""), "--take", "9")).isEqualTo(2);
    assertThat(output.wrong()).contains("berth: --take 9: there are ");
    assertThat(told()).isEmpty();
    assertThat(offer(job(2, 2, ""))).isZero();
    String line =
        told().lines().filter(each -> each.contains("released:")).findFirst().orElseThrow();
    String number = line.strip().split(" ", -1)[0];
    output.reset();
    assertThat(offer(job(2, 2, ""), "--take", number)).isEqualTo(2);
    assertThat(output.wrong())
        .contains("no change of the manifest is \"1 GPU released: team/runs ends\" (time)");
  }

  @Test
  void aPodGroupBesideItsJobSaysTheMinimum() throws IOException {
    String workload =
        job(2, 2, "")
                .replace(", annotations: {berth.dev/min-member: \"2\"}", "")
                .replace(
                    "template:\n", "template:\n    metadata: {labels: {berth.dev/pod-group: g}}\n")
            + """
            ---
            apiVersion: berth.dev/v1alpha1
            kind: PodGroup
            metadata: {name: g}
            spec: {minMember: 2, queue: research}
            """;
    assertThat(offer(workload)).isZero();
    String line =
        told().lines().filter(each -> each.contains("a minimum of 1")).findFirst().orElseThrow();
    output.reset();
    assertThat(offer(workload, "--take", line.strip().substring(0, 1))).isZero();
    assertThat(told()).contains("minMember: 1").doesNotContain("berth.dev/min-member");
  }

  @Test
  void aDeploymentIsOneOfferForEachPod() throws IOException {
    String deployment =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: serve, labels: {berth.dev/queue: research}}
        spec:
          replicas: 2
          template:
            spec:
              schedulerName: berth
              containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]
        """;
    assertThat(offer(deployment)).isZero();
    assertThat(told())
        .contains("Deployment team/serve, pod serve-0: 1 pod, queue research")
        .contains("Deployment team/serve, pod serve-1: 1 pod, queue research")
        .contains("Starts now: 1 pod on n1.");
  }

  @Test
  void whatCannotBeOfferedIsToldWithTheWayOut() throws IOException {
    assertThat(offer(job(2, 1, "").replace("batch/v1", "batch/v2"))).isEqualTo(2);
    assertThat(output.wrong())
        .contains("batch/v2 Job train: it is not known which pods come of it; give Pod, Job,");
    assertThat(offer("kind: Foo")).isEqualTo(2);
    assertThat(output.wrong()).contains(": Foo: it is not known which pods come of it");
    assertThat(offer(job(2, 1, "").replace("schedulerName: berth", ""))).isEqualTo(2);
    assertThat(output.wrong())
        .contains("Job team/train: its pods name no scheduler; Berth plans those with");
    assertThat(offer(job(0, 1, ""))).isEqualTo(2);
    assertThat(output.wrong()).contains("no pod would be made of it");
    assertThat(offer(job(20_000, 1, ""))).isEqualTo(2);
    assertThat(output.wrong()).contains("more than 10000 pods cannot be looked at");
    assertThat(offer(CLUSTER.replace("kind: List", "kind: None"))).isEqualTo(2);
    assertThat(offer(job(2, 1, "").replace("name: train", "name: \"\""))).isEqualTo(2);
    assertThat(output.wrong()).contains("a Job has no metadata.name; give it one");
    assertThat(
            offer(
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: runs}
                spec: {schedulerName: berth, containers: [{name: main, image: work}]}
                """))
        .isEqualTo(2);
    assertThat(output.wrong()).contains("Pod team/runs is there already: berth explain tells");
    assertThat(offer(job(1, 1, ""), "--context", "prod")).isEqualTo(2);
    assertThat(output.wrong()).contains("berth: --dump reads a file, --kubeconfig and --context");
    assertThat(offer(job(1, 1, ""), "--plans", "0")).isEqualTo(2);
    assertThat(output.wrong()).contains("--plans 0: must be 1 or more");
  }
}
