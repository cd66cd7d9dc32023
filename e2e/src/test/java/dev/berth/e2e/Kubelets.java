package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// Plays what kwok leaves out: a kubelet admits pods as long as it has devices, and refuses the
/// rest.
final class Kubelets {
  private static final String STATUS = "/status";

  private final String resource;
  private final int devices;
  private final Set<String> admitted = new HashSet<>(); // UIDs
  private final Comparator<JsonNode> firstToGo;

  private Kubelets(String resource, int devices, boolean inOrder) {
    this.resource = resource;
    this.devices = devices;
    this.firstToGo =
        inOrder
            ? Comparator.comparing(this::isAdmitted)
                .thenComparing(Comparator.comparing(Kubelets::boundAt).reversed())
            : Comparator.comparing(Kubelets::isOfBerth);
  }

  /// Admitted pods stay; new pods are admitted in the order in which pods were bound, as far as
  /// that can be told. Holders report their devices from then on, where the cluster runs with
  /// `--kubelets-admit`.
  ///
  /// @param resource the device resource
  /// @param devices of each node
  static Kubelets inOrder(String resource, int devices) {
    return new Kubelets(resource, devices, true);
  }

  /// As if pods of the default scheduler always came to the node last.
  static Kubelets berthFirst(String resource, int devices) {
    return new Kubelets(resource, devices, false);
  }

  /// One look at all nodes.
  ///
  /// @return how many pods were refused
  int admit(Api api) {
    var byNode = new TreeMap<String, List<JsonNode>>();
    for (JsonNode pod : api.list("/api/v1/pods")) {
      if (Truth.isBound(pod) && !Truth.isOver(pod) && asked(pod) > 0) {
        byNode.computeIfAbsent(pod.at("/spec/nodeName").asText(), _ -> new ArrayList<>()).add(pod);
      }
    }
    int refused = 0;
    for (List<JsonNode> pods : byNode.values()) {
      int used = pods.stream().mapToInt(this::asked).sum();
      pods.sort(firstToGo);
      for (JsonNode pod : pods) {
        if (used > devices) {
          used -= asked(pod);
          refused++;
          refuse(api, pod);
        } else if (admitted.add(uid(pod)) && Truth.isHolder(pod)) {
          tell(api, pod);
        }
      }
    }
    return refused;
  }

  private void refuse(Api api, JsonNode pod) {
    api.patch(
        path(pod) + STATUS,
        "{\"status\": {\"phase\": \"Failed\", \"reason\": \"OutOf" + resource + "\"}}");
  }

  private static void tell(Api api, JsonNode pod) {
    api.call(
        "PATCH",
        path(pod) + STATUS,
        "application/strategic-merge-patch+json",
        "{\"status\": {\"conditions\": [{\"type\": \"e2e.berth.dev/Admitted\", \"status\":"
            + " \"True\"}]}}");
  }

  private int asked(JsonNode pod) {
    int asked = 0;
    for (JsonNode container : pod.at("/spec/containers")) {
      asked += container.path("resources").path("limits").path(resource).asInt();
    }
    return asked;
  }

  private boolean isAdmitted(JsonNode pod) {
    return admitted.contains(uid(pod));
  }

  private static boolean isOfBerth(JsonNode pod) {
    return Truth.isHolder(pod) || pod.at("/spec/schedulerName").asText().equals("berth");
  }

  static String uid(JsonNode pod) {
    return pod.at("/metadata/uid").asText();
  }

  static String path(JsonNode pod) {
    var metadata = pod.path("metadata");
    return "/api/v1/namespaces/"
        + metadata.path("namespace").asText()
        + "/pods/"
        + metadata.path("name").asText();
  }

  private static String boundAt(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")) {
        return condition.path("lastTransitionTime").asText();
      }
    }
    return pod.at("/metadata/creationTimestamp").asText();
  }
}
