package dev.berth.extender;

import dev.berth.extender.bounds.Addresses;
import dev.berth.extender.bounds.Deadline;
import dev.berth.extender.tls.Transport;
import java.time.Duration;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;

/// How long a connection may be there without a question under way: each takes a file of the
/// process, and every client that reaches the port may open many. Long where a client that may has
/// asked a verb, as kube-scheduler keeps its connections; else short, as is the time for the
/// handshake, and for each question of HTTP/1 to come. Any thread.
final class IdleConnections implements Connection.Listener {
  static final Duration SHORT = Duration.ofSeconds(10);
  private static final String VERBS = "/extender/";

  private final Duration shortest;
  private final Duration longest;
  private final Addresses addresses;

  /// @param shortest of one that asks no verbs
  /// @param longest of one that does, and of any while a question is under way
  /// @param addresses from which there may be more
  IdleConnections(Duration shortest, Duration longest, Addresses addresses) {
    this.shortest = shortest;
    this.longest = longest;
    this.addresses = addresses;
  }

  long longestMillis() {
    return longest.toMillis();
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof SslConnection secure) {
      if (!addresses.mayConnect(secure.getEndPoint(), System.nanoTime())) {
        Deadline.cut(secure.getEndPoint());
        return;
      }
      Deadline.after(
          shortest,
          () -> {
            var inside = secure.getSslEndPoint().getConnection();
            if (!(inside instanceof HttpConnection) && !(inside instanceof HTTP2Connection)) {
              Deadline.cut(secure.getEndPoint());
            }
          });
    } else if (connection instanceof HttpConnection http) {
      awaitsQuestion(http);
    }
  }

  /// Bytes of a head that never ends are no silence.
  private void awaitsQuestion(HttpConnection http) {
    long before = http.getMessagesIn();
    http.getEndPoint().setIdleTimeout(shortest.toMillis());
    Deadline.after(
        shortest,
        () -> {
          if (http.getMessagesIn() == before) {
            Deadline.cut(http.getEndPoint());
          }
        });
  }

  /// A question is under way until the callback is called.
  ///
  /// @param isVerb as [#isVerb] says
  Callback asking(Request request, boolean isVerb, Callback answered) {
    var connection = request.getConnectionMetaData().getConnection();
    if (connection instanceof HTTP2Connection two && isVerb) {
      Transport.manyStreams(two.getSession());
    }
    if (!(connection instanceof HttpConnection http)) {
      return answered;
    }
    http.getEndPoint().setIdleTimeout(longest.toMillis());
    return isVerb ? answered : Callback.from(() -> awaitsQuestion(http), answered);
  }

  /// Whether a verb is asked, by a client that may ask as far as its certificate says.
  static boolean isVerb(Request request) {
    var session = (EndPoint.SslSessionData) request.getAttribute(EndPoint.SslSessionData.ATTRIBUTE);
    return Request.getPathInContext(request).startsWith(VERBS)
        && (!request.isSecure() || Transport.isKnown(session));
  }
}
