package dev.berth.simulator.world;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What a pod asks of a node as kube-scheduler and kubelet count it: the larger of containers' sum
/// (native sidecars included) and the init containers on their way, plus overhead; one of `pods`;
/// host ports.
///
/// @param amounts units by resource name, `cpu` in milli-cores
/// @param hostPorts `protocol:port`
record RequestedAmounts(SortedMap<String, Long> amounts, SortedSet<String> hostPorts) {
  static final String PODS = "pods";

  RequestedAmounts {
    amounts = Collections.unmodifiableSortedMap(amounts);
    hostPorts = Collections.unmodifiableSortedSet(hostPorts);
  }

  static RequestedAmounts of(Map<String, ?> pod) {
    var running = new TreeMap<String, Long>();
    var peak = new TreeMap<String, Long>();
    for (var container : ObjectTree.maps(pod, "spec", "initContainers")) {
      var asks = asks(container);
      if (ObjectTree.text(container, "restartPolicy").equals("Always")) {
        add(running, asks);
        raise(peak, running);
      } else {
        var meanwhile = new TreeMap<>(running);
        add(meanwhile, asks);
        raise(peak, meanwhile);
      }
    }
    var ports = new TreeSet<String>();
    for (var container : ObjectTree.maps(pod, "spec", "containers")) {
      add(running, asks(container));
      for (var port : ObjectTree.maps(container, "ports")) {
        if (ObjectTree.has(port, "hostPort")) {
          var protocol = ObjectTree.text(port, "protocol");
          ports.add(
              (protocol.isEmpty() ? "TCP" : protocol) + ":" + ObjectTree.text(port, "hostPort"));
        }
      }
    }
    raise(running, peak);
    add(running, amounts(ObjectTree.map(pod, "spec", "overhead")));
    running.put(PODS, 1L);
    running.values().removeIf(amount -> amount == 0);
    return new RequestedAmounts(running, ports);
  }

  /// Requests; a limit stands for a request that is not written.
  private static TreeMap<String, Long> asks(Map<String, ?> container) {
    var asks = amounts(ObjectTree.map(container, "resources", "limits"));
    asks.putAll(amounts(ObjectTree.map(container, "resources", "requests")));
    return asks;
  }

  static TreeMap<String, Long> amounts(Map<String, ?> quantities) {
    var amounts = new TreeMap<String, Long>();
    quantities.forEach((name, quantity) -> amounts.put(name, Quantity.of(name, quantity)));
    return amounts;
  }

  static void add(SortedMap<String, Long> sum, Map<String, Long> amounts) {
    amounts.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
  }

  private static void raise(SortedMap<String, Long> most, Map<String, Long> amounts) {
    amounts.forEach((name, amount) -> most.merge(name, amount, Math::max));
  }

  long of(String resource) {
    return amounts.getOrDefault(resource, 0L);
  }
}
