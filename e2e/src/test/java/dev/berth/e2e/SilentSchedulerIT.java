package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A pod whose gate is lifted waits for kube-scheduler. Where that is down, Kubernetes says of the
/// pod what it said before, and so Berth says it.
class SilentSchedulerIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  @Test
  void aPodSaysThatKubeSchedulerDoesNotAskForIt() {
    try (var cluster = ControlPlane.up(23600, "--nodes", "1", "--gpus", "4")) {
      Api api = cluster.admin();
      api.createQueue("research", 4);
      cluster.kill("kube-scheduler");
      api.createOrFail(
          PODS, PodYaml.pod("waits").labelled("berth.dev/queue", "research").gpus(1).toString());
      ControlPlane.await(
          "it says so",
          () ->
              messages(api).stream()
                  .anyMatch(words ->
                      words.startsWith("Starting: ")
                          && words.contains(
                              "kube-scheduler has not asked for pod default/waits since")),
          () -> messages(api).toString());
      cluster.restart("kube-scheduler");
      ControlPlane.await(
          "it is bound",
          () -> !api.get(PODS + "/waits").at("/spec/nodeName").asText().isEmpty(),
          () -> messages(api).toString());
      assertThat(api.get(PODS + "/waits").at("/spec/schedulingGates").isEmpty()).isTrue();
    }
  }

  private static List<String> messages(Api api) {
    return api.get(PODS + "/waits").at("/status/conditions").findValuesAsText("message");
  }
}
