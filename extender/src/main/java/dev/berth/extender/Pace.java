package dev.berth.extender;

import dev.berth.extender.bounds.Allowance;
import org.eclipse.jetty.server.Request;

/// Questions that one connection may ask, verbs aside.
final class Pace {
  private static final String NAME = Pace.class.getName();
  private static final long AT_ONCE = 200;
  private static final long A_SECOND = 20;

  private Pace() {}

  /// Whether the connection of a request may ask it. Any thread.
  static boolean allows(Request request) {
    var connection = request.getConnectionMetaData();
    long now = System.nanoTime();
    synchronized (connection) {
      if (!(connection.getAttribute(NAME) instanceof Allowance)) {
        connection.setAttribute(NAME, new Allowance(AT_ONCE, A_SECOND, now));
      }
      return connection.getAttribute(NAME) instanceof Allowance left && left.takes(1, now);
    }
  }
}
