package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Disruption budgets as seen from pods alone: each covers the pods with its name in the label
/// `budget`.
///
/// A pod is healthy while it is Ready and not deleted, as the API server counts when it grants an
/// eviction.
final class Budgets {
  private final Map<String, Integer> wanted;
  private final Map<String, TreeSet<String>> healthy = new TreeMap<>();
  private final List<String> broken = new ArrayList<>();
  private boolean armed;

  /// @param wanted how many must stay healthy, by budget
  Budgets(Map<String, Integer> wanted) {
    this.wanted = wanted;
    wanted.keySet().forEach(name -> healthy.put(name, new TreeSet<>()));
  }

  synchronized void pod(String type, JsonNode pod) {
    String name = pod.path("metadata").path("labels").path("budget").asText();
    var covered = healthy.get(name);
    if (covered == null) {
      return;
    }
    String uid = pod.at("/metadata/uid").asText();
    boolean counts =
        !type.equals("DELETED")
            && !pod.path("metadata").has("deletionTimestamp")
            && !Truth.isOver(pod)
            && isReady(pod);
    boolean fell = false;
    if (counts) {
      covered.add(uid);
    } else {
      fell = covered.remove(uid);
    }
    if (armed && fell && covered.size() < wanted.get(name)) {
      broken.add(name + " has " + covered.size() + " healthy pods of " + wanted.get(name));
    }
  }

  private static boolean isReady(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// A budget object: what its own controller says.
  synchronized void budget(JsonNode budget) {
    var status = budget.path("status");
    int current = status.path("currentHealthy").asInt();
    int desired = status.path("desiredHealthy").asInt();
    if (armed && current < desired) {
      broken.add(Api.name(budget) + " says of itself " + current + " healthy of " + desired);
    }
  }

  /// From now on nothing may fall below what is wanted.
  synchronized void arm() {
    armed = true;
  }

  synchronized List<String> broken() {
    return List.copyOf(broken);
  }

  /// How many healthy pods each has above what it wants, summed up.
  synchronized int spare() {
    int spare = 0;
    for (var each : healthy.entrySet()) {
      spare += each.getValue().size() - wanted.get(each.getKey());
    }
    return spare;
  }
}
