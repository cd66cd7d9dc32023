package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rows of docs/operators/operators.md for mpi-operator, Kubeflow Trainer, Argo Workflows and
/// training-operator, with their own controllers and webhooks: the examples live through creation,
/// suspension, scaling, failure, reclaim and their end, and the traps of that page are as it says.
/// ([RayLivesLoad] has those of KubeRay.)
///
/// Not part of `verify`, since the operators take about ten minutes to build the first time: run it
/// with `./mvnw -pl e2e -am verify -Dit.test=OperatorLivesLoad
/// -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N` is the first of its ports.
class OperatorLivesLoad {
  private static final int PORTS = Integer.getInteger("ports", 25600);

  private static final String NAMESPACE = "/namespaces/default/";
  private static final String MPI = "/apis/kubeflow.org/v2beta1" + NAMESPACE + "mpijobs";
  private static final String KUBEFLOW = "/apis/kubeflow.org/v1" + NAMESPACE;
  private static final String TRAINER = "/apis/trainer.kubeflow.org/v1alpha1" + NAMESPACE;
  private static final String TUNE = TRAINER + "trainjobs/tune";
  private static final String JOBSETS = "/apis/jobset.x-k8s.io/v1alpha2" + NAMESPACE + "jobsets";
  private static final String JOBS = "/apis/batch/v1" + NAMESPACE + "jobs";
  private static final String EVENTS = "/apis/events.k8s.io/v1" + NAMESPACE + "events";
  private static final String WORKFLOWS = "/apis/argoproj.io/v1alpha1" + NAMESPACE + "workflows";

  @AutoClose private static OperatorWorld world;

  @BeforeAll
  static void up() {
    world =
        OperatorWorld.up(PORTS, "jobset", "trainer", "mpi-operator", "argo", "training-operator");
  }

  @AfterEach
  void clean() {
    world.clean();
    world.api.delete(EVENTS);
  }

  // mpi-operator

  @Test
  void anMpiJob() {
    String mpi = MPI + "/mpi";
    world.create(
        MPI,
        OperatorWorld.changed(world.example("mpijob"), "/spec/runPolicy", "{\"suspend\": true}"));
    world.await("it is suspended", () -> world.condition(mpi, "Suspended"));
    assertThat(world.pods("mpi-")).isEmpty();
    world.patch(mpi, "{\"spec\": {\"runPolicy\": {\"suspend\": false}}}");
    world.awaitBound("mpi-", 3);
    world.await("it runs", () -> world.condition(mpi, "Running"));
    world.await("the launcher counts", () -> world.group("mpi").at("/spec/minMember").asInt() == 3);

    world.patch(mpi, "{\"spec\": {\"mpiReplicaSpecs\": {\"Worker\": {\"replicas\": 3}}}}");
    world.awaitBound("mpi-worker-", 3);
    world.patch(mpi, "{\"spec\": {\"mpiReplicaSpecs\": {\"Worker\": {\"replicas\": 2}}}}");
    world.awaitBound("mpi-worker-", 2);

    var first = world.uids("mpi-worker-0");
    var launcher = world.uids("mpi-launcher-");
    world.api.delete(OperatorWorld.PODS + "/mpi-worker-1");
    world.awaitBound("mpi-", 3);
    assertThat(world.uids("mpi-worker-0")).as("the other worker").isEqualTo(first);
    assertThat(world.uids("mpi-launcher-")).as("the launcher").isEqualTo(launcher);

    world.claim("mpi-");
    world.await(
        "the group waits for its launcher, too",
        () -> world.group("mpi").at("/spec/minMember").asInt() == 3);
    world.unclaim();
    world.awaitBound("mpi-", 3);
    assertThat(failedLaunchers()).as("an evicted launcher counts as failed").isEqualTo(1);

    first = world.uids("mpi-worker-0");
    launcher = world.uids("mpi-launcher-");
    world.fail("mpi-launcher-");
    world.awaitAnew("mpi-launcher-", launcher, 1);
    assertThat(world.uids("mpi-worker-0")).as("a worker").isEqualTo(first);
    assertThat(failedLaunchers()).isEqualTo(2);

    world.finish("mpi-launcher-");
    world.await("it has succeeded", () -> world.condition(mpi, "Succeeded"));
    world.await("its workers are gone", () -> world.pods("mpi-worker-").isEmpty());
  }

  private static int failedLaunchers() {
    return world.api.get(JOBS + "/mpi-launcher").at("/status/failed").asInt();
  }

  /// It fails by its launcher's Job, for which the operator takes no podFailurePolicy.
  @Test
  void anMpiJobWhoseLauncherMayNotFailIsEnded() {
    world.create(
        MPI,
        OperatorWorld.changed(world.example("mpijob"), "/spec/runPolicy", "{\"backoffLimit\": 0}"));
    world.awaitBound("mpi-", 3);
    world.await("it is told", () -> told("mpi-launcher", "EvictionsCountAsFailures"));
    world.reclaim("mpi-launcher-", 0);
    world.await("it has failed", () -> world.condition(MPI + "/mpi", "Failed"));
  }

  @Test
  void aWorkerOfAnMpiJobThatFailedForGoodIsNotReplaced() {
    var job = world.example("mpijob");
    ((ObjectNode) job.path("metadata"))
        .putObject("annotations")
        .put("berth.dev/staleness-grace-period", "3s");
    world.create(MPI, job);
    world.awaitBound("mpi-", 3);
    world.fail("mpi-worker-1");
    world.await(
        "the gang was evicted, and waits",
        () ->
            world.groups("mpi-").stream()
                .anyMatch(group -> group.at("/status/reason").asText().equals("TooFewMembers")));
    world.api.delete(OperatorWorld.PODS + "/mpi-worker-1");
    world.awaitBound("mpi-", 3);
  }

  // Kubeflow Trainer

  @Test
  void aTrainJob() {
    runtime("{}");
    var job = world.example("trainjob");
    ((ObjectNode) job.path("spec")).put("suspend", true);
    trainJob(job);
    world.await("it is suspended", () -> world.condition(TUNE, "Suspended"));
    assertThat(world.pods("tune-")).isEmpty();
    world.patch(TUNE, "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("tune-", 2);
    assertThat(world.ownerOfGroup("tune")).isEqualTo("JobSet tune");
    assertThat(world.group("tune").at("/spec/queue").asText()).isEqualTo("research");

    world.patch(TUNE, "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.pods("tune-").isEmpty());
    world.patch(TUNE, "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("tune-", 2);

    var before = world.uids("tune-");
    world.fail("tune-node-0-0-");
    world.awaitAnew("tune-node-0-0-", before, 1);
    assertThat(before).as("the other pod").containsAll(world.uids("tune-node-0-1-"));

    world.reclaim("tune-", 2);
    assertThat(world.restarts(JOBSETS + "/tune")).isZero();
    assertThat(world.api.get(JOBS + "/tune-node-0").at("/status/failed").asInt())
        .as("the one that failed")
        .isEqualTo(1);
    world.finish("tune-");
    world.await("it is complete", () -> world.condition(TUNE, "Complete"));
  }

  @Test
  void aTrainJobRestartsAsItsRuntimeSays() {
    runtime(
        """
        {"failurePolicy": {"maxRestarts": 1}, "replicatedJobs":
          [{"name": "node", "template": {"spec": {"backoffLimit": 0}}}]}
        """);
    trainJob(world.example("trainjob"));
    world.awaitBound("tune-", 2);
    var before = world.uids("tune-");
    world.fail("tune-node-0-0-");
    world.await("it restarts", () -> world.restarts(JOBSETS + "/tune") == 1);
    world.awaitAnew("tune-", before, 2);
  }

  @Test
  void aTrainJobWhoseRuntimeCountsEvictionsFails() {
    runtime(
        """
        {"replicatedJobs": [{"name": "node", "template": {"spec":
          {"backoffLimit": 0, "podFailurePolicy": null}}}]}
        """);
    trainJob(world.example("trainjob"));
    world.awaitBound("tune-", 2);
    world.await("it is told", () -> told("tune-node-0", "EvictionsCountAsFailures"));
    world.reclaim("tune-", 0);
    world.await("it has failed", () -> world.condition(TUNE, "Failed"));
  }

  /// JobSet's webhook refuses another parallelism, and then the TrainJob is not resumed either.
  @Test
  void aTrainJobThatIsScaledWhileSuspendedStaysSuspended() {
    runtime("{}");
    trainJob(world.example("trainjob"));
    world.awaitBound("tune-", 2);
    world.patch(TUNE, "{\"spec\": {\"trainer\": {\"numNodes\": 3}}}");
    Api.pause(Duration.ofSeconds(3));
    assertThat(world.pods("tune-")).as("while it runs nothing happens").hasSize(2);
    world.patch(TUNE, "{\"spec\": {\"trainer\": {\"numNodes\": 2}, \"suspend\": true}}");
    world.await("its pods are gone", () -> world.pods("tune-").isEmpty());
    world.patch(TUNE, "{\"spec\": {\"trainer\": {\"numNodes\": 3}, \"suspend\": false}}");
    Api.pause(Duration.ofSeconds(5));
    assertThat(world.pods("tune-")).as("pods of a JobSet that stays suspended").isEmpty();
    world.patch(TUNE, "{\"spec\": {\"trainer\": {\"numNodes\": 2}}}");
    world.awaitBound("tune-", 2);
  }

  // Argo Workflows

  @Test
  void aWorkflow() {
    world.create(WORKFLOWS, workflow());
    awaitStep("one(0)", "Running");
    world.awaitBound("pipeline-step-", 1);

    world.patch(WORKFLOWS + "/pipeline", "{\"spec\": {\"suspend\": true}}");
    world.finish("pipeline-step-");
    awaitStep("one(0)", "Succeeded");
    world.awaitBound("pipeline-step-", 0);
    Api.pause(Duration.ofSeconds(3));
    assertThat(world.uids("pipeline-step-")).as("pods of the next step").isEmpty();
    world.patch(WORKFLOWS + "/pipeline", "{\"spec\": {\"suspend\": null}}");
    awaitStep("two(0)", "Running");

    world.reclaim("pipeline-step-", 1);
    awaitStep("two(0)", "Error");
    awaitStep("two(1)", "Running");
    world.finish("pipeline-step-");
    world.await("it has succeeded", () -> phase(WORKFLOWS + "/pipeline").equals("Succeeded"));
  }

  @Test
  void aStepThatFailsByItselfDoesNotRunAgain() {
    world.create(WORKFLOWS, workflow());
    awaitStep("one(0)", "Running");
    world.fail("pipeline-step-");
    world.await("it has failed", () -> phase(WORKFLOWS + "/pipeline").equals("Failed"));
    assertThat(step("one(1)").isMissingNode()).as("no second try").isTrue();
  }

  @Test
  void aWorkflowWithoutRetriesFailsWithAReclaim() {
    var workflow = workflow();
    ((ObjectNode) workflow.at("/spec/templates/1")).remove("retryStrategy");
    world.create(WORKFLOWS, workflow);
    awaitStep("one", "Running");
    world.reclaim("pipeline-step-", 0);
    world.await("it has failed", () -> phase(WORKFLOWS + "/pipeline").equals("Failed"));
    assertThat(step("one").path("message").asText()).isEqualTo("pod deleted");
  }

  // training-operator

  @Test
  void aPyTorchJob() {
    String train = KUBEFLOW + "pytorchjobs/train";
    world.create(
        KUBEFLOW + "pytorchjobs",
        OperatorWorld.changed(
            world.example("pytorchjob"), "/spec/runPolicy", "{\"suspend\": true}"));
    world.await("it is suspended", () -> world.condition(train, "Suspended"));
    assertThat(world.pods("train-")).isEmpty();
    world.patch(train, "{\"spec\": {\"runPolicy\": {\"suspend\": false}}}");
    world.awaitBound("train-", 5);
    assertThat(world.ownerOfGroup("train")).isEqualTo("PyTorchJob train");

    var before = world.uids("train-");
    var lost = world.uids("train-worker-0");
    world.fail("train-worker-0");
    world.awaitAnew("train-worker-0", lost, 1);
    world.awaitBound("train-", 5);
    world.await("it runs again", () -> world.condition(train, "Running"));
    assertThat(world.condition(train, "Restarting")).isFalse();
    before.removeAll(lost);
    assertThat(world.uids("train-")).as("the others").containsAll(before);

    world.reclaim("train-", 5);
    world.finish("train-");
    world.await("it has succeeded", () -> world.condition(train, "Succeeded"));
  }

  @Test
  void anElasticPyTorchJob() {
    String elastic = KUBEFLOW + "pytorchjobs/elastic";
    world.create(KUBEFLOW + "pytorchjobs", world.example("pytorchjob-elastic"));
    world.awaitBound("elastic-", 6);
    world.patch(elastic, "{\"spec\": {\"pytorchReplicaSpecs\": {\"Worker\": {\"replicas\": 4}}}}");
    world.awaitBound("elastic-", 4);
    world.reclaim("elastic-", 4);
    world.finish("elastic-");
    world.await("it has succeeded", () -> world.condition(elastic, "Succeeded"));
  }

  @ParameterizedTest
  @CsvSource({"xgboostjob, xgb, 3", "jaxjob, jax, 4", "paddlejob, paddle, 4"})
  void aJobThatComesAgainAfterAReclaim(String file, String name, int pods) {
    world.create(KUBEFLOW + file + "s", world.example(file));
    world.awaitBound(name + "-", pods);
    world.reclaim(name + "-", pods);
    world.finish(name + "-");
    world.await(
        "it has succeeded", () -> world.condition(KUBEFLOW + file + "s/" + name, "Succeeded"));
  }

  /// As it is: training-operator takes evicted pods of these for failed ones.
  @ParameterizedTest
  @CsvSource({
    "tfjob, tf, tfReplicaSpecs, OnFailure, 4",
    "tfjob, tf, tfReplicaSpecs, ExitCode, 4",
    "xgboostjob, xgb, xgbReplicaSpecs, OnFailure, 3"
  })
  void aJobThatFailsWithAReclaim(
      String file, String name, String replicas, String policy, int pods) {
    var job = world.example(file);
    for (JsonNode each : job.path("spec").path(replicas)) {
      ((ObjectNode) each).put("restartPolicy", policy);
    }
    world.create(KUBEFLOW + file + "s", job);
    world.awaitBound(name + "-", pods);
    world.claim(name + "-");
    world.await("it has failed", () -> world.condition(KUBEFLOW + file + "s/" + name, "Failed"));
  }

  /// Trainer's webhook reads a cache, and refuses a TrainJob whose runtime was made just before.
  private static void trainJob(ObjectNode job) {
    String path = TRAINER + "trainjobs";
    world.await(
        "the webhook knows the runtime",
        () -> world.api.create(path + "?dryRun=All", job.toString()).isOk());
    world.create(path, job);
  }

  /// The runtime of the example, with more in the spec of its JobSet. A list replaces none: the
  /// first replicatedJob is changed.
  private static void runtime(String more) {
    var runtime = world.examples("trainjob").getFirst();
    var set = (ObjectNode) runtime.at("/spec/template/spec");
    var changes = (ObjectNode) OperatorWorld.read(more);
    var job = changes.at("/replicatedJobs/0/template/spec");
    changes.remove("replicatedJobs");
    set.setAll(changes);
    if (job instanceof ObjectNode fields) {
      ((ObjectNode) set.at("/replicatedJobs/0/template/spec")).setAll(fields);
    }
    world.create(TRAINER + "trainingruntimes", runtime);
  }

  /// Templates of a Workflow are no pod templates: what concerns the fake kubelets stands in
  /// `podMetadata`.
  private static ObjectNode workflow() {
    var workflow = world.example("workflow");
    ((ObjectNode) workflow.path("spec"))
        .putObject("podMetadata")
        .putObject("annotations")
        .put("e2e/duration", "1h")
        .put("e2e/grace", "1s");
    return workflow;
  }

  /// Of the newest try, by the name that `argo get` shows; Argo looks at pods with a delay.
  private static JsonNode step(String name) {
    for (JsonNode node : world.api.get(WORKFLOWS + "/pipeline").at("/status/nodes")) {
      if (node.path("displayName").asText().equals(name)
          && node.path("type").asText().equals("Pod")) {
        return node;
      }
    }
    return Api.JSON.getNodeFactory().missingNode();
  }

  private static void awaitStep(String name, String phase) {
    world.await(
        "step " + name + " is " + phase, () -> step(name).path("phase").asText().equals(phase));
  }

  private static String phase(String path) {
    return world.api.get(path).at("/status/phase").asText();
  }

  /// Whether a Job was told so.
  private static boolean told(String job, String reason) {
    return world.api.list(EVENTS).stream()
        .filter(event -> event.at("/regarding/name").asText().equals(job))
        .anyMatch(event -> event.path("reason").asText().equals(reason));
  }
}
