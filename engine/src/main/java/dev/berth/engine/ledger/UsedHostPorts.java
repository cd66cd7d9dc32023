package dev.berth.engine.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The host ports of a node that pods and plans take, `protocol:ip:port`. The address `0.0.0.0` is
/// every address.
final class UsedHostPorts {
  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final HashSet<String> NO_ADDRESS = new HashSet<>(0);

  private final TreeMap<String, LinkedHashSet<PodRecord>> taken = new TreeMap<>();

  void add(PodRecord pod) {
    for (String port : pod.charge.ports()) {
      taken.computeIfAbsent(port, _ -> new LinkedHashSet<>()).add(pod);
    }
  }

  void remove(PodRecord pod) {
    for (String port : pod.charge.ports()) {
      var takers = taken.getOrDefault(port, new LinkedHashSet<>());
      takers.remove(pod);
      if (takers.isEmpty()) {
        taken.remove(port);
      }
    }
  }

  TreeSet<String> all() {
    return new TreeSet<>(taken.keySet());
  }

  /// Whether no other pod that counts takes a port of this pod.
  boolean areFree(PodRecord pod, Predicate<PodRecord> counts) {
    if (pod.charge.ports().isEmpty()) {
      return true;
    }
    var mine = new HashMap<String, HashSet<String>>(); // addresses by protocol and port, looked up
    for (String port : pod.charge.ports()) {
      mine.computeIfAbsent(numberOf(port), _ -> new HashSet<>()).add(addressOf(port));
    }
    for (var theirs : taken.entrySet()) {
      String port = theirs.getKey();
      if (collide(mine.getOrDefault(numberOf(port), NO_ADDRESS), addressOf(port))
          && theirs.getValue().stream().anyMatch(other -> other != pod && counts.test(other))) {
        return false;
      }
    }
    return true;
  }

  private static boolean collide(Set<String> addresses, String address) {
    return addresses.contains(address)
        || addresses.contains(EVERY_ADDRESS)
        || address.equals(EVERY_ADDRESS) && !addresses.isEmpty();
  }

  private static String numberOf(String port) {
    return protocolOf(port) + portOf(port);
  }

  private static String protocolOf(String port) {
    return port.substring(0, port.indexOf(':'));
  }

  private static String addressOf(String port) {
    return port.substring(port.indexOf(':') + 1, port.lastIndexOf(':'));
  }

  private static String portOf(String port) {
    return port.substring(port.lastIndexOf(':'));
  }
}
