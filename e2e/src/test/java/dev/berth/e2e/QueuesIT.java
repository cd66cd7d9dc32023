package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Queues as people meet them: by a namespace, by default, in their status, and when they delete
/// one.
class QueuesIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String TEAM = "/api/v1/namespaces/team/pods";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(21400, "--nodes", "1", "--gpus", "8");
    api = cluster.admin();
    queue("ml", "{}");
    queue("ml.team", "{'parent': 'ml', 'limit': {'gpu': 2}}");
    api.createOrFail(
        "/api/v1/namespaces",
        """
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team",
         "labels": {"berth.dev/queue": "ml.team", "berth.dev/scheduler": "berth"}}}
        """);
  }

  @Test
  void aNamespaceGivesItsPodsSchedulerAndQueueAndAQueueInUseStays() {
    api.createOrFail(TEAM, pod("runs").by("default-scheduler").gpus(2).toString());
    awaitBound(TEAM + "/runs");
    api.createOrFail(TEAM, pod("waits").by("default-scheduler").gpus(1).toString());
    awaitNote("waits", "queue ml.team has 2 of its limit of 2 GPUs in use");

    String workloads = "workloads run in it, workloads wait in it";
    awaitUse("ml.team", workloads + ".");
    awaitUse("ml", workloads + ", queue ml.team is below it.");
    assertThat(api.delete(QUEUES + "/ml.team").message())
        .contains("queue ml.team is in use: workloads run in it, workloads wait in it.");

    api.delete(TEAM + "?gracePeriodSeconds=0");
    awaitUse("ml.team", "");
    awaitUse("ml", "queue ml.team is below it.");
    assertThat(api.delete(QUEUES + "/ml").message()).contains("queue ml.team is below it");
    awaitRest("ml.team");
  }

  @Test
  void aPodThatNamesNoQueueIsInTheDefaultOneWhichNeedsNoObject() {
    api.createOrFail(PODS, pod("nameless").gpus(1).toString());
    awaitBound(PODS + "/nameless");
    queue("default", "{}");
    awaitUse("default", "workloads run in it.");
    api.delete(PODS + "?gracePeriodSeconds=0");
    awaitUse("default", "");
  }

  @Test
  void aQueueTakesPodsOfTheNamespacesThatItChooses() {
    queue("guarded", "{'namespaceSelector': {'matchLabels': {'team': 'ml'}}}");
    queue("guarded.vision", "{'parent': 'guarded'}");
    api.createOrFail(
        PODS, pod("guest").labelled("berth.dev/queue", "guarded.vision").gpus(1).toString());
    awaitNote("guest", "namespace default may not use queue guarded.vision below guarded");
    var label = "{\"metadata\": {\"labels\": {\"team\": \"ml\"}}}";
    assertThat(api.patch("/api/v1/namespaces/default", label).isOk()).isTrue();
    awaitBound(PODS + "/guest");
    api.delete(PODS + "?gracePeriodSeconds=0");
  }

  private static void queue(String name, String spec) {
    api.createOrFail(QUEUES, AdmissionRequests.queue(name, spec));
  }

  private static void awaitBound(String pod) {
    ControlPlane.await(
        pod + " is bound",
        () -> Truth.isBound(api.get(pod)),
        () -> api.get(pod).toString() + api.list("/apis/events.k8s.io/v1/events"));
  }

  private static void awaitNote(String pod, String words) {
    ControlPlane.await(
        pod + " tells: " + words,
        () ->
            api.list("/apis/events.k8s.io/v1/events").stream()
                .filter(event -> event.at("/regarding/name").asText().equals(pod))
                .anyMatch(event -> event.path("note").asText().contains(words)),
        () -> api.list("/apis/events.k8s.io/v1/events").toString());
  }

  /// @param words of the condition; empty = it is not in use
  private static void awaitUse(String queue, String words) {
    ControlPlane.await(
        queue + " says of its use: " + words,
        () -> {
          var use = use(queue);
          return use.path("status").asText().equals(words.isEmpty() ? "False" : "True")
              && use.path("message").asText().equals(words);
        },
        () -> api.get(QUEUES + "/" + queue).toString());
  }

  private static JsonNode use(String queue) {
    for (JsonNode condition : api.get(QUEUES + "/" + queue).at("/status/conditions")) {
      if (condition.path("type").asText().equals("InUse")) {
        return condition;
      }
    }
    return Api.JSON.createObjectNode();
  }

  /// Nothing changes, nothing is written: for longer than two writes of a status are apart. What
  /// was written last may still be about pods that have just gone.
  private static void awaitRest(String queue) {
    ControlPlane.await(
        queue + " stays as it is",
        () -> {
          String version = version(queue);
          Api.pause(Duration.ofSeconds(7));
          return version(queue).equals(version);
        },
        () -> api.get(QUEUES + "/" + queue).toString());
  }

  private static String version(String queue) {
    return api.get(QUEUES + "/" + queue).at("/metadata/resourceVersion").asText();
  }
}
