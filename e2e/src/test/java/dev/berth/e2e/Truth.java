package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the API server alone says about devices: no knowledge of Berth's memory.
final class Truth {
  private static final String GPU = "nvidia.com/gpu";

  private Truth() {}

  /// Every rule about devices that is broken now; empty when all hold.
  static List<String> broken(Api api) {
    var nodes = new TreeMap<String, Integer>();
    for (var node : api.list("/api/v1/nodes")) {
      nodes.put(Api.name(node), node.path("status").path("allocatable").path(GPU).asInt());
    }
    return broken(nodes, api.list("/api/v1/pods"));
  }

  static List<String> broken(Map<String, Integer> devicesByNode, List<JsonNode> pods) {
    var wrongs = new ArrayList<String>();
    var whole = new TreeMap<String, Integer>();
    var nodeOfDevice = new TreeMap<String, String>();
    var usedMillis = new TreeMap<String, Integer>();
    for (var pod : pods) {
      String node = pod.at("/spec/nodeName").asText();
      if (node.isEmpty() || isOver(pod)) {
        continue;
      }
      whole.merge(node, requestedDevices(pod), Integer::sum);
      String uuid =
          pod.at("/status/containerStatuses/0/lastState/terminated/message").asText().strip();
      if (isHolder(pod) && !uuid.isEmpty()) {
        String other = nodeOfDevice.put(uuid, node);
        if (other != null) {
          wrongs.add("device " + uuid + " is reported by two holders");
        }
      }
    }
    for (var pod : pods) {
      String node = pod.at("/spec/nodeName").asText();
      if (node.isEmpty() || isOver(pod) || isHolder(pod) || !asksShare(pod)) {
        continue;
      }
      String name = Api.name(pod);
      String devices =
          pod.path("metadata").path("annotations").path("berth.dev/gpu-devices").asText();
      if (devices.isEmpty()) {
        wrongs.add("pod " + name + " is bound without a device");
        continue;
      }
      int millis = share(pod);
      for (String device : devices.split(",", -1)) {
        if (!node.equals(nodeOfDevice.get(device))) {
          wrongs.add(
              "pod "
                  + name
                  + " on "
                  + node
                  + " names "
                  + device
                  + ", which no holder there reports");
        }
        usedMillis.merge(device, millis, Integer::sum);
      }
    }
    usedMillis.forEach((device, millis) -> {
      if (millis > 1000) {
        wrongs.add("device " + device + " is shared out to " + millis + " thousandths");
      }
    });
    whole.forEach((node, count) -> {
      if (count > devicesByNode.getOrDefault(node, 0)) {
        wrongs.add("node " + node + " gives out " + count + " devices");
      }
    });
    return wrongs;
  }

  static boolean isOver(JsonNode pod) {
    String phase = pod.at("/status/phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  static boolean isHolder(JsonNode pod) {
    return pod.path("metadata").path("labels").has("berth.dev/holder");
  }

  static boolean isBound(JsonNode pod) {
    return !pod.at("/spec/nodeName").asText().isEmpty();
  }

  private static boolean asksShare(JsonNode pod) {
    var annotations = pod.path("metadata").path("annotations");
    return annotations.has("gpu-fraction") || annotations.has("gpu-memory");
  }

  /// Thousandths of each device, from what the user asked for and what the node says: rounded up.
  private static int share(JsonNode pod) {
    var annotations = pod.path("metadata").path("annotations");
    if (annotations.has("gpu-fraction")) {
      return (int) Math.round(annotations.path("gpu-fraction").asDouble() * 1000);
    }
    return (int) Math.ceil(annotations.path("gpu-memory").asLong() * 1000.0 / GPU_MEMORY_MIB);
  }

  /// `nvidia.com/gpu.memory` of the fake nodes.
  static final int GPU_MEMORY_MIB = 81559;

  private static int requestedDevices(JsonNode pod) {
    int containers = 0;
    for (var container : pod.at("/spec/containers")) {
      containers += container.path("resources").path("limits").path(GPU).asInt();
    }
    int init = 0;
    for (var container : pod.at("/spec/initContainers")) {
      init = Math.max(init, container.path("resources").path("limits").path(GPU).asInt());
    }
    return Math.max(containers, init);
  }

  /// Members of each PodGroup that are bound or over, by `berth.dev/pod-group`.
  static Map<String, Integer> boundByGroup(List<JsonNode> pods) {
    var bound = new TreeMap<String, Integer>();
    for (var pod : pods) {
      String group = pod.path("metadata").path("labels").path("berth.dev/pod-group").asText();
      if (!group.isEmpty()) {
        bound.merge(group, isBound(pod) ? 1 : 0, Integer::sum);
      }
    }
    return bound;
  }
}
