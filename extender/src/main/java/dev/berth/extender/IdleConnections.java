package dev.berth.extender;

import dev.berth.extender.bounds.Deadline;
import java.time.Duration;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;

/// How long a connection of HTTP/1 may be there without a question under way: each takes a file of
/// the process, and every client that reaches the port may open many. Long where it has asked a
/// verb, as kube-scheduler keeps its connections; else short, as is the time for its first question
/// to come. Any thread.
final class IdleConnections implements Connection.Listener {
  static final Duration SHORT = Duration.ofSeconds(10);
  private static final String VERBS = "/extender/";

  private final Duration shortest;
  private final Duration longest;

  /// @param shortest of one that asks no verbs
  /// @param longest of one that does, and of any while a question is under way
  IdleConnections(Duration shortest, Duration longest) {
    this.shortest = shortest;
    this.longest = longest;
  }

  long longestMillis() {
    return longest.toMillis();
  }

  @Override
  public void onOpened(Connection connection) {
    if (connection instanceof HttpConnection http) {
      http.getEndPoint().setIdleTimeout(shortest.toMillis());
      Deadline.after(
          shortest,
          () -> {
            if (http.getMessagesIn() == 0) { // bytes of a head that never ends are no silence
              http.getEndPoint().close();
            }
          });
    }
  }

  /// A question is under way until the callback is called.
  Callback asking(Request request, Callback answered) {
    if (!(request.getConnectionMetaData().getConnection() instanceof HttpConnection http)) {
      return answered;
    }
    http.getEndPoint().setIdleTimeout(longest.toMillis());
    return Request.getPathInContext(request).startsWith(VERBS)
        ? answered
        : Callback.from(() -> http.getEndPoint().setIdleTimeout(shortest.toMillis()), answered);
  }
}
