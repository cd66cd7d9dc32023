package dev.berth.simulator.world;

import static dev.berth.simulator.world.ObjectTree.of;

import java.util.List;
import java.util.Map;

/// A node that is ready, with GPUs of one model, as their device plugin and discovery tell of them.
///
/// @param devices how many
/// @param amounts what it has beside them
/// @param labels those of its own
public record SimulatedGpuNode(
    String name, int devices, Model model, Map<String, ?> amounts, Map<String, ?> labels) {
  public static final String GPU = "nvidia.com/gpu";

  public record Model(String product, int memoryMib) {}

  /// As an API object.
  public Map<String, Object> tree() {
    String count = Integer.toString(devices);
    var all = ObjectTree.thaw(amounts);
    all.put(GPU, count);
    var told = of("kubernetes.io/hostname", name);
    told.putAll(labels);
    told.put("nvidia.com/gpu.product", model.product());
    told.put("nvidia.com/gpu.memory", Integer.toString(model.memoryMib()));
    told.put("nvidia.com/gpu.count", count);
    var conditions = List.of(of("type", "Ready", "status", "True"));
    return of(
        "apiVersion",
        "v1",
        "kind",
        "Node",
        "metadata",
        of("name", name, "labels", told),
        "status",
        of("capacity", all, "allocatable", all, "conditions", conditions));
  }
}
