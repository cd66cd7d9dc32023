package dev.berth.engine.ledger;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Which pods have which GPUs, as the kubelets say: pods of any scheduler, holders left out.
/// Guarded by the ledger's lock.
final class Allocations {
  private record Given(NodeName node, List<String> devices) {}

  private final Map<PodKey, Given> pods = new HashMap<>();
  private final Map<NodeName, TreeMap<String, PodKey>> owners = new HashMap<>();

  /// @param devices IDs of the device plugin; empty = it has none, or is gone
  void set(PodKey pod, NodeName node, List<String> devices) {
    var before = pods.remove(pod);
    if (before != null) {
      var there = owners.getOrDefault(before.node(), new TreeMap<>());
      before.devices().forEach(device -> there.remove(device, pod));
      if (there.isEmpty()) {
        owners.remove(before.node());
      }
    }
    if (!devices.isEmpty() && !node.isNone()) {
      pods.put(pod, new Given(node, devices));
      var there = owners.computeIfAbsent(node, _ -> new TreeMap<>());
      devices.forEach(device -> there.put(device, pod));
    }
  }

  Optional<PodKey> owner(NodeName node, String device) {
    return Optional.ofNullable(owners.getOrDefault(node, new TreeMap<>()).get(device));
  }
}
