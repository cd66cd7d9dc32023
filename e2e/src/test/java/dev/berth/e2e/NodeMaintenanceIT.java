package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.extended.kubectl.Kubectl;
import io.kubernetes.client.extended.kubectl.exception.KubectlException;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// An administrator takes a node out and gives it back with the official client, as kubectl does:
/// what runs there comes again elsewhere, and a gang that needs the node waits for it as a whole.
class NodeMaintenanceIT {
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";

  @AutoClose private static ControlPlane cluster;
  private static Api api;
  private static ApiClient client;

  @BeforeAll
  static void up() throws IOException {
    cluster = ControlPlane.up(22600, "--nodes", "2", "--gpus", "4", "--controller-manager");
    api = cluster.admin();
    client = Config.fromConfig(cluster.dir().resolve("admin.kubeconfig").toString());
    for (JsonNode queue : Api.documents(EXAMPLES.resolve("queues.yaml"))) {
      api.createOrFail(QUEUES, queue.toString());
    }
  }

  @Test
  void aDrainedNodeIsLeftAndUsedAgainOnceItIsUncordoned() throws KubectlException {
    api.createOrFail("/apis/apps/v1/namespaces/default/deployments", example("deployment"));
    awaitBound("chat-", 2);
    String drained = node(of("chat-").getFirst());

    var cordoned =
        Kubectl.drain().force().ignoreDaemonSets().apiClient(client).name(drained).execute();

    assertThat(cordoned.getSpec().getUnschedulable()).as("cordoned").isTrue();
    awaitBound("chat-", 2);
    assertThat(of("chat-")).extracting(NodeMaintenanceIT::node).doesNotContain(drained);
    api.createOrFail("/apis/batch/v1/namespaces/default/jobs", example("job"));
    ControlPlane.await(
        "the gang of four is told that a node is cordoned",
        () -> api.list(GROUPS).stream().anyMatch(NodeMaintenanceIT::isToldOfTheCordon),
        () -> api.list(GROUPS).toString());
    assertThat(of("sweep-")).as("none of it starts").noneMatch(Truth::isBound);

    Kubectl.uncordon().apiClient(client).name(drained).execute();

    ControlPlane.await(
        "all of its ten pods ran, four at once",
        () ->
            api.get("/apis/batch/v1/namespaces/default/jobs/sweep").at("/status/succeeded").asInt()
                == 10,
        () -> of("sweep-") + "\n" + api.list(GROUPS));
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
  }

  private static boolean isToldOfTheCordon(JsonNode group) {
    return group.at("/status/message").asText().contains("of 2 nodes 1 cordoned");
  }

  private static String example(String name) {
    return Api.documents(EXAMPLES.resolve("workloads/" + name + ".yaml")).getFirst().toString();
  }

  private static void awaitBound(String prefix, int count) {
    ControlPlane.await(
        count + " of " + prefix + " are bound",
        () -> of(prefix).size() == count && of(prefix).stream().allMatch(Truth::isBound),
        () -> of(prefix) + "\n" + api.list(GROUPS));
  }

  private static List<JsonNode> of(String prefix) {
    return api.list(PODS).stream().filter(pod -> Api.name(pod).startsWith(prefix)).toList();
  }

  private static String node(JsonNode pod) {
    return pod.at("/spec/nodeName").asText();
  }
}
