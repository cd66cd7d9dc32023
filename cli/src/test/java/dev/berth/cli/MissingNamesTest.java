package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names that a command line or a workload has wrong, as the commands tell of them.
final class MissingNamesTest {
  private static final String NO_CLASS =
      "Besides, its label priorityClassName names PriorityClass trian (did you mean train?), which"
          + " does not exist: until it names one that does, the priority of its pods counts.";

  private static final String CLASS =
      "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: train}, value: 50}";

  private static final String NAMESPACE = "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}";

  private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder = Path.of("");

  /// A pod that waits, of namespace `team-a`, and names class `trian`.
  private String dump(String... others) throws IOException {
    Path file = folder.resolve("dump.yaml");
    Files.writeString(
        file,
        """
        {apiVersion: v1, kind: Pod, metadata: {name: x, namespace: team-a, uid: x-uid, labels: {berth.dev/queue: a, priorityClassName: trian}}, spec: {schedulerName: berth, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Pending}}
        ---
        {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: a}, spec: {quota: {gpu: 1, cpu: unlimited, memory: unlimited}}}
        """);
    for (String other : others) {
      Files.writeString(file, "---\n" + other + "\n", StandardOpenOption.APPEND);
    }
    return file.toString();
  }

  private String told() {
    String told = output.told();
    output.reset();
    return told;
  }

  @Test
  void aPriorityClassThatDoesNotExistIsTold() throws IOException {
    String file = dump(CLASS);
    assertThat(output.run(Explain::new, "-f", file)).as(output.wrong()).isZero();
    assertThat(told()).contains(". " + NO_CLASS + "\n");
    assertThat(output.run(WorkloadsCommand::new, "-f", file)).isZero();
    assertThat(told()).endsWith(". " + NO_CLASS + "\n");
    assertThat(output.run((out, _) -> new Simulate(out), file)).isZero();
    assertThat(told()).contains(". " + NO_CLASS + "\n");
  }

  @Test
  void aPodThatNamesNoQueueIsToldSo() throws IOException {
    String file =
        dump(
            "{apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: default}, spec:"
                + " {limit: {gpu: 0}}}",
            "{apiVersion: v1, kind: Pod, metadata: {name: y, namespace: team-a, uid: y-uid}, spec:"
                + " {schedulerName: berth, containers: [{name: main, image: work, resources:"
                + " {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Pending}}");
    String none =
        "Helps: a limit of 1 GPU or more in default; and, unless others make room, more nodes. It"
            + " names no queue and so is in the default one, default; the label berth.dev/queue"
            + " names another.\n";
    assertThat(output.run(Explain::new, "-f", file, "y")).as(output.wrong()).isZero();
    assertThat(told()).contains(none);
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-q", "default")).isZero();
    assertThat(told()).endsWith(none);
  }

  @Test
  void aStaleGangIsToldTheMinimumThatKeepsIt() throws IOException {
    String pod =
        "{apiVersion: v1, kind: Pod, metadata: {name: %s, namespace: team-a, uid: %s-uid, labels:"
            + " {berth.dev/pod-group: train}}, spec: {schedulerName: berth, %s containers: [{name:"
            + " main, image: work, resources: {limits: {nvidia.com/gpu: 4}}}]}, status: {phase:"
            + " %s}}";
    String file =
        dump(
            "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 8,"
                + " memory: 64Gi, pods: 110, nvidia.com/gpu: 4}}}",
            "{apiVersion: berth.dev/v1alpha1, kind: PodGroup, metadata: {name: train, namespace:"
                + " team-a}, spec: {queue: a, minMember: 2}}",
            pod.formatted("t-0", "t-0", "nodeName: n1,", "Running"),
            pod.formatted("t-1", "t-1", "", "Pending"));
    assertThat(output.run(Explain::new, "-f", file, "train")).as(output.wrong()).isZero();
    assertThat(told())
        .contains("Waits: ")
        .contains(
            "\n  It runs below its minimum of 2 members: a minimum of 1 keeps what runs of it.\n");
  }

  /// A dump may hold none of the PriorityClasses that there are.
  @Test
  void whereNoClassIsKnownNothingIsSaid() throws IOException {
    assertThat(output.run(WorkloadsCommand::new, "-f", dump())).isZero();
    assertThat(told()).contains("Waits: ").doesNotContain("PriorityClass");
  }

  @Test
  void aNamespaceThatDoesNotExistIsAnErrorWithTheNearest() throws IOException {
    String file = dump(NAMESPACE.formatted("team-b"));
    String wrong =
        "berth: there is no namespace taem-b (did you mean team-b?); there are team-a, team-b\n";
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-n", "taem-b")).isEqualTo(2);
    assertThat(output.wrong()).isEqualTo(wrong);
    output.reset();
    assertThat(output.run(Explain::new, "-f", file, "-n", "taem-b")).isEqualTo(2);
    assertThat(output.wrong()).isEqualTo(wrong);
    output.reset();
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-n", "team-b")).isZero();
    assertThat(output.wrong()).isEqualTo("No workloads found in namespace team-b.\n");
  }

  /// Only the Berth that runs knows of volumes and holders that are on their way.
  @Test
  void aWorkloadThatHasAPlaceSaysWhatItsPodDoes() throws IOException {
    String words =
        "Waits: a place is found: StorageClass local-ssd has no volume yet for"
            + " PersistentVolumeClaim data on node worker. Helps: a volume.";
    try (var cluster = new ServedLists(folder)) {
      cluster.placedAndSays(words);
      assertThat(output.run(Explain::new, "--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(told())
          .contains(
              "  It has a place: pod waits on node worker, and is not bound yet. It says: "
                  + words
                  + "\n");
      assertThat(output.run(WorkloadsCommand::new, "--kubeconfig", cluster.kubeconfig())).isZero();
      assertThat(told()).endsWith("  " + words + "\n");
    }
  }

  @Test
  void whatIsNotKnownToBeMissingIsNoError() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      String of = cluster.kubeconfig();
      cluster.answers.put(
          "/api/v1/namespaces", ServedLists.list("{\"metadata\": {\"name\": \"team\"}}"));
      assertThat(output.run(WorkloadsCommand::new, "--kubeconfig", of, "-n", "taem")).isEqualTo(2);
      assertThat(output.wrong())
          .isEqualTo("berth: there is no namespace taem (did you mean team?); there are team\n");
      output.reset();
      cluster.forbidden.add("/api/v1/namespaces");
      assertThat(output.run(WorkloadsCommand::new, "--kubeconfig", of, "-n", "taem")).isZero();
      assertThat(output.wrong())
          .isEqualTo(
              """
              berth: namespaces may not be listed by this user (kubectl auth can-i list namespaces \
              -A): left out
              berth: nothing that was read is of namespace taem (did you mean team?); there are team
              No workloads found in namespace taem.
              """);
    }
  }
}
