package dev.berth.controllers.intake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// In place of a pod that cannot be read: the same name, node and phase, and it asks for more
/// places for pods than any node has.
final class UnreadablePod {
  private static final String MANY = "1000000000";

  private UnreadablePod() {}

  static Map<String, Object> of(Map<String, ?> pod) {
    var spec = texts(pod, "spec", "nodeName");
    spec.put("containers", List.of(Map.of("resources", Map.of("requests", Map.of("pods", MANY)))));
    return Map.of(
        "metadata",
        texts(pod, "metadata", "name", "namespace", "uid", "resourceVersion"),
        "spec",
        spec,
        "status",
        texts(pod, "status", "phase"));
  }

  private static Map<String, Object> texts(Map<String, ?> pod, String part, String... names) {
    var texts = new HashMap<String, Object>();
    if (pod.get(part) instanceof Map<?, ?> map) {
      for (String name : names) {
        if (map.get(name) instanceof String text) {
          texts.put(name, text);
        }
      }
    }
    return texts;
  }
}
