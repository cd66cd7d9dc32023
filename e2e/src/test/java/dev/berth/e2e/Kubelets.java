package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Plays what kwok leaves out: a kubelet admits pods as long as it has devices, and refuses the
/// rest.
///
/// @param resource the device resource
/// @param devices of each node
/// @param firstToGo who is refused first where a node gives out more than it has
record Kubelets(String resource, int devices, Comparator<JsonNode> firstToGo) {
  /// In the order in which pods were bound, as far as that can be told.
  static final Comparator<JsonNode> LAST_BOUND_GOES =
      Comparator.comparing(Kubelets::boundAt).reversed();

  /// As if the other pods had come to the node first.
  static final Comparator<JsonNode> DEFAULT_SCHEDULER_GOES =
      Comparator.comparing(pod ->
          Truth.isHolder(pod) || pod.at("/spec/schedulerName").asText().equals("berth") ? 1 : 0);

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
        }
      }
    }
    return refused;
  }

  private void refuse(Api api, JsonNode pod) {
    var metadata = pod.path("metadata");
    api.patch(
        "/api/v1/namespaces/"
            + metadata.path("namespace").asText()
            + "/pods/"
            + metadata.path("name").asText()
            + "/status",
        "{\"status\": {\"phase\": \"Failed\", \"reason\": \"OutOf" + resource + "\"}}");
  }

  private int asked(JsonNode pod) {
    int asked = 0;
    for (JsonNode container : pod.at("/spec/containers")) {
      asked += container.path("resources").path("limits").path(resource).asInt();
    }
    return asked;
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
