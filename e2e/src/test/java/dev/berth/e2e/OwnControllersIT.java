package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.Api.name;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workloads of `examples` whose pods are made, counted and brought back by their own controllers,
/// those of kube-controller-manager. (Whose controllers are not here: [WorkloadsIT].)
class OwnControllersIT {
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String APPS = "/apis/apps/v1/namespaces/default/";

  /// Of the CronJob, whose minute may come at any time.
  private static final String NIGHTLY = "nightly";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  private final List<String> made = new ArrayList<>();

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(20500, "--nodes", "2", "--gpus", "8", "--controller-manager");
    api = cluster.admin();
    for (JsonNode queue : Api.documents(EXAMPLES.resolve("queues.yaml"))) {
      api.createOrFail(QUEUES, queue.toString());
    }
    api.createQueue("lent", 0);
    api.createQueue("owner", 16);
    var nightly = example("cronjob");
    ((ObjectNode) nightly.path("spec")).put("schedule", "* * * * *");
    api.createOrFail("/apis/batch/v1/namespaces/default/cronjobs", nightly.toString());
  }

  @AfterEach
  void clean() {
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    made.forEach(path -> api.delete(path + "?propagationPolicy=Background"));
    ControlPlane.await(
        "pods and groups go with their workloads",
        () -> of("", PODS).isEmpty() && of("", GROUPS).isEmpty(),
        () -> of("", PODS) + "\n" + of("", GROUPS));
  }

  @Test
  void replicasOfADeploymentStartByThemselvesAndComeAgain() {
    create(APPS + "deployments", example("deployment"));
    awaitBound("chat-", 2);
    api.patch(APPS + "deployments/chat", "{\"spec\": {\"replicas\": 3}}");
    awaitBound("chat-", 3);
    var gone = of("chat-", PODS).getFirst();
    assertThat(gone.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("ReplicaSet");
    api.delete(PODS + "/" + name(gone));
    ControlPlane.await(
        "another came",
        () -> of("chat-", PODS).stream().noneMatch(pod -> name(pod).equals(name(gone))),
        () -> of("chat-", PODS).toString());
    awaitBound("chat-", 3);
    ControlPlane.await(
        "three devices are its queue's",
        () -> api.get(QUEUES + "/product").at("/status/allocated/gpu").asDouble() == 3,
        () -> api.get(QUEUES + "/product").toString());
    assertThat(of("chat", GROUPS)).as("groups of replicas").isEmpty();
  }

  @Test
  void aReplicaSetByItself() {
    create(APPS + "replicasets", example("replicaset"));
    awaitBound("replica-", 2);
    assertThat(of("replica", GROUPS)).as("groups of replicas").isEmpty();
  }

  @Test
  void aStatefulSetWithAMinimumStartsWholeAndAMemberComesAgain() {
    for (int gpus : new int[] {8, 6}) {
      var pod = pod("full-" + gpus).labelled("berth.dev/queue", "research").gpus(gpus);
      create(
          PODS, pod.with("\"priorityClassName\": \"build-preemptible\"")); // comes before the set
    }
    awaitBound("full-", 2);
    create(APPS + "statefulsets", example("statefulset"));
    ControlPlane.await(
        "mesh waits for room",
        () ->
            of("mesh", GROUPS).stream()
                .anyMatch(group -> group.at("/status/reason").asText().equals("NoRoom")),
        () -> of("mesh", GROUPS) + "\n" + of("mesh-", PODS));
    assertThat(of("mesh-", PODS)).hasSize(3).noneMatch(Truth::isBound);
    api.delete(PODS + "/full-6");
    awaitBound("mesh-", 3);
    var member = api.get(PODS + "/mesh-1");
    api.delete(PODS + "/mesh-1");
    ControlPlane.await(
        "another mesh-1 came",
        () -> {
          var pods = of("mesh-1", PODS);
          return !pods.isEmpty()
              && !pods.getFirst().at("/metadata/uid").equals(member.at("/metadata/uid"));
        },
        () -> of("mesh-", PODS).toString());
    awaitBound("mesh-", 3);
    assertThat(of("mesh", GROUPS))
        .singleElement()
        .satisfies(group -> {
          assertThat(group.at("/metadata/ownerReferences/0/kind").asText())
              .isEqualTo("StatefulSet");
          assertThat(group.at("/spec/minMember").asInt()).isEqualTo(3);
        });
  }

  @Test
  void aJobWaitsWhileItIsSuspendedAndItsLastSmallerWaveStartsToo() {
    var job = example("job");
    ((ObjectNode) job.path("spec")).put("suspend", true);
    create(JOBS, job);
    ControlPlane.await(
        "it is suspended",
        () -> condition("sweep", "Suspended"),
        () -> api.get(JOBS + "/sweep").toString());
    assertThat(of("sweep-", PODS)).isEmpty();
    api.patch(JOBS + "/sweep", "{\"spec\": {\"suspend\": false}}");
    ControlPlane.await(
        "all of its ten pods ran, four at once",
        () -> condition("sweep", "Complete"),
        () -> api.get(JOBS + "/sweep") + "\n" + of("sweep-", PODS) + "\n" + of("sweep", GROUPS));
    assertThat(api.get(JOBS + "/sweep").at("/status/succeeded").asInt()).isEqualTo(10);
    assertThat(of("sweep", GROUPS))
        .singleElement()
        .satisfies(group ->
            assertThat(group.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Job"));
  }

  /// The PodGroup that Berth made of it says the wrong queue, too, until then.
  @Test
  void aQueueIsPutRightOnTheJobWhereItWasMisspelt() {
    var job = example("job");
    ((ObjectNode) job.at("/metadata/labels")).put("berth.dev/queue", "reserach");
    create(JOBS, job);
    ControlPlane.await(
        "its PodGroup says why it waits",
        () ->
            of("sweep", GROUPS).stream()
                .anyMatch(group -> group.at("/status/reason").asText().equals("NoSuchQueue")),
        () -> of("sweep", GROUPS).toString());
    api.patch(JOBS + "/sweep", "{\"metadata\": {\"labels\": {\"berth.dev/queue\": \"research\"}}}");
    ControlPlane.await(
        "it runs to its end in the queue that it names now",
        () -> condition("sweep", "Complete"),
        () -> api.get(JOBS + "/sweep") + "\n" + of("sweep", GROUPS));
    assertThat(of("sweep", GROUPS))
        .singleElement()
        .satisfies(group -> assertThat(group.at("/spec/queue").asText()).isEqualTo("research"));
  }

  @Test
  void eachJobOfACronJobIsAGang() {
    ControlPlane.await(
        "its minute has come, and its Job was run",
        () -> of(NIGHTLY, JOBS).stream().anyMatch(job -> condition(name(job), "Complete")),
        () -> of(NIGHTLY, JOBS) + "\n" + of(NIGHTLY, PODS) + "\n" + of(NIGHTLY, GROUPS));
    var job =
        of(NIGHTLY, JOBS).stream()
            .filter(each -> condition(name(each), "Complete"))
            .findFirst()
            .orElseThrow();
    assertThat(job.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("CronJob");
    assertThat(of(name(job), PODS)).hasSize(2).allMatch(Truth::isBound);
    assertThat(of(NIGHTLY, GROUPS))
        .filteredOn(group -> name(group).contains(name(job)))
        .singleElement()
        .satisfies(group -> assertThat(group.at("/spec/minMember").asInt()).isEqualTo(2));
  }

  @ParameterizedTest
  @CsvSource({"deployment, chat, 2", "statefulset, mesh, 3"})
  void podsThatAreReclaimedComeAgain(String kind, String name, int count) {
    create(APPS + kind + "s", preemptible(example(kind)));
    awaitBound(name + "-", count);
    reclaim(name + "-", count);
  }

  /// By the Job, which does not count them as failed.
  @Test
  void podsOfACronJobThatAreReclaimedComeAgain() {
    var weekly = preemptible(example("cronjob"));
    ((ObjectNode) weekly.path("metadata")).put("name", "weekly");
    ((ObjectNode) weekly.path("spec"))
        .put("schedule", "* * * * *")
        .put("concurrencyPolicy", "Forbid");
    var job = (ObjectNode) weekly.at("/spec/jobTemplate/spec/template");
    job.putObject("metadata").putObject("annotations").put("e2e/duration", "1h");
    create("/apis/batch/v1/namespaces/default/cronjobs", weekly);
    awaitBound("weekly-", 2);
    reclaim("weekly-", 2);
    of("weekly-", PODS).stream()
        .filter(pod -> !Truth.isOver(pod))
        .forEach(OwnControllersIT::finish);
    String name = name(of("weekly-", JOBS).getFirst());
    ControlPlane.await(
        "its Job is complete",
        () -> condition(name, "Complete"),
        () -> api.get(JOBS + "/" + name).toString());
    assertThat(api.get(JOBS + "/" + name).at("/status/failed").asInt()).isZero();
  }

  private static ObjectNode preemptible(JsonNode workload) {
    ((ObjectNode) workload.path("metadata"))
        .withObject("/labels")
        .put("berth.dev/queue", "lent")
        .put("berth.dev/preemptibility", "preemptible");
    return (ObjectNode) workload;
  }

  /// The owner takes all GPUs, and they end well: the pods that left come again, in the same
  /// number.
  private void reclaim(String prefix, int count) {
    var before = of(prefix, PODS).stream().map(pod -> pod.at("/metadata/uid")).toList();
    for (int i = 0; i < 2; i++) {
      var owner = pod("owner-" + i).labelled("berth.dev/queue", "owner").gpus(8);
      create(PODS, owner.annotated("e2e/duration", "1h").with("\"restartPolicy\": \"Never\""));
    }
    awaitBound("owner-", 2);
    assertThat(of(prefix, PODS))
        .as("pods that the owner lets run")
        .noneMatch(pod -> Truth.isBound(pod) && !Truth.isOver(pod)); // Jobs' finalizers stay on
    of("owner-", PODS).forEach(OwnControllersIT::finish);
    ControlPlane.await(
        count + " others of " + prefix + " are bound",
        () -> {
          var others =
              of(prefix, PODS).stream()
                  .filter(pod -> !before.contains(pod.at("/metadata/uid")))
                  .toList();
          return others.size() == count && others.stream().allMatch(Truth::isBound);
        },
        () -> of(prefix, PODS) + "\n" + api.list(GROUPS));
  }

  private static void finish(JsonNode pod) {
    api.patch(
        PODS + "/" + name(pod), "{\"metadata\": {\"annotations\": {\"e2e/duration\": \"10ms\"}}}");
  }

  /// The API server refuses its pods, and only events of the controller of Jobs tell why. A Job
  /// without any pod is found by its template.
  @Test
  void aResourceQuotaThatRefusesPodsOfJobsIsToldByTheirPodGroups() {
    String tenant = "/api/v1/namespaces/tenant";
    api.createOrFail("/api/v1/namespaces", "{\"metadata\": {\"name\": \"tenant\"}}");
    create(
        tenant + "/resourcequotas",
        """
        {"metadata": {"name": "gpus"}, "spec": {"hard": {"requests.nvidia.com/gpu": "3"}}}
        """);
    ControlPlane.await(
        "the quota is counted",
        () -> !api.get(tenant + "/resourcequotas/gpus").at("/status/used").isMissingNode(),
        () -> api.get(tenant + "/resourcequotas/gpus").toString());
    String jobs = "/apis/batch/v1/namespaces/tenant/jobs";
    var some = example("job");
    ((ObjectNode) some.path("metadata")).put("name", "some");
    create(jobs, some);
    String groups = "/apis/berth.dev/v1alpha1/namespaces/tenant/podgroups";
    awaitWords(
        groups,
        "some",
        "Waits: the group has 3 of the 4 members that start together, and 1 does not exist yet:"
            + " ResourceQuota gpus has 3 of 3 requests.nvidia.com/gpu in use and the next pod asks"
            + " for 1. Helps: a ResourceQuota gpus of 4 requests.nvidia.com/gpu or more, or pods"
            + " that ask for less, or a minimum of 3.");
    create(
        groups,
        """
        {"apiVersion": "berth.dev/v1alpha1", "kind": "PodGroup", "metadata": {"name": "none"},
         "spec": {"queue": "research", "minMember": 2}}
        """);
    var none = example("job");
    ((ObjectNode) none.path("metadata")).put("name", "none").remove("annotations");
    ((ObjectNode) none.path("spec").path("template"))
        .putObject("metadata")
        .putObject("labels")
        .put("berth.dev/pod-group", "none");
    create(jobs, none);
    awaitWords(
        groups,
        "none",
        "Waits: the group has 0 of the 2 members that start together, and 2 do not exist yet:"
            + " ResourceQuota gpus has 3 of 3 requests.nvidia.com/gpu in use and the next pod asks"
            + " for 1. Helps: a ResourceQuota gpus of 5 requests.nvidia.com/gpu or more, or 2"
            + " requests.nvidia.com/gpu released in the namespace, or pods that ask for less.");
    api.patch(
        tenant + "/resourcequotas/gpus",
        "{\"spec\": {\"hard\": {\"requests.nvidia.com/gpu\": \"8\"}}}");
    ControlPlane.await(
        "the Job has its pods, and they run",
        Duration.ofMinutes(5), // the controller of Jobs backs off
        () ->
            api.list(tenant + "/pods").stream()
                    .filter(pod -> name(pod).startsWith("some-"))
                    .filter(Truth::isBound)
                    .count()
                == 4,
        () -> api.list(tenant + "/pods") + "\n" + api.list(groups));
  }

  private static void awaitWords(String groups, String group, String words) {
    ControlPlane.await(
        group + " says which ResourceQuota refuses its pods",
        () ->
            of(group, groups).stream()
                .anyMatch(each -> each.at("/status/message").asText().equals(words)),
        () -> of(group, groups) + "\n" + api.list("/api/v1/namespaces/tenant/events"));
  }

  private static JsonNode example(String kind) {
    return Api.documents(EXAMPLES.resolve("workloads/" + kind + ".yaml")).getFirst();
  }

  private void create(String path, Object object) {
    made.add(path + "/" + name(api.createOrFail(path, object.toString())));
  }

  private static boolean condition(String job, String type) {
    return api.hasCondition(JOBS + "/" + job, type);
  }

  private static void awaitBound(String prefix, int count) {
    ControlPlane.await(
        count + " of " + prefix + " are bound",
        () -> {
          var pods = of(prefix, PODS);
          return pods.size() == count && pods.stream().allMatch(Truth::isBound);
        },
        () -> of(prefix, PODS) + "\n" + api.list(GROUPS));
  }

  /// Those whose name begins so, and no other's; of the CronJob only where it is asked for.
  private static List<JsonNode> of(String prefix, String path) {
    return api.list(path).stream()
        .filter(object -> name(object).startsWith(prefix))
        .filter(object -> prefix.startsWith(NIGHTLY) || !name(object).startsWith(NIGHTLY))
        .toList();
  }
}
