package dev.berth.extender.bounds;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.io.EndPoint;
import org.jspecify.annotations.Nullable;

/// What clients of one address may ask together, verbs of clients that may ask them aside:
/// connections of TLS, whose handshakes cost more than answers, what is sent on them, and
/// questions. A client that is cut off for what it does on one connection would do it on the next.
/// Any thread.
public final class Addresses {
  private static final int MOST = 4096; // that are remembered; the one longest unseen is forgotten
  private static final int NETWORK = 8; // bytes of an address of IPv6 that say whose it is

  /// Of TLS. A browser opens some, a probe one each time.
  private static final int CONNECTIONS_AT_ONCE = 200;

  private static final int CONNECTIONS_A_SECOND = 20;
  private static final int QUESTIONS_AT_ONCE = 1000;
  private static final int QUESTIONS_A_SECOND = 200;

  /// Records with content and frames of HTTP/2, of clients without a certificate: one that reads a
  /// long answer sends two frames for 4 KiB of it.
  public static final int PARTS_AT_ONCE = 20_000;

  private static final int PARTS_A_SECOND = 4_000;

  private final Map<List<Byte>, Address> known = // guarded by itself
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<Byte>, Address> eldest) {
          return size() > MOST;
        }
      };

  private static final class Address {
    final Allowance connections;
    final Allowance questions;
    final Allowance parts;
    boolean asksVerbs;

    Address(long now) {
      connections = new Allowance(CONNECTIONS_AT_ONCE, CONNECTIONS_A_SECOND, now);
      questions = new Allowance(QUESTIONS_AT_ONCE, QUESTIONS_A_SECOND, now);
      parts = new Allowance(PARTS_AT_ONCE, PARTS_A_SECOND, now);
    }
  }

  /// Whether there may be one more connection of TLS from there: as many as it likes, where
  /// kube-scheduler is.
  public boolean mayConnect(EndPoint client, long now) {
    synchronized (known) {
      var address = address(client, now);
      return address.asksVerbs || address.connections.takes(1, now);
    }
  }

  public boolean mayAsk(EndPoint client, long now) {
    synchronized (known) {
      return address(client, now).questions.takes(1, now);
    }
  }

  /// Whether a client may send so many records and frames.
  public boolean maySend(EndPoint client, int parts, long now) {
    synchronized (known) {
      return address(client, now).parts.takes(parts, now);
    }
  }

  /// A client that may asks verbs from there.
  public void asksVerb(EndPoint client, long now) {
    synchronized (known) {
      address(client, now).asksVerbs = true;
    }
  }

  private Address address(EndPoint client, long now) {
    return known.computeIfAbsent(key(client), _ -> new Address(now));
  }

  private static List<Byte> key(EndPoint client) {
    @Nullable InetAddress from =
        client.getRemoteSocketAddress() instanceof InetSocketAddress inet
            ? inet.getAddress()
            : null;
    byte[] bytes = from == null ? new byte[0] : from.getAddress();
    var key = new Byte[Math.min(bytes.length, NETWORK)];
    Arrays.setAll(key, i -> bytes[i]);
    return List.of(key);
  }
}
