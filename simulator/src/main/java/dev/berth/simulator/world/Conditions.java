package dev.berth.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Conditions of a status: a list keyed by `type`.
final class Conditions {
  private Conditions() {}

  static Map<String, Object> condition(String type, boolean status, String reason, String message) {
    var condition = ObjectTree.of("type", type, "status", status ? "True" : "False");
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
    }
    if (!message.isEmpty()) {
      condition.put("message", message);
    }
    return condition;
  }

  /// Sets one condition in a status that may be changed; the others stay.
  static void set(
      Map<String, Object> status, String type, boolean isTrue, String reason, String message) {
    status.put(
        "conditions",
        merged(
            ObjectTree.maps(status, "conditions"),
            List.of(condition(type, isTrue, reason, message))));
  }

  /// The conditions of `before` with those of `patch` put over them by type.
  static List<Object> merged(List<Map<String, Object>> before, List<Map<String, Object>> patch) {
    var merged = new ArrayList<Object>();
    for (var condition : before) {
      String type = ObjectTree.text(condition, "type");
      if (patch.stream().noneMatch(other -> ObjectTree.text(other, "type").equals(type))) {
        merged.add(condition);
      }
    }
    merged.addAll(patch);
    return merged;
  }

  static Map<String, Object> find(Map<String, ?> object, String type) {
    for (var condition : ObjectTree.maps(object, "status", "conditions")) {
      if (ObjectTree.text(condition, "type").equals(type)) {
        return condition;
      }
    }
    return Map.of();
  }
}
