package dev.berth.simulator.world;

import java.util.List;
import java.util.Map;

/// Objects for tests, in a line each.
public final class Objects {
  private Objects() {}

  public static Map<String, Object> node(String name, int gpus) {
    var amounts = ObjectTree.of("cpu", "8", "memory", "64Gi", "pods", "20");
    amounts.put("nvidia.com/gpu", Integer.toString(gpus));
    return ObjectTree.of(
        "metadata",
        ObjectTree.of("name", name, "labels", ObjectTree.of("nvidia.com/gpu.memory", "40000")),
        "status",
        ObjectTree.of("allocatable", amounts, "capacity", amounts));
  }

  /// A pod of namespace `team` that asks for these amounts.
  public static Map<String, Object> pod(String name, String scheduler, Object... amounts) {
    var asks = ObjectTree.of(amounts);
    return ObjectTree.of(
        "metadata",
        ObjectTree.of(
            "namespace",
            "team",
            "name",
            name,
            "annotations",
            ObjectTree.of(),
            "labels",
            ObjectTree.of()),
        "spec",
        ObjectTree.of(
            "schedulerName",
            scheduler,
            "containers",
            List.of(
                ObjectTree.of(
                    "name",
                    "main",
                    "resources",
                    ObjectTree.of("requests", asks, "limits", asks)))));
  }

  public static Map<String, Object> annotated(
      Map<String, Object> object, String annotation, String value) {
    ObjectTree.under(ObjectTree.under(object, "metadata"), "annotations").put(annotation, value);
    return object;
  }

  public static Map<String, Object> withPriority(Map<String, Object> pod, long priority) {
    ObjectTree.under(pod, "spec").put("priority", priority);
    return pod;
  }

  public static Map<String, Object> onNode(Map<String, Object> pod, String node) {
    ObjectTree.under(pod, "spec").put("nodeName", node);
    return pod;
  }
}
