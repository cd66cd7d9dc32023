package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.AdmissionRequests.queue;
import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A full cluster, of which the test is the autoscaler: it looks at pods that kube-scheduler calls
/// Unschedulable, as Cluster Autoscaler and Karpenter do, and adds a node.
class AutoscalerIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String OURS = "/api/v1/namespaces/berth-system/pods";
  private static final String REQUESTS =
      "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests";

  @Test
  void whatAnotherNodeWouldHelpIsSeenAndTheRestIsNot() {
    try (var cluster =
        ControlPlane.configured(
            "autoscaling: {enabled: true, after: 1s}\n", 21300, "--nodes", "1", "--gpus", "8")) {
      var api = cluster.admin();
      api.createOrFail(QUEUES, queue("default", "{}"));
      api.createOrFail(QUEUES, queue("small", "{'limit': {'gpu': 1}}"));
      api.createOrFail(PODS, pod("full").gpus(8).toString());
      awaitBound(api, "full");
      api.createOrFail(PODS, pod("quota").gpus(2).labelled("berth.dev/queue", "small").toString());
      api.createOrFail(PODS, pod("whole").gpus(2).toString());
      api.createOrFail(PODS, pod("half-a").share("0.5").toString());
      api.createOrFail(PODS, pod("half-b").share("0.5").toString());
      ControlPlane.await(
          "two whole devices, and one for both shares, are unschedulable",
          () -> unschedulable(api).equals(List.of("half-a 1", "whole 2")),
          () -> placeholders(api).toString());
      for (String name : List.of("quota", "whole", "half-a", "half-b")) {
        assertThat(api.get(PODS + "/" + name).at("/spec/schedulingGates/0/name").asText())
            .as("the gate of " + name)
            .isEqualTo("berth.dev/queued");
      }
      cluster.nodes(2);
      for (String name : List.of("whole", "half-a", "half-b")) {
        awaitBound(api, name);
      }
      ControlPlane.await(
          "nothing is asked for any more",
          () -> placeholders(api).isEmpty(),
          () -> placeholders(api).toString());

      cluster.define("autoscaling/provisioningrequests.yaml", REQUESTS);
      api.createOrFail(
          "/apis/berth.dev/v1alpha1/namespaces/default/podgroups", group("gang", 3, ""));
      for (int i = 0; i < 3; i++) {
        api.createOrFail(PODS, pod("gang-" + i).in("gang").gpus(8).toString());
      }
      var requests = new ArrayList<JsonNode>();
      ControlPlane.await(
          "the gang is asked for as one",
          () -> {
            requests.clear();
            requests.addAll(api.list(REQUESTS));
            return requests.size() == 1;
          },
          () -> placeholders(api).toString());
      var request = requests.getFirst();
      assertThat(request.at("/spec/podSets/0/count").asInt()).as("members").isEqualTo(3);
      String template = request.at("/spec/podSets/0/podTemplateRef/name").asText();
      assertThat(
              api.get("/api/v1/namespaces/default/podtemplates/" + template)
                  .at("/template/spec/containers/0/resources/requests")
                  .path("nvidia.com/gpu")
                  .asText())
          .as("devices of each")
          .isEqualTo("8");
      assertThat(placeholders(api)).as("placeholders of a gang").isEmpty();
      cluster.nodes(5);
      for (int i = 0; i < 3; i++) {
        awaitBound(api, "gang-" + i);
      }
      ControlPlane.await(
          "the request is withdrawn",
          () -> api.list(REQUESTS).isEmpty(),
          () -> api.list(REQUESTS).toString());
      assertThat(Truth.isBound(api.get(PODS + "/quota"))).as("quota is bound").isFalse();
    }
  }

  private static void awaitBound(Api api, String pod) {
    ControlPlane.await(
        pod + " is bound",
        () -> Truth.isBound(api.get(PODS + "/" + pod)),
        () -> api.get(PODS + "/" + pod).toString());
  }

  private static List<JsonNode> placeholders(Api api) {
    return api.list(OURS).stream()
        .filter(pod -> pod.at("/metadata/labels").has("berth.dev/placeholder"))
        .toList();
  }

  /// As an autoscaler sees them: the waiting group, and how many devices.
  private static List<String> unschedulable(Api api) {
    return placeholders(api).stream()
        .filter(AutoscalerIT::isUnschedulable)
        .map(pod ->
            pod.at("/metadata/annotations")
                    .path("berth.dev/room-for")
                    .asText()
                    .replace("default/", "")
                + " "
                + pod.at("/spec/containers/0/resources/requests").path("nvidia.com/gpu").asText())
        .sorted()
        .toList();
  }

  private static boolean isUnschedulable(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("status").asText().equals("False")
            && condition.path("reason").asText().equals("Unschedulable");
      }
    }
    return false;
  }
}
