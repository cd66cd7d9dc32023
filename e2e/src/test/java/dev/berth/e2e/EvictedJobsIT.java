package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Jobs whose pods are evicted, with the Job controller of kube-controller-manager: the shipped
/// example survives a reclaim, and a Job without its `podFailurePolicy` does not.
class EvictedJobsIT {
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String JOBS = "/apis/batch/v1/namespaces/default/jobs";
  private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  /// Pods of the Job, which fill the cluster, and how many of them are reclaimed.
  private static final int PODS_OF_JOB = 165;

  private static final int RECLAIMED = 40;

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.configured(
            "evictions: {budgetTimeout: 3s}\n",
            31000,
            "--nodes",
            "33",
            "--gpus",
            "5",
            "--controller-manager");
    api = cluster.admin();
    api.createQueue("research", PODS_OF_JOB - RECLAIMED);
    api.createQueue("product", RECLAIMED);
  }

  @AfterEach
  void clean() {
    for (String job : List.of("sweep", "claim")) {
      api.delete(JOBS + "/" + job + "?propagationPolicy=Background");
    }
    api.delete(BUDGETS + "/all-stay");
    api.delete(EVENTS);
    ControlPlane.await(
        "all pods are gone", () -> api.list(PODS).isEmpty(), () -> api.list(PODS).toString());
  }

  @Test
  void theExampleKeepsItsOtherPodsAndFinishes() {
    var job = fill(true);
    var before = running("sweep");
    claim();
    assertThat(reasonsUntilTheClaimRuns())
        .as("of DisruptionTarget")
        .containsExactly("EvictionByEvictionAPI");
    ControlPlane.await(
        "the evicted pods are gone",
        () -> {
          var status = api.get(JOBS + "/sweep").path("status");
          return status.path("active").asInt() == PODS_OF_JOB - RECLAIMED
              && status.path("terminating").asInt() == 0;
        },
        EvictedJobsIT::state);
    var after = running("sweep");
    assertThat(before).as("pods that ran on").containsAll(after);
    assertThat(after).hasSize(PODS_OF_JOB - RECLAIMED);
    assertThat(api.get(JOBS + "/sweep").at("/status/failed").asInt()).isZero();
    assertThat(warnings(job)).isEmpty();

    // the Job controller brings evicted pods back after a pause, which the next success ends
    api.delete(JOBS + "/claim?propagationPolicy=Background");
    finishAll();
    ControlPlane.await(
        "the others come again", () -> running("sweep").size() == RECLAIMED, EvictedJobsIT::state);
    finishAll();
    ControlPlane.await("the Job is complete", () -> condition("Complete"), EvictedJobsIT::state);
    assertThat(api.get(JOBS + "/sweep").at("/status/succeeded").asInt()).isEqualTo(PODS_OF_JOB);
    assertThat(api.get(JOBS + "/sweep").at("/status/failed").asInt()).isZero();
  }

  @Test
  void aJobWithoutThePolicyIsToldAndFails() {
    var job = fill(false);
    ControlPlane.await(
        "the Job is told", () -> warnings(job).size() == 1, () -> api.list(EVENTS).toString());
    assertThat(warnings(job).getFirst())
        .contains("165 pods run at once, 0 failed so far, and backoffLimit is 6");
    claim();
    ControlPlane.await("the Job fails", () -> condition("Failed"), EvictedJobsIT::state);
    for (JsonNode each : api.get(JOBS + "/sweep").at("/status/conditions")) {
      if (each.path("type").asText().equals("Failed")) {
        assertThat(each.path("reason").asText()).isEqualTo("BackoffLimitExceeded");
      }
    }
    ControlPlane.await(
        "and loses all its pods", () -> running("sweep").isEmpty(), EvictedJobsIT::state);
    assertThat(warnings(job)).as("once").hasSize(1);
  }

  /// A budget that forbids every eviction: what its queue owes is deleted.
  @Test
  void podsThatAreDeletedAgainstABudgetDoNotCountEither() {
    var job = fill(true);
    api.createOrFail(
        BUDGETS,
        """
        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "all-stay"},
         "spec": {"minAvailable": 165, "selector": {"matchLabels": {"job-name": "sweep"}}}}
        """);
    ControlPlane.await(
        "the budget covers them",
        () -> api.get(BUDGETS + "/all-stay").at("/status/currentHealthy").asInt() == PODS_OF_JOB,
        () -> api.get(BUDGETS + "/all-stay").toString());
    claim();
    var reasons = reasonsUntilTheClaimRuns();
    assertThat(reasons).as("of DisruptionTarget").containsExactly("DeletionByBerth");
    assertThat(condition("Failed")).as("the Job has failed").isFalse();
    assertThat(api.get(JOBS + "/sweep").at("/status/failed").asInt()).isZero();
    assertThat(warnings(job)).isEmpty();
  }

  /// The example, grown until it fills the cluster, when all of it runs.
  ///
  /// @return its uid
  private static String fill(boolean withPolicy) {
    var job = example("sweep", PODS_OF_JOB);
    var spec = (ObjectNode) job.path("spec");
    assertThat(spec.path("podFailurePolicy").isMissingNode()).as("the example lacks it").isFalse();
    if (!withPolicy) {
      spec.remove("podFailurePolicy");
    }
    String uid = api.createOrFail(JOBS, job.toString()).at("/metadata/uid").asText();
    ControlPlane.await(
        "the Job runs", () -> running("sweep").size() == PODS_OF_JOB, EvictedJobsIT::state);
    return uid;
  }

  private static void claim() {
    var job = example("claim", RECLAIMED);
    ((ObjectNode) job.at("/metadata/labels")).put("berth.dev/queue", "product");
    ((ObjectNode) job.at("/metadata/annotations"))
        .put("berth.dev/min-member", Integer.toString(RECLAIMED));
    api.createOrFail(JOBS, job.toString());
  }

  /// Of the condition `DisruptionTarget` of pods that leave.
  private static Set<String> reasonsUntilTheClaimRuns() {
    var reasons = new TreeSet<String>();
    ControlPlane.await(
        "the claim runs",
        () -> {
          for (JsonNode pod : api.list(PODS)) {
            if (pod.path("metadata").has("deletionTimestamp")) {
              reasons.add(disruption(pod));
            }
          }
          return running("claim").size() == RECLAIMED;
        },
        EvictedJobsIT::state);
    return reasons;
  }

  private static ObjectNode example(String name, int pods) {
    var job = (ObjectNode) Api.documents(EXAMPLES.resolve("workloads/job.yaml")).getFirst();
    ((ObjectNode) job.path("metadata")).put("name", name);
    ((ObjectNode) job.at("/metadata/labels")).remove("priorityClassName"); // so it is preemptible
    ((ObjectNode) job.at("/metadata/annotations")).remove("berth.dev/preemption-delay");
    ((ObjectNode) job.path("spec")).put("parallelism", pods).put("completions", pods);
    ((ObjectNode) job.at("/spec/template"))
        .putObject("metadata")
        .putObject("annotations")
        .put("e2e/duration", "1h")
        .put("e2e/grace", "1s");
    return job;
  }

  private static void finishAll() {
    for (String pod : running("sweep")) {
      api.patch(
          PODS + "/" + pod, "{\"metadata\": {\"annotations\": {\"e2e/duration\": \"10ms\"}}}");
    }
  }

  /// Names of pods that run and do not leave.
  private static List<String> running(String job) {
    return api.list(PODS + "?labelSelector=job-name%3D" + job).stream()
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
        .filter(pod -> !pod.path("metadata").has("deletionTimestamp"))
        .map(Api::name)
        .toList();
  }

  private static String disruption(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("DisruptionTarget")) {
        return condition.path("reason").asText();
      }
    }
    return "none";
  }

  private static boolean condition(String type) {
    return api.hasCondition(JOBS + "/sweep", type);
  }

  /// What Berth told that Job.
  private static List<String> warnings(String uid) {
    return api.list(EVENTS).stream()
        .filter(event -> event.at("/regarding/uid").asText().equals(uid))
        .filter(event -> event.path("reason").asText().equals("EvictionsCountAsFailures"))
        .map(event -> event.path("note").asText())
        .toList();
  }

  private static String state() {
    var phases =
        api.list(PODS).stream()
            .collect(
                Collectors.groupingBy(
                    pod ->
                        pod.at("/metadata/labels/job-name").asText()
                            + " "
                            + pod.at("/status/phase").asText()
                            + (pod.path("metadata").has("deletionTimestamp") ? " leaving " : " ")
                            + disruption(pod),
                    Collectors.counting()));
    return phases
        + "\n"
        + api.list(JOBS)
        + "\n"
        + api.list("/apis/berth.dev/v1alpha1/namespaces/default/podgroups");
  }
}
