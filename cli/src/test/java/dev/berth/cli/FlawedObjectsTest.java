package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.lists.ObjectKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One object that is wrong stops the view of no other, where an API server served it; and what a
/// dump lacks is told.
final class FlawedObjectsTest {
  private static final String GPUS =
      "{\"metadata\": {\"name\": \"ops\", \"resourceVersion\": \"7\"}, \"spec\": {\"quota\":"
          + " {\"gpus\": 8}}}";

  private static final String WARNING =
      "berth: Queue ops: spec.quota.gpus is not a resource that Berth knows (did you mean gpu?);"
          + " known are gpu, cpu, memory, ephemeral-storage, pods, gpu/MODEL, and extended"
          + " resources like example.com/fpga\n";

  private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder = Path.of("");

  @Test
  void aMisspeltQuotaOfOneQueueStopsNoCommandOnAClusterThatRuns() throws IOException {
    try (var cluster = new ServedLists(folder)) {
      cluster.answers.put(
          "/apis/berth.dev/v1alpha1/queues",
          ServedLists.list(
              GPUS + ", {\"metadata\": {\"name\": \"own\"}, \"spec\": {\"limit\": {\"gpu\": 1}}}"));
      String at = cluster.kubeconfig();
      assertThat(output.run(Explain::new, "--kubeconfig", at, "waits")).isZero();
      assertThat(output.told()).startsWith("team/waits, queue own, priority 0\n  Waits: ");
      assertThat(output.wrong()).isEqualTo(WARNING);
      output.reset();
      assertThat(output.run(WorkloadsCommand::new, "--kubeconfig", at)).isZero();
      assertThat(output.run(WhatIfCommand::new, "--kubeconfig", at, "--limit", "own=2")).isZero();
      assertThat(output.wrong()).isEqualTo(WARNING + WARNING);
      output.reset();
      assertThat(output.run(QueuesCommand::new, "--kubeconfig", at, "-o", "wide")).isZero();
      assertThat(output.told())
          .contains(
              "spec.quota.gpus is \"8\" on queue ops, but there is no resource gpus (did you mean"
                  + " gpu?), so it has no effect. Write one of gpu, cpu,");
    }
  }

  /// Another group of the API has a kind of the same name, and a newer one a field more.
  @Test
  void neitherDoObjectsOfADump() throws IOException {
    var dump =
        Files.writeString(
            folder.resolve("dump.yaml"),
            """
            apiVersion: v1
            kind: List
            items:
              - {apiVersion: v1, kind: Node, metadata: {name: n, resourceVersion: "1"}, futureField: 1, spec: {futureField: 1}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "2"}}}
              - {apiVersion: v1, kind: Node, metadata: {name: torn, resourceVersion: "1"}, status: {allocatable: {cpu: many}}}
              - {apiVersion: v1, kind: Namespace, metadata: {name: team, resourceVersion: "2"}}
              - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: ops, resourceVersion: "3"}, spec: {quota: {gpus: 8}}}
              - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: odd, resourceVersion: "4"}, spec: {quota: {gpu: many}}}
              - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: own, resourceVersion: "5"}, spec: {limit: {gpu: 0}}}
              - {apiVersion: berth.dev/v1alpha1, kind: Topology, metadata: {name: flat, resourceVersion: "6"}, spec: {levels: []}}
              - {apiVersion: berth.dev/v1alpha1, kind: PodGroup, metadata: {name: ring, namespace: team, resourceVersion: "7"}, spec: {minMembers: 2}}
              - {apiVersion: v1, kind: Pod, metadata: {name: one, namespace: team, uid: 0b51e3a5-30a4-4c1d-9f5b-0b51e3a530a4, labels: {berth.dev/queue: own}, annotations: {gpu-fraction: lots}}, spec: {schedulerName: berth, containers: [{name: c, image: i}]}}
              - {apiVersion: v1, kind: Pod, metadata: {name: two, namespace: team, resourceVersion: "9", labels: {berth.dev/queue: own}}, spec: {schedulerName: berth, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}
            """);
    assertThat(output.run(WorkloadsCommand::new, "-f", dump.toString())).as(output::wrong).isZero();
    assertThat(output.told())
        .contains("one ", "two ", "queue own never has more than its limit of 0 GPUs");
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: status.allocatable.cpu is \"many\" on Node torn, but it is a quantity, like 2,"
                + " 500m or 64Gi. It is left out.",
            WARNING.strip(),
            "berth: spec.quota.gpu is \"many\" on Queue odd, but it is an amount like 8, \"500m\""
                + " or \"64Gi\", or \"unlimited\".",
            "berth: spec.levels is \"\" on Topology flat, but a topology has levels with a"
                + " nodeLabel.",
            "berth: spec.minMembers is \"2\" on PodGroup team/ring, but there is no such field (did"
                + " you mean minMember?). Known are queue, minMember, minSubGroup, subGroups,"
                + " topology, priorityClassName, preemptibility, preemptionDelay,"
                + " stalenessGracePeriod, expectedRuntime, maxRuntime.");
  }

  @Test
  void whatADumpLacksIsTold() throws IOException {
    var dump =
        Files.writeString(
            folder.resolve("dump.yaml"),
            """
            apiVersion: v1
            kind: List
            items:
              - {apiVersion: v1, kind: Node, metadata: {name: n}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "2"}}}
              - {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: own}, spec: {namespaceSelector: {matchLabels: {team: own}}}}
              - {apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, namespace: team, uid: w1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: w}]}}
              - {apiVersion: v1, kind: Pod, metadata: {name: web-1-a, namespace: team, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: w1}]}, spec: {schedulerName: berth, containers: [{name: c, image: i}]}}
              - {apiVersion: v1, kind: Pod, metadata: {name: train-0, namespace: lab, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: train, uid: t}]}, spec: {schedulerName: berth, containers: [{name: c, image: i}]}}
              - {apiVersion: v1, kind: Pod, metadata: {name: other-0, namespace: away, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: other, uid: o}]}, spec: {containers: [{name: c, image: i}]}}
            """);
    assertThat(output.run(WorkloadsCommand::new, "-f", dump.toString())).isZero();
    assertThat(output.wrong().lines())
        .containsExactly(
            "berth: the file lacks owners of pods (Deployment team/web, Job lab/train): what these"
                + " say of queue, priority and gang is missing; dump their kinds, too",
            "berth: the file lacks namespaces of pods (lab, team): their labels say which queue"
                + " takes these pods; dump namespaces, too");
  }

  /// The kinds that are read of a cluster that runs, but for one that few clusters have.
  @Test
  void theCommandOfThePagesDumpsAllKindsThatCount() throws IOException {
    for (String page : List.of("../README.md", "../docs/users/explain.md")) {
      String text = Files.readString(Path.of(page));
      int begin = text.indexOf("kubectl get nodes,pods");
      String kinds = text.substring(begin, text.indexOf(" -A -o yaml", begin));
      assertThat(kinds.substring("kubectl get ".length()).split(","))
          .contains("replicasets", "deployments", "statefulsets", "cronjobs")
          .containsAll(
              ObjectKind.ALWAYS.stream()
                  .map(ObjectKind::resource)
                  .filter(each -> !each.equals("noderesourcetopologies"))
                  .map(each ->
                      each.matches("queues|podgroups|topologies") ? each + ".berth.dev" : each)
                  .toList());
    }
  }
}
