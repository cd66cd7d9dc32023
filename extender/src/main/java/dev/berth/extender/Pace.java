package dev.berth.extender;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;

/// Questions that one connection may ask, verbs aside: so many at once, and so many a second after
/// that. Under the lock of the connection.
final class Pace {
  private static final String NAME = Pace.class.getName();
  private static final long AT_ONCE = 500;
  private static final long A_SECOND = 100;

  private long left = AT_ONCE;
  private long since;

  Pace(long now) {
    this.since = now;
  }

  /// Whether the connection of a request may ask it. Any thread.
  static boolean allows(Request request) {
    var connection = request.getConnectionMetaData();
    synchronized (connection) {
      if (!(connection.getAttribute(NAME) instanceof Pace pace)) {
        connection.setAttribute(NAME, new Pace(System.nanoTime()));
        return true;
      }
      return pace.takes(System.nanoTime());
    }
  }

  boolean takes(long now) {
    long more = (now - since) * A_SECOND / TimeUnit.SECONDS.toNanos(1);
    if (more > 0) {
      left = Math.min(AT_ONCE, left + more);
      since = now;
    }
    if (left == 0) {
      return false;
    }
    left--;
    return true;
  }
}
