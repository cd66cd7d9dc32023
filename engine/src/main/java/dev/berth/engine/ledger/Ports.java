package dev.berth.engine.ledger;

import java.util.LinkedHashSet;
import java.util.SortedMap;
import java.util.function.Predicate;

/// Host ports, `protocol:ip:port`. The address `0.0.0.0` is every address.
final class Ports {
  private static final String EVERY_ADDRESS = "0.0.0.0";

  private Ports() {}

  /// Whether nobody else that counts takes a port of this pod.
  static boolean areFree(
      PodEntry pod, SortedMap<String, LinkedHashSet<PodEntry>> taken, Predicate<PodEntry> counts) {
    for (String mine : pod.charge.ports()) {
      for (var theirs : taken.entrySet()) {
        if (collide(mine, theirs.getKey())
            && theirs.getValue().stream().anyMatch(other -> other != pod && counts.test(other))) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean collide(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    return protocolOf(one).equals(protocolOf(other))
        && portOf(one).equals(portOf(other))
        && (addressOf(one).equals(EVERY_ADDRESS) || addressOf(other).equals(EVERY_ADDRESS));
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
