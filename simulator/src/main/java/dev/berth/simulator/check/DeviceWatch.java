package dev.berth.simulator.check;

import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Nothing is given out twice: nodes' amounts, whole devices, thousandths of shared ones.
///
/// A pod counts from its binding to its end, also while it leaves. A pod that the kubelet refused
/// has failed and so takes nothing.
final class DeviceWatch {
  static final String DEVICES = "berth.dev/gpu-devices";

  private final List<String> broken = new ArrayList<>();
  private final Map<String, Map<String, Object>> nodes = new TreeMap<>();
  private final TreeMap<String, TreeMap<String, Long>> usedByNode = new TreeMap<>();
  private final Map<String, String> nodeOfHeld = new HashMap<>();
  private final Map<String, String> ownerOfWhole = new HashMap<>();
  private final TreeMap<String, Integer> millisByDevice = new TreeMap<>();
  private final TreeMap<String, TreeSet<String>> podsByDevice = new TreeMap<>();

  private final TreeMap<String, TreeSet<String>> excused = new TreeMap<>();

  private DeviceWatch() {}

  static List<String> broken(List<Map<String, Object>> nodes, List<Map<String, Object>> pods) {
    var devices = new DeviceWatch();
    nodes.forEach(node -> devices.nodes.put(ObjectTree.name(node), node));
    var placed = pods.stream().map(PodView::of).filter(PodView::takesRoom).toList();
    placed.forEach(devices::count);
    placed.stream().filter(PodView::isShare).forEach(devices::share);
    devices.judge();
    return devices.broken;
  }

  /// On one node: what is wrong with devices alone, whatever the node has of anything.
  ///
  /// @param placed all pods that take room there
  /// @param excused devices that a pod names, by its UID, and whose holder others took away: what
  ///   the kubelet does with these meanwhile is not Berth's
  static List<String> sharedWrongly(
      Map<String, Object> node, List<PodView> placed, SortedMap<String, TreeSet<String>> excused) {
    var devices = new DeviceWatch();
    devices.excused.putAll(excused);
    devices.nodes.put(ObjectTree.name(node), node);
    placed.forEach(devices::hold);
    placed.stream().filter(PodView::isShare).forEach(devices::share);
    devices.judgeShares();
    return devices.broken;
  }

  private void count(PodView pod) {
    var used = usedByNode.computeIfAbsent(pod.node(), _ -> new TreeMap<>());
    pod.amounts().forEach((resource, amount) -> used.merge(resource, amount, Long::sum));
    hold(pod);
  }

  private void hold(PodView pod) {
    if (pod.isHolder()) {
      if (!pod.reportedDevice().isEmpty()) {
        String other = nodeOfHeld.put(pod.reportedDevice(), pod.node());
        if (other != null) {
          broken.add("device " + pod.reportedDevice() + " is reported by two holders");
        }
      }
    } else {
      for (String device : pod.devices(Kubelet.DEVICES)) {
        String other = ownerOfWhole.put(device, pod.name());
        if (other != null) {
          broken.add("device " + device + " is whole in " + other + " and in " + pod.name());
        }
      }
    }
  }

  private void share(PodView pod) {
    var named = pod.devices(DEVICES);
    if (named.size() != pod.deviceCount()) {
      broken.add(pod.name() + " names " + named.size() + " of " + pod.deviceCount() + " devices");
    }
    var node = nodes.getOrDefault(pod.node(), Map.of());
    long memoryMib = memoryMib(node);
    var unheld = excused.getOrDefault(pod.uid(), new TreeSet<>());
    for (String device : named) {
      if (unheld.contains(device)) {
        continue;
      }
      if (!pod.node().equals(nodeOfHeld.get(device)) && !node.isEmpty()) {
        broken.add(
            pod.name()
                + " on "
                + pod.node()
                + " names "
                + device
                + ", which no holder there reports");
      }
      if (ownerOfWhole.containsKey(device)) {
        broken.add(
            "device "
                + device
                + " is whole in "
                + ownerOfWhole.get(device)
                + " and shared by "
                + pod.name());
      }
      millisByDevice.merge(device, pod.shareMillis(memoryMib), Integer::sum);
      podsByDevice.computeIfAbsent(device, _ -> new TreeSet<>()).add(pod.name());
    }
  }

  private static long memoryMib(Map<String, ?> node) {
    String label = ObjectTree.label(node, "nvidia.com/gpu.memory");
    return label.isEmpty() ? 0 : Long.parseLong(label);
  }

  private void judge() {
    judgeShares();
    usedByNode.forEach((name, used) -> {
      if (nodes.containsKey(name)) {
        judge(name, used, PodView.allocatable(nodes.get(name)));
      }
    });
  }

  private void judgeShares() {
    millisByDevice.forEach((device, millis) -> {
      if (millis > 1000) {
        broken.add(
            "device "
                + device
                + " is shared out to "
                + millis
                + " thousandths by "
                + String.join(", ", podsByDevice.get(device)));
      }
    });
  }

  /// The kubelet admits nothing above allocatable, but says so only after the binding: what it will
  /// refuse was bound wrongly all the same.
  private void judge(String node, Map<String, Long> used, Map<String, Long> allocatable) {
    used.forEach((resource, amount) -> {
      long most = allocatable.getOrDefault(resource, 0L);
      if (amount > most) {
        broken.add("node " + node + " gives out " + amount + " of its " + most + " " + resource);
      }
    });
  }
}
