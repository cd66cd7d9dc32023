package dev.berth.extender;

import dev.berth.extender.tls.Transport;
import java.time.Duration;

/// @param host where Berth listens; without certificates loopback beside a kube-scheduler, or a
///   network that limits the clients: the protocol has no tokens
/// @param port 0 = any
/// @param threads most threads in all, [#RESERVED] of them kept from questions; a bind that waits
///   needs none
/// @param bindTimeout when an open bind is given up by the server; above every deadline of a bind
public record ServerSettings(
    String host, int port, int threads, Duration bindTimeout, Transport transport) {
  /// Threads for probes, metrics and Jetty's own work, however many questions block: four for each
  /// of the first two, as metrics may wait for the API server in so many (`AccessSettings.atOnce`).
  public static final int RESERVED = 10;

  static final int FOR_PROBES = 4;
  static final int FOR_METRICS = 4;

  public static final ServerSettings DEFAULT =
      new ServerSettings("127.0.0.1", 8888, 32, Duration.ofSeconds(120), new Transport.Plain());

  public ServerSettings {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException(
          "the port of extender.listen is " + port + ", but must be 0 to 65535");
    }
    if (threads <= RESERVED) {
      throw new IllegalArgumentException(
          "the number of the server's threads is "
              + threads
              + ", but must be more than "
              + RESERVED);
    }
  }
}
