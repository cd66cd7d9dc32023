package dev.berth.simulator.world;

import dev.berth.engine.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What of a pod or a node the API server would refuse, as it is no quantity.
public final class QuantityProblems {
  private QuantityProblems() {}

  /// Of the containers of a pod: requests and limits.
  public static List<Problem> ofPod(Map<String, ?> pod) {
    var problems = new ArrayList<Problem>();
    for (String kind : List.of("containers", "initContainers")) {
      if (ObjectTree.map(pod, "spec").get(kind) instanceof List<?> containers) {
        for (int i = 0; i < containers.size(); i++) {
          for (String field : List.of("requests", "limits")) {
            look(
                resources(containers.get(i)),
                field,
                "spec.%s[%d].resources.%s".formatted(kind, i, field),
                problems);
          }
        }
      }
    }
    return problems;
  }

  /// Of the status of a node: capacity and allocatable.
  public static List<Problem> ofNode(Map<String, ?> node) {
    var problems = new ArrayList<Problem>();
    for (String field : List.of("capacity", "allocatable")) {
      look(ObjectTree.map(node, "status"), field, "status." + field, problems);
    }
    return problems;
  }

  private static Map<?, ?> resources(Object container) {
    return container instanceof Map<?, ?> map && map.get("resources") instanceof Map<?, ?> resources
        ? resources
        : Map.of();
  }

  private static void look(Map<?, ?> holder, String key, String field, List<Problem> problems) {
    if (holder.get(key) instanceof Map<?, ?> map) {
      map.forEach((name, value) -> {
        if (!Quantity.isOne(value)) {
          problems.add(
              new Problem(
                  field + "." + name,
                  String.valueOf(value),
                  "it is a quantity, like 2, 500m or 64Gi."));
        }
      });
    }
  }
}
