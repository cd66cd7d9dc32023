package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.map;
import static dev.berth.simulator.world.ObjectTree.text;
import static dev.berth.simulator.world.ObjectTree.under;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.request.NodeManifest;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.WellKnownNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Shares of GPUs that KAI Scheduler gave. Pods with the same label are on the same GPU, which a
/// pod of KAI's reserves. Here that pod is left out, and the share says its GPU as Berth's do: by
/// the number of a shared GPU of its node.
final class KaiShares {
  private static final Instant FOR_GOOD = Instant.parse("2999-01-01T00:00:00Z");

  private KaiShares() {}

  /// Whether the pod reserves a GPU for shares.
  static boolean isReservation(Map<String, Object> pod) {
    return !gpus(pod).isEmpty()
        && PodManifest.read(pod)
            .filter(it -> it.asks().request().devices() instanceof DeviceRequest.Whole)
            .isPresent();
  }

  /// @param pods that count as Berth's; shares among them are changed
  static void place(List<Map<String, Object>> pods, List<Map<String, Object>> objects) {
    var perNode = new TreeMap<String, TreeSet<String>>();
    for (Map<String, Object> pod : pods) {
      perNode
          .computeIfAbsent(text(pod, "spec", "nodeName"), _ -> new TreeSet<>())
          .addAll(gpus(pod));
    }
    var memory = new HashMap<String, Long>(); // looked up only
    for (Map<String, Object> object : objects) {
      if (text(object, "kind").equals("Node")) {
        NodeManifest.read(object)
            .ifPresent(node -> memory.put(node.name().value(), node.accelerator().memoryMib()));
      }
    }
    for (Map<String, Object> pod : pods) {
      String node = text(pod, "spec", "nodeName");
      if (!node.isEmpty() && !gpus(pod).isEmpty()) {
        var all = List.copyOf(perNode.getOrDefault(node, new TreeSet<>()));
        PodManifest.read(pod).ifPresent(it -> write(pod, it, all, memory.getOrDefault(node, 0L)));
      }
    }
  }

  private static void write(Map<String, Object> pod, Pod it, List<String> all, long memoryMib) {
    var devices = it.asks().request().devices();
    int millis = devices.millisOn(memoryMib);
    if (!devices.isShare() || millis > 1000 || it.life().node().equals(NodeName.NONE)) {
      return;
    }
    var slots = gpus(pod).stream().map(all::indexOf).sorted().toList();
    var plan = new WrittenPlan(new Placement(it.life().node(), slots, millis), "", 1, FOR_GOOD);
    under(under(pod, "metadata"), "annotations").put(WellKnownNames.PLAN, plan.text());
  }

  /// The names of GPUs on its labels.
  private static List<String> gpus(Map<String, Object> pod) {
    var names = new ArrayList<String>();
    for (Map.Entry<String, Object> label : map(pod, "metadata", "labels").entrySet()) {
      boolean isOne =
          label.getKey().equals(WellKnownNames.KAI_GPU_GROUP)
              || label.getKey().startsWith(WellKnownNames.KAI_GPU_GROUP + "/");
      if (isOne) {
        names.add(String.valueOf(label.getValue()));
      }
    }
    return names.stream().distinct().sorted().toList();
  }
}
