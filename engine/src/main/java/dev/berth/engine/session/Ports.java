package dev.berth.engine.session;

import java.util.Arrays;
import java.util.List;

/// Host ports of a node, `protocol:ip:port`. An address may itself contain colons.
final class Ports {
  static final String[] NONE = {};

  private Ports() {}

  static boolean collide(List<String> wanted, String[] taken) {
    for (String mine : wanted) {
      for (String theirs : taken) {
        if (collide(mine, theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /// The same protocol and port, and the same address or one of them every address.
  private static boolean collide(String a, String b) {
    String addressA = address(a);
    String addressB = address(b);
    return protocol(a).equals(protocol(b))
        && a.substring(a.lastIndexOf(':')).equals(b.substring(b.lastIndexOf(':')))
        && (isEvery(addressA) || isEvery(addressB) || addressA.equals(addressB));
  }

  private static String protocol(String port) {
    String protocol = port.substring(0, port.indexOf(':'));
    return protocol.isEmpty() ? "TCP" : protocol;
  }

  private static String address(String port) {
    int from = port.indexOf(':') + 1;
    int to = port.lastIndexOf(':');
    return from > to ? "" : port.substring(from, to);
  }

  private static boolean isEvery(String address) {
    return address.isEmpty() || address.equals("0.0.0.0");
  }

  static String[] with(String[] taken, List<String> more) {
    String[] all = Arrays.copyOf(taken, taken.length + more.size());
    for (int i = 0; i < more.size(); i++) {
      all[taken.length + i] = more.get(i);
    }
    Arrays.sort(all);
    return all;
  }

  static String[] without(String[] taken, List<String> less) {
    String[] rest = taken;
    for (String port : less) {
      int at = Arrays.binarySearch(rest, port);
      if (at >= 0) {
        String[] shorter = Arrays.copyOf(rest, rest.length - 1);
        System.arraycopy(rest, at + 1, shorter, at, shorter.length - at);
        rest = shorter;
      }
    }
    return rest.length == 0 ? NONE : rest;
  }
}
