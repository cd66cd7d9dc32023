package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What [OperatorsIT] and [OperatorLivesLoad] leave open in docs/operators/operators.md: the jobs
/// of training-operator, JobSet and LeaderWorkerSet while they run, and a Job of
/// kube-controller-manager.
///
/// Not part of `verify`: run it with `./mvnw -pl e2e -am verify -Dit.test=JobLivesLoad
/// -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N` is the first of its ports.
class JobLivesLoad {
  private static final String NAMESPACE = "/namespaces/default/";
  private static final String KUBEFLOW = "/apis/kubeflow.org/v1" + NAMESPACE;
  private static final String JOBSETS = "/apis/jobset.x-k8s.io/v1alpha2" + NAMESPACE + "jobsets";
  private static final String SETS =
      "/apis/leaderworkerset.x-k8s.io/v1" + NAMESPACE + "leaderworkersets";
  private static final String JOBS = "/apis/batch/v1" + NAMESPACE + "jobs";

  @AutoClose private static OperatorWorld world;

  @BeforeAll
  static void up() {
    world =
        OperatorWorld.up(Integer.getInteger("ports", 25600), "jobset", "lws", "training-operator");
  }

  @AfterEach
  void clean() {
    world.clean();
  }

  // training-operator

  @ParameterizedTest
  @CsvSource({
    "pytorchjob, train, 5, false",
    "pytorchjob-elastic, elastic, 6, false",
    "tfjob, tf, 4, true",
    "xgboostjob, xgb, 3, true",
    "jaxjob, jax, 4, true",
    "paddlejob, paddle, 4, false"
  })
  void aJobThatIsSuspendedScaledAndLosesAWorker(
      String file, String name, int pods, boolean allMustStart) {
    String path = KUBEFLOW + file.replace("-elastic", "") + "s";
    String job = path + "/" + name;
    world.create(path, suspended(world.example(file)));
    world.await("it is suspended", () -> world.condition(job, "Suspended"));
    assertThat(world.pods(name + "-")).isEmpty();
    suspend(job, false);
    world.awaitBound(name + "-", pods);
    suspend(job, true);
    world.await("its pods are gone", () -> haveEnded(name + "-"));
    suspend(job, false);
    world.awaitBound(name + "-", pods);

    if (!name.equals("tf")) { // which fails: see below
      loseAWorker(name, pods, worker -> world.api.delete(OperatorWorld.PODS + "/" + worker));
      scaleDownAndUp(job, name, pods, allMustStart);
    }
    world.finish(name + "-");
    world.await("it has succeeded", () -> world.condition(job, "Succeeded"));
  }

  private static void scaleDownAndUp(String job, String name, int pods, boolean allMustStart) {
    int workers = workers(job);
    scale(job, workers - 1);
    world.awaitBound(name + "-", pods - 1);
    if (allMustStart) {
      world.await("the minimum follows", () -> minimum(name) == pods - 1);
    }
    scale(job, workers);
    world.awaitBound(name + "-", pods);
    if (allMustStart) {
      world.await("the minimum follows", () -> minimum(name) == pods);
    }
  }

  /// One worker is lost, or fails; the others run on.
  private static void loseAWorker(String name, int pods, Consumer<String> how) {
    String worker = name + "-worker-0";
    var lost = world.uids(worker);
    var others = world.uids(name + "-");
    others.removeAll(lost);
    how.accept(worker);
    world.await("the worker is made anew", () -> isAnew(worker, lost));
    world.awaitBound(name + "-", pods);
    assertThat(world.uids(name + "-")).as("the others").containsAll(others);
  }

  /// A worker whose container exits with 1.
  @ParameterizedTest
  @CsvSource({
    "pytorchjob-elastic, elastic, 6",
    "jaxjob, jax, 4",
    "paddlejob, paddle, 4",
    "tfjob, tf, 4"
  })
  void aWorkerThatFailsIsMadeAnew(String file, String name, int pods) {
    String path = KUBEFLOW + file.replace("-elastic", "") + "s";
    world.create(path, world.example(file));
    world.awaitBound(name + "-", pods);
    loseAWorker(name, pods, world::fail);
  }

  /// As it is: training-operator takes the pods that still end for failed ones.
  @Test
  void aTfJobThatIsResumedTooEarlyFails() {
    String job = KUBEFLOW + "tfjobs/tf";
    world.create(KUBEFLOW + "tfjobs", world.example("tfjob"));
    world.awaitBound("tf-", 4);
    suspend(job, true);
    world.await("its pods end", () -> world.pods("tf-").isEmpty());
    suspend(job, false);
    world.await("it has failed", () -> world.condition(job, "Failed"));
  }

  /// The same when one pod is deleted while it runs, be it by its operator, though one that exits
  /// with 1 is made anew.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTfJobFailsWithAWorkerThatIsDeleted(boolean byItsOperator) {
    String job = KUBEFLOW + "tfjobs/tf";
    world.create(KUBEFLOW + "tfjobs", world.example("tfjob"));
    world.awaitBound("tf-", 4);
    if (byItsOperator) {
      scale(job, 1);
    } else {
      world.api.delete(OperatorWorld.PODS + "/tf-worker-0");
    }
    world.await("it has failed", () -> world.condition(job, "Failed"));
  }

  /// Of `ExitCode`: 1 is none to try again after.
  @Test
  void anXgBoostJobFailsWithAWorkerThatFails() {
    String path = KUBEFLOW + "xgboostjobs";
    world.create(path, world.example("xgboostjob"));
    world.awaitBound("xgb-", 3);
    world.fail("xgb-worker-0");
    world.await("it has failed", () -> world.condition(path + "/xgb", "Failed"));
  }

  // JobSet

  @Test
  void stagesOfAJobSet() {
    var set = world.example("jobset-stages");
    var spec = (ObjectNode) set.path("spec");
    spec.put("suspend", true);
    ((ObjectNode) set.path("metadata")).putObject("labels").put("berth.dev/queue", "research");
    world.create(JOBSETS, set);
    world.await("it is suspended", () -> world.condition(JOBSETS + "/staged", "Suspended"));
    assertThat(world.pods("staged-")).isEmpty();
    world.patch(JOBSETS + "/staged", "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("staged-fetch-", 1);
    world.finish("staged-fetch-");
    world.awaitBound("staged-train-", 2);
    OperatorsIT.expectNotScaled(world, JOBSETS + "/staged", 1);

    var before = world.uids("staged-train-");
    world.fail("staged-train-0-0");
    world.await("the pod is made anew", () -> !before.containsAll(world.uids("staged-train-")));
    world.awaitBound("staged-train-", 2);
    world.reclaim("staged-train-", 2);
    assertThat(world.pods("staged-fetch-"))
        .as("the stage that is over")
        .noneMatch(pod -> pod.at("/status/phase").asText().equals("Running"));
    world.patch(JOBSETS + "/staged", "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.uids("staged-").isEmpty());
    world.patch(JOBSETS + "/staged", "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("staged-train-", 2);
    world.finish("staged-train-");
    world.await("it is complete", () -> world.condition(JOBSETS + "/staged", "Completed"));
  }

  // LeaderWorkerSet

  @ParameterizedTest
  @CsvSource({
    "leaderworkerset-leaderready, ready, 3, 3",
    "leaderworkerset-segments, cut, 5, 1",
  })
  void replicasComeGoAndAreReclaimed(String file, String name, int size, int scaled) {
    world.create(SETS, world.example(file));
    world.awaitBound(name + "-", 2 * size);
    world.liveOfReplicas(SETS + "/" + name, size, scaled);
  }

  // kube-controller-manager

  @Test
  void aJobOfKubernetes() {
    var job = world.example("job");
    ((ObjectNode) job.at("/metadata/labels")).remove("priorityClassName"); // so it is preemptible
    ((ObjectNode) job.at("/metadata/annotations")).remove("berth.dev/preemption-delay");
    world.create(JOBS, job);
    world.awaitBound("sweep-", 4);
    world.patch(JOBS + "/sweep", "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.uids("sweep-").isEmpty());
    world.patch(JOBS + "/sweep", "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("sweep-", 4);
    world.patch(JOBS + "/sweep", "{\"spec\": {\"parallelism\": 6}}");
    world.awaitBound("sweep-", 6);
    assertThat(minimum("sweep")).isEqualTo(4);
    world.patch(JOBS + "/sweep", "{\"spec\": {\"parallelism\": 3}}");
    world.awaitBound("sweep-", 3);
    world.await("its minimum follows", () -> minimum("sweep") == 3);
    world.patch(JOBS + "/sweep", "{\"spec\": {\"parallelism\": 4}}");
    world.awaitBound("sweep-", 4);

    var before = world.uids("sweep-");
    world.fail("sweep-");
    world.await("the pod is made anew", () -> !before.containsAll(world.uids("sweep-")));
    world.awaitBound("sweep-", 4);
    assertThat(world.api.get(JOBS + "/sweep").at("/status/failed").asInt()).isEqualTo(1);
    assertThat(before).filteredOn(world.uids("sweep-")::contains).as("the others").hasSize(3);

    // the Job controller pauses after four evictions for longer than a test may take
    world.claim("sweep-");
    world.unclaim();
    assertThat(world.api.get(JOBS + "/sweep").at("/status/failed").asInt())
        .as("the one that failed by itself")
        .isEqualTo(1);
  }

  /// Pods that are on their way out are gone, too.
  private static boolean haveEnded(String prefix) {
    return world.api.list(OperatorWorld.PODS).stream()
        .noneMatch(pod -> Api.name(pod).startsWith(prefix));
  }

  private static boolean isAnew(String worker, Set<String> lost) {
    var now = world.uids(worker);
    return now.size() == 1 && lost.stream().noneMatch(now::contains);
  }

  private static ObjectNode suspended(ObjectNode job) {
    return OperatorWorld.changed(job, "/spec/runPolicy", "{\"suspend\": true}");
  }

  private static void suspend(String job, boolean suspend) {
    world.patch(job, "{\"spec\": {\"runPolicy\": {\"suspend\": " + suspend + "}}}");
  }

  private static int minimum(String group) {
    return world.group(group).at("/spec/minMember").asInt();
  }

  private static int workers(String job) {
    return roles(job).path("Worker").path("replicas").asInt();
  }

  private static void scale(String job, int workers) {
    world.patch(
        job, "{\"spec\": {\"" + field(job) + "\": {\"Worker\": {\"replicas\": " + workers + "}}}}");
  }

  private static JsonNode roles(String job) {
    return world.api.get(job).path("spec").path(field(job));
  }

  private static String field(String job) {
    for (var name = world.api.get(job).path("spec").fieldNames(); name.hasNext(); ) {
      String field = name.next();
      if (field.endsWith("ReplicaSpecs")) {
        return field;
      }
    }
    throw new AssertionError(job + " has no roles");
  }
}
