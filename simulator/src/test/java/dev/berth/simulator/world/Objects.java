package dev.berth.simulator.world;

import java.util.List;
import java.util.Map;

/// Objects for tests, in a line each.
public final class Objects {
  private Objects() {}

  public static Map<String, Object> node(String name, int gpus) {
    var amounts = Tree.of("cpu", "8", "memory", "64Gi", "pods", "20");
    amounts.put("nvidia.com/gpu", Integer.toString(gpus));
    return Tree.of(
        "metadata",
        Tree.of("name", name, "labels", Tree.of("nvidia.com/gpu.memory", "40000")),
        "status",
        Tree.of("allocatable", amounts, "capacity", amounts));
  }

  /// A pod of namespace `team` that asks for these amounts.
  public static Map<String, Object> pod(String name, String scheduler, Object... amounts) {
    var asks = Tree.of(amounts);
    return Tree.of(
        "metadata",
        Tree.of("namespace", "team", "name", name, "annotations", Tree.of(), "labels", Tree.of()),
        "spec",
        Tree.of(
            "schedulerName",
            scheduler,
            "containers",
            List.of(
                Tree.of("name", "main", "resources", Tree.of("requests", asks, "limits", asks)))));
  }

  public static Map<String, Object> annotated(
      Map<String, Object> object, String annotation, String value) {
    Tree.under(Tree.under(object, "metadata"), "annotations").put(annotation, value);
    return object;
  }

  public static Map<String, Object> withPriority(Map<String, Object> pod, long priority) {
    Tree.under(pod, "spec").put("priority", priority);
    return pod;
  }

  public static Map<String, Object> onNode(Map<String, Object> pod, String node) {
    Tree.under(pod, "spec").put("nodeName", node);
    return pod;
  }
}
