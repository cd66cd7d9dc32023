package dev.berth.engine.session;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Host ports that are taken, by node. A port is asked for as `protocol:ip:port`, of which the
/// address may itself contain colons. Those that are taken are kept in order as `protocol:port:ip`,
/// so that the pods that take a port are found at once.
public final class HostPortTable {
  private static final String[] NONE = {};

  private final String[][] taken; // by node

  HostPortTable(int nodes) {
    taken = new String[nodes][];
    Arrays.fill(taken, NONE);
  }

  /// Those of one node, as they are now, under index 0.
  HostPortTable(HostPortTable source, int n) {
    taken = new String[][] {source.taken[n]};
  }

  /// Takes over what a node says.
  void fill(int n, Set<String> ports) {
    taken[n] = ports.isEmpty() ? NONE : of(ports, ports.size());
  }

  public boolean collide(int n, List<String> wanted) {
    return !firstTaken(wanted, taken[n]).isEmpty();
  }

  /// The first wanted port that is taken, `80/TCP`; empty = none is.
  public String firstTaken(int n, List<String> wanted) {
    String port = firstTaken(wanted, taken[n]);
    int to = port.indexOf(':');
    String protocol = to > 0 ? port.substring(0, to) : "TCP";
    return port.isEmpty() ? "" : port.substring(port.lastIndexOf(':') + 1) + "/" + protocol;
  }

  void take(int n, List<String> ports) {
    if (!ports.isEmpty()) {
      taken[n] = with(taken[n], ports);
    }
  }

  /// The reverse of [#take].
  void giveBack(int n, List<String> ports) {
    if (!ports.isEmpty()) {
      taken[n] = without(taken[n], ports);
    }
  }

  void fingerprint(StringBuilder into) {
    into.append(Arrays.deepToString(taken));
  }

  private static String[] of(Iterable<String> ports, int count) {
    String[] taken = new String[count];
    int size = 0;
    for (String port : ports) {
      taken[size++] = port(port) + address(port);
    }
    Arrays.sort(taken);
    return taken;
  }

  /// The first wanted port that is taken, `protocol:ip:port`; empty = none is.
  private static String firstTaken(List<String> wanted, String[] taken) {
    if (taken.length == 0) {
      return "";
    }
    for (String mine : wanted) {
      if (collide(port(mine), address(mine), taken)) {
        return mine;
      }
    }
    return "";
  }

  /// The same protocol and port, and the same address or one of them every address.
  private static boolean collide(String port, String address, String[] taken) {
    int found = Arrays.binarySearch(taken, port);
    for (int i = found < 0 ? -found - 1 : found; i < taken.length; i++) {
      if (!taken[i].startsWith(port)) {
        return false;
      }
      String theirs = taken[i].substring(port.length());
      if (address.isEmpty() || theirs.isEmpty() || theirs.equals(address)) {
        return true;
      }
    }
    return false;
  }

  /// `protocol:port:`.
  private static String port(String text) {
    String protocol = text.substring(0, text.indexOf(':'));
    String number = text.substring(text.lastIndexOf(':') + 1);
    return (protocol.isEmpty() ? "TCP" : protocol) + ":" + number + ":";
  }

  /// Empty = every address.
  private static String address(String text) {
    int from = text.indexOf(':') + 1;
    int to = text.lastIndexOf(':');
    String address = from > to ? "" : text.substring(from, to);
    return address.equals("0.0.0.0") ? "" : address;
  }

  private static String[] with(String[] taken, List<String> more) {
    String[] all = Arrays.copyOf(taken, taken.length + more.size());
    System.arraycopy(of(more, more.size()), 0, all, taken.length, more.size());
    Arrays.sort(all);
    return all;
  }

  /// Each of them once.
  private static String[] without(String[] taken, List<String> less) {
    String[] gone = of(less, less.size());
    String[] rest = new String[taken.length];
    int size = 0;
    int next = 0;
    for (String port : taken) {
      while (next < gone.length && gone[next].compareTo(port) < 0) {
        next++; // was not there
      }
      if (next < gone.length && gone[next].equals(port)) {
        next++;
      } else {
        rest[size++] = port;
      }
    }
    return size == 0 ? NONE : Arrays.copyOf(rest, size);
  }
}
