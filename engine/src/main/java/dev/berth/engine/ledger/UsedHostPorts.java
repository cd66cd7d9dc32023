package dev.berth.engine.ledger;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/// Host ports, `protocol:ip:port`. The address `0.0.0.0` is every address.
final class UsedHostPorts {
  private static final String EVERY_ADDRESS = "0.0.0.0";
  private static final HashSet<String> NO_ADDRESS = new HashSet<>(0);

  private UsedHostPorts() {}

  /// Whether nobody else that counts takes a port of this pod.
  static boolean areFree(
      PodRecord pod,
      SortedMap<String, LinkedHashSet<PodRecord>> taken,
      Predicate<PodRecord> counts) {
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
