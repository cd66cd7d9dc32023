package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.berth.cli.config.Config;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.request.GroupManifest;
import dev.berth.extender.rest.ApiProblem;
import dev.berth.extender.rest.answer.OffersAnswer.Patch;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Manifests of strangers are read beside the ledger of the product that runs.
class LiveManifestsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final LiveManifests manifests = new LiveManifests(ledger, Config.defaults());

  private List<PodGroup> groups(String manifest) {
    return manifests.read(manifest, "team").groups(ledger.snapshot(NOW));
  }

  private String refusal(String manifest) {
    var problem = catchThrowableOfType(ApiProblem.class, () -> groups(manifest));
    assertThat(problem).as("what is refused of " + manifest).isNotNull();
    assertThat(problem.status()).isEqualTo(400);
    return String.valueOf(problem.getMessage());
  }

  private static String job(int pods, String ofPods) {
    return """
    apiVersion: batch/v1
    kind: Job
    metadata: {name: train, annotations: {berth.dev/min-member: "%1$d"}}
    spec:
      parallelism: %1$d
      template:
        spec:
          schedulerName: berth
          %2$s
          containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 2}}}]
    """
        .formatted(pods, ofPods);
  }

  private static String pod(String name, String ofPod) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: %s}
    spec:
      schedulerName: berth
      %s
      containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]
    """
        .formatted(name, ofPod);
  }

  @Test
  void podsFormGroupsAsTheProductWouldFormThem() {
    var group = groups(job(3, "")).getFirst();
    assertThat(group.key().namespace()).isEqualTo("team");
    assertThat(group.members()).hasSize(3);
    assertThat(group.spec().required()).isEqualTo(3);
    assertThat(ledger.snapshot(NOW).groups()).as("of the product that runs").isEmpty();
  }

  @Test
  void jsonIsReadWithItsTabs() {
    var json =
        "{\n\t\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"one\"},\n"
            + "\t\"spec\": {\"schedulerName\": \"berth\", \"containers\": [{\"name\": \"main\"}]}}";
    assertThat(groups(json).getFirst().key()).isEqualTo(new GroupKey("team", "one"));
  }

  @Test
  void namespaceAndClassesAreThoseOfTheCluster() {
    var labels = new TreeMap<>(Map.of("kind", "lab"));
    ledger.record(new Fact.NamespaceSeen("team", 7, new QueueName("research"), labels));
    ledger.record(new Fact.PriorityClassSeen("usual", 8, 40, true));
    ledger.record(new Fact.PriorityClassSeen("urgent", 9, 90, false));
    var usual = groups(pod("one", "")).getFirst();
    assertThat(usual.queue()).isEqualTo(new QueueName("research"));
    assertThat(usual.namespaceLabels()).isEqualTo(labels);
    assertThat(usual.priority()).isEqualTo(40);
    assertThat(groups(pod("one", "priorityClassName: urgent")).getFirst().priority()).isEqualTo(90);
    assertThat(groups(pod("one", "priority: 1000000")).getFirst().priority())
        .as("what a pod says itself")
        .isEqualTo(40);
    assertThat(refusal(pod("one", "priorityClassName: urgnt")))
        .contains("Pod team/one: priorityClassName is urgnt", "did you mean urgent?");
  }

  @Test
  void volumesMeanWhatTheyMeanForPodsThatAreThere() {
    ledger.record(
        new Fact.VolumeClaimSeen(
            new PersistentVolumeClaim(
                new PersistentVolumeClaim.Key("team", "data"),
                3,
                PersistentVolumeClaim.State.LOST,
                "gone",
                "",
                NodeName.NONE,
                false)));
    String claims = "volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]";
    var volumes =
        groups(pod("one", claims)).getFirst().members().getFirst().pod().traits().volumes();
    assertThat(volumes.getFirst().lack()).isEqualTo(VolumeLack.LOST);
  }

  @Test
  void aGroupThatIsThereTakesPodsThatNameIt() {
    var gang =
        Map.of(
            "apiVersion",
            "berth.dev/v1alpha1",
            "kind",
            "PodGroup",
            "metadata",
            Map.of("name", "gang", "namespace", "team", "uid", "u", "resourceVersion", "5"),
            "spec",
            Map.of("minMember", 2));
    ledger.record(new Fact.GroupSeen(GroupManifest.read(gang).orElseThrow()));
    String named =
        pod("late", "")
            .replace("{name: late}", "{name: late, labels: {berth.dev/pod-group: gang}}");
    var group = groups(named).getFirst();
    assertThat(group.key().name()).isEqualTo("gang");
    assertThat(group.spec().minMember()).isEqualTo(2);
    assertThat(
            refusal(
                named
                    + "---\n"
                    + "apiVersion: berth.dev/v1alpha1\n"
                    + "kind: PodGroup\n"
                    + "metadata: {name: gang}\n"
                    + "spec: {minMember: 1}\n"))
        .contains("Workload team/gang is there already");
  }

  @Test
  void whatIsThereIsNoOffer() {
    var pod = groups(pod("one", "")).getFirst().members().getFirst().pod();
    ledger.record(new Fact.PodSeen(pod));
    assertThat(refusal(pod("one", "")))
        .contains("Workload team/one is there already: GET /api/v1/workloads/team/one/explanation");
  }

  @Test
  void aChangeIsAPatchOfTheManifests() {
    var workload = manifests.read(job(2, "nodeSelector: {disk: ssd}"), "team");
    assertThat(workload.patches(List.of(new Remedy.LowerMinimum(2, 1))))
        .containsExactly(
            new Patch(
                "Job",
                "train",
                Map.of("metadata", Map.of("annotations", Map.of("berth.dev/min-member", "1")))));
    var dropped = workload.patches(List.of(new Remedy.DropSelector("disk", "ssd")));
    assertThat(dropped.getFirst().patch().toString())
        .isEqualTo("{spec={template={spec={nodeSelector={disk=null}}}}}");
    assertThat(workload.patches(List.of(new Remedy.MayPreempt()))).isEmpty();
  }

  @Test
  void aMinimumIsChangedWhereItsKindSaysIt() {
    String torch =
        """
        apiVersion: kubeflow.org/v1
        kind: PyTorchJob
        metadata: {name: train}
        spec:
          pytorchReplicaSpecs:
            Worker: {replicas: 3, template: {spec: {schedulerName: berth, containers: [{name: pytorch, image: work}]}}}
        """;
    var remedy = List.<Remedy>of(new Remedy.LowerMinimum(3, 2));
    assertThat(manifests.read(torch, "team").patches(remedy).getFirst().patch().toString())
        .isEqualTo("{spec={runPolicy={schedulingPolicy={minAvailable=2}}}}");
    String set =
        """
        apiVersion: jobset.x-k8s.io/v1alpha2
        kind: JobSet
        metadata: {name: train}
        spec: {replicatedJobs: [{name: a, template: {spec: {template: {spec: {schedulerName: berth, containers: [{name: main, image: work}]}}}}}]}
        """;
    assertThat(manifests.read(set, "team").patches(remedy)).as("each role has its own").isEmpty();
  }

  @Test
  void oneWorkloadOfOneNamespaceIsAsked() {
    assertThat(refusal(pod("one", "") + "---\n" + pod("two", "")))
        .contains("there are 2 workloads (Pod team/one, Pod team/two): ask for each by itself");
    assertThat(refusal(job(1001, ""))).contains("more than 1000 pods cannot be looked at");
    assertThat(refusal(pod("one", "nodSelector: {}"))).contains("spec.nodSelector");
    assertThat(refusal("text")).contains("a mapping of fields");
    assertThat(refusal("kind: [")).contains("(line 1)");
  }

  /// Each would take all memory, all of the stack, or very long.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "endless | a: &a {b: *a} | more than 200 levels",
        "deep | DEEP | ",
        "bomb | BOMB | ",
        "keys | ? {a: b} : c | no list or mapping",
      })
  void manifestsOfStrangersAreBounded(String what, String text, String told) {
    var bomb = new StringBuilder("a0: &a0 [x, x, x]\n");
    for (int i = 1; i < 20; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d, *a%d]\n".formatted(i, i, i - 1, i - 1, i - 1));
    }
    String manifest =
        switch (text) {
          case "DEEP" -> "a: " + "[".repeat(5000) + "]".repeat(5000);
          case "BOMB" -> bomb.toString();
          default -> text;
        };
    assertThat(refusal(manifest)).as(what).contains(told == null ? "" : told).hasSizeLessThan(1100);
  }
}
