package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The rows of docs/operators/operators.md for KubeRay, with its own controllers: the examples live
/// through creation, suspension, scaling, failure, reclaim and their end.
///
/// Not part of `verify`, since KubeRay takes minutes to build the first time: run it with `./mvnw
/// -pl e2e -am verify -Dit.test=RayLivesLoad -Dsurefire.failIfNoSpecifiedTests=false`. `-Dports=N`
/// is the first of its ports.
class RayLivesLoad {
  private static final int PORTS = Integer.getInteger("ports", 25600);

  /// Where the double of Ray's dashboards listens: the port of KubeRay's webhooks
  /// (e2e/lib/operators.sh).
  private static final int DASHBOARD = PORTS + 49;

  private static final String NAMESPACE = "/namespaces/default/";
  private static final String JOBS = "/apis/batch/v1" + NAMESPACE + "jobs";
  private static final String RAY = "/apis/ray.io/v1" + NAMESPACE;

  @AutoClose private static OperatorWorld world;

  @BeforeAll
  static void up() {
    world = OperatorWorld.up(PORTS, "kuberay");
  }

  @AfterEach
  void clean() {
    world.clean();
  }

  /// With three GPUs free in each rack the pair would be split, did it not share a rack.
  @Test
  void aRayCluster() {
    world.leaveFree(3, 3);
    String ray = RAY + "rayclusters/ray";
    world.create(RAY + "rayclusters", world.example("raycluster"));
    world.awaitBound("ray-", 6);
    world.await("it is provisioned", () -> world.condition(ray, "RayClusterProvisioned"));
    assertThat(world.ownerOfGroup("ray")).isEqualTo("RayCluster ray");
    world.expectOneRack("ray-pair-", 2);
    world.giveBack();

    world.patch(ray, "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.pods("ray-").isEmpty());
    world.patch(ray, "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("ray-", 6);

    scale(ray, "", 4);
    world.awaitBound("ray-small-", 4);
    scale(ray, "", 2);
    world.awaitBound("ray-small-", 2);
    scale(ray, "", 3);
    world.awaitBound("ray-", 6);

    var head = world.uids("ray-head-");
    var small = world.uids("ray-small-");
    world.fail("ray-small-");
    world.awaitAnew("ray-small-", small, 1);
    world.awaitBound("ray-small-", 3);
    assertThat(world.uids("ray-head-")).as("the head").isEqualTo(head);
    small = world.uids("ray-small-");
    world.fail("ray-head-");
    world.awaitAnew("ray-head-", head, 1);
    assertThat(world.uids("ray-small-")).as("workers").isEqualTo(small);

    world.reclaim("ray-", 6);
  }

  @Test
  void aRayJob() {
    String report = RAY + "rayjobs/report";
    jobStatus("RUNNING");
    world.create(RAY + "rayjobs", world.example("rayjob"));
    world.awaitBound("report-", 7);
    world.await("its job runs", () -> jobStatusOf(report).equals("RUNNING"));
    String name = world.api.get(report).at("/status/rayClusterName").asText();
    assertThat(world.ownerOfGroup("report-" + name)).isEqualTo("RayJob report");

    world.patch(report, "{\"spec\": {\"suspend\": true}}");
    world.await("its pods are gone", () -> world.pods("report-").isEmpty());
    world.patch(report, "{\"spec\": {\"suspend\": false}}");
    world.awaitBound("report-", 7);
    world.await("its job runs", () -> jobStatusOf(report).equals("RUNNING"));
    var head = world.uids(cluster(report) + "-head-");

    // the submitter leaves with the gang, and counts as failed: its Job takes two of these
    jobStatus("NONE");
    world.reclaim("report-", 7);
    assertThat(world.uids(cluster(report) + "-head-")).doesNotContainAnyElementsOf(head);
    assertThat(world.api.get(JOBS + "/report").at("/status/failed").asInt()).isEqualTo(1);
    jobStatus("RUNNING");
    world.reclaim("report-", 7);
    assertThat(world.api.get(JOBS + "/report").at("/status/failed").asInt()).isEqualTo(2);
    String lost = cluster(report);
    world.reclaim("report-", 7);
    assertThat(cluster(report)).as("with the third the RayJob is tried anew").isNotEqualTo(lost);
    assertThat(world.api.get(report).at("/status/failed").asInt()).isEqualTo(1);

    world.await("its job runs", () -> jobStatusOf(report).equals("RUNNING"));
    jobStatus("SUCCEEDED");
    for (JsonNode pod : world.pods("report-")) {
      if (pod.at("/metadata/ownerReferences/0/kind").asText().equals("Job")) {
        world.finish(Api.name(pod));
      }
    }
    world.await(
        "it is complete",
        () -> world.api.get(report).at("/status/jobDeploymentStatus").asText().equals("Complete"));
    world.await("its cluster is gone", () -> world.pods(cluster(report)).isEmpty());
    jobStatus("RUNNING");
  }

  @Test
  void aRayService() {
    String serve = RAY + "rayservices/serve";
    world.create(RAY + "rayservices", world.example("rayservice"));
    world.awaitBound("serve-", 6);
    String first = serving(serve);
    assertThat(world.ownerOfGroup("serve-" + first)).isEqualTo("RayService serve");
    world.reclaim("serve-", 6);

    world.patch(serve, "{\"spec\": {\"rayClusterConfig\": {\"rayVersion\": \"2.53.0\"}}}");
    world.awaitBound("serve-", 12);
    assertThat(world.groups("serve-")).as("a gang for each cluster").hasSize(2);
  }

  /// `replicas` of its cluster count for the next cluster alone.
  @Test
  void aRayServiceThatLosesAWorkerAndIsScaled() {
    String serve = RAY + "rayservices/serve";
    world.create(RAY + "rayservices", world.example("rayservice"));
    world.awaitBound("serve-", 6);
    String cluster = "serve-" + serving(serve);

    var small = new TreeSet<String>();
    for (JsonNode pod : world.pods("serve-")) {
      if (Api.name(pod).contains("-small-")) {
        small.add(Api.name(pod));
      }
    }
    assertThat(small).hasSize(3);
    var before = world.uids("serve-");
    var lost = world.uids(small.first());
    world.fail(small.first());
    world.awaitAnew("serve-", before, 1);
    before.removeAll(lost);
    assertThat(world.uids("serve-")).as("the others").hasSize(6).containsAll(before);

    scale(serve, "rayClusterConfig", 4);
    Api.pause(Duration.ofSeconds(8));
    assertThat(world.uids("serve-")).as("pods of the cluster that serves").hasSize(6);
    assertThat("serve-" + serving(serve)).isEqualTo(cluster);
    world.patch(serve, "{\"spec\": {\"rayClusterConfig\": {\"rayVersion\": \"2.53.0\"}}}");
    world.awaitBound("serve-", 13);
    assertThat(world.groups("serve-")).as("a gang for each cluster").hasSize(2);
  }

  /// Its Job makes it anew twice; with the third failure the RayJob starts again with a new
  /// cluster.
  @Test
  void aPodThatSubmitsAndFailsIsMadeAnew() {
    String report = RAY + "rayjobs/report";
    jobStatus("RUNNING");
    world.create(RAY + "rayjobs", world.example("rayjob"));
    world.awaitBound("report-", 7);
    String first = cluster(report);
    var cluster = world.uids(first + "-");
    for (int failure = 1; failure <= 2; failure++) {
      int failures = failure;
      var before = world.uids("report-");
      world.fail(submitter());
      world.awaitAnew("report-", before, 1);
      world.await(
          "its Job counts it",
          () -> world.api.get(JOBS + "/report").at("/status/failed").asInt() == failures);
      assertThat(world.uids(first + "-")).as("the cluster").isEqualTo(cluster);
    }
    world.fail(submitter());
    world.await("the RayJob is tried anew", () -> !cluster(report).equals(first));
    world.awaitBound("report-", 7);
    assertThat(world.uids("report-")).as("pods anew").doesNotContainAnyElementsOf(cluster);
    assertThat(world.api.get(report).at("/status/failed").asInt()).isEqualTo(1);
  }

  /// The name of the pod that submits and has not ended.
  private static String submitter() {
    return world.pods("report-").stream()
        .filter(pod -> pod.at("/metadata/ownerReferences/0/kind").asText().equals("Job"))
        .filter(pod -> pod.at("/status/phase").asText().equals("Running"))
        .map(Api::name)
        .findFirst()
        .orElseThrow();
  }

  /// @param at where the spec of the RayCluster stands in that of the object; empty = it is that
  private static void scale(String path, String at, int replicas) {
    var below = at.isEmpty() ? "" : "/" + at;
    var groups = world.api.get(path).at("/spec" + below + "/workerGroupSpecs").deepCopy();
    ((ObjectNode) groups.get(0)).put("replicas", replicas);
    String scaled = "{\"workerGroupSpecs\": " + groups + "}";
    world.patch(
        path, "{\"spec\": " + (at.isEmpty() ? scaled : "{\"" + at + "\": " + scaled + "}") + "}");
  }

  private static String cluster(String rayJob) {
    return world.api.get(rayJob).at("/status/rayClusterName").asText();
  }

  private static String jobStatusOf(String rayJob) {
    return world.api.get(rayJob).at("/status/jobStatus").asText();
  }

  private static String serving(String service) {
    var status = world.api.get(service).path("status");
    String active = status.at("/activeServiceStatus/rayClusterName").asText();
    return active.isEmpty() ? status.at("/pendingServiceStatus/rayClusterName").asText() : active;
  }

  /// What dashboards say of every job from now on (e2e/lib/ray-dashboard.py).
  private static void jobStatus(String status) {
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + DASHBOARD + "/double/job-status"))
              .PUT(HttpRequest.BodyPublishers.ofString(status))
              .build();
      assertThat(http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException("the double of Ray's dashboards does not answer", failed);
    }
  }
}
