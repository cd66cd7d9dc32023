package dev.berth.extender;

import dev.berth.extender.bounds.Addresses;
import dev.berth.extender.bounds.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;

/// Keeps some of the server's threads for probes, some for metrics and most for all other requests:
/// each of these takes at most a given number, whatever blocks them there, such as a verb, the
/// ledger's lock or a client that does not read its answer. One that comes when all are taken waits
/// without a thread.
///
/// A request that goes on without a thread, as a bind that waits for its gang, counts no more.
///
/// A client that sends its next request before it has the answer gets this one, and no further: the
/// server would work through what it sends on one thread, before all others. No client of Berth
/// does.
final class RequestThreads extends Handler.Wrapper {
  private static final List<String> PROBES = List.of("/healthz", "/livez", "/readyz", "/leadz");

  private static final Duration REFUSAL = Duration.ofSeconds(1);

  private final Threads probes;
  private final Threads metrics;
  private final Threads others;
  private final IdleConnections idle;
  private final Addresses addresses;

  private record PendingRequest(Request request, Response response, Callback callback) {}

  /// @param forOthers most for requests that are neither
  /// @param mostWaiting requests of each kind that may wait for one; more are refused
  /// @param addresses from which questions may come
  RequestThreads(int forOthers, int mostWaiting, IdleConnections idle, Addresses addresses) {
    this.others = new Threads(forOthers, mostWaiting);
    this.probes = new Threads(ServerSettings.FOR_PROBES, mostWaiting);
    this.metrics = new Threads(ServerSettings.FOR_METRICS, mostWaiting);
    this.idle = idle;
    this.addresses = addresses;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (request.getHeaders().contains("Sec-WebSocket-Version")) { // a session would be kept
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
      Response.writeError(request, response, callback, 400, "berth: there are no web sockets");
      return true;
    }
    boolean isVerb = IdleConnections.isVerb(request);
    if (!mayAsk(request, isVerb)) {
      refuse(request, response, callback);
      return true;
    }
    if (isFollowed(request)) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    return threads(Request.getPathInContext(request))
        .handle(new PendingRequest(request, response, idle.asking(request, isVerb, callback)));
  }

  /// Over HTTP/2 the answer comes after a while: the end of a connection costs more than an answer,
  /// as each question that is under way on it fails on a thread of its own.
  private static void refuse(Request request, Response response, Callback callback) {
    var connection = request.getConnectionMetaData().getConnection();
    if (connection instanceof HttpConnection) {
      Deadline.cut(connection.getEndPoint());
      callback.failed(new EofException("too many questions of one client"));
    } else {
      Deadline.after(
          REFUSAL,
          () -> {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, 1);
            Response.writeError(
                request, response, callback, 429, "berth: too many questions of one client");
          });
    }
  }

  private boolean mayAsk(Request request, boolean isVerb) {
    var client = request.getConnectionMetaData().getConnection().getEndPoint();
    long now = System.nanoTime();
    if (isVerb) {
      addresses.asksVerb(client, now);
      return true;
    }
    return Pace.allows(request) && addresses.mayAsk(client, now);
  }

  private Threads threads(String path) {
    if (path.equals("/metrics")) {
      return metrics;
    }
    return PROBES.contains(path) ? probes : others;
  }

  /// Whether another request has come behind this one, or a body that no client sends.
  private static boolean isFollowed(Request request) {
    return !request.getMethod().equals("POST")
        && request.getConnectionMetaData().getConnection() instanceof HttpConnection http
        && !http.isRequestBufferEmpty();
  }

  private boolean pass(PendingRequest turn) throws Exception {
    return super.handle(turn.request, turn.response, turn.callback);
  }

  /// So many threads at most.
  private final class Threads {
    private final int most;
    private final int mostWaiting;
    private final ArrayDeque<PendingRequest> waiting = new ArrayDeque<>(); // guarded by itself
    private int taken; // guarded by waiting

    Threads(int most, int mostWaiting) {
      this.most = most;
      this.mostWaiting = mostWaiting;
    }

    boolean handle(PendingRequest turn) throws Exception {
      synchronized (waiting) {
        if (taken >= most) {
          if (waiting.size() >= mostWaiting) {
            turn.response.getHeaders().put(HttpHeader.CONNECTION, "close");
            Response.writeError(
                turn.request, turn.response, turn.callback, 503, "berth: too many questions wait");
          } else {
            waiting.add(turn);
          }
          return true;
        }
        taken++;
      }
      try {
        return pass(turn);
      } finally {
        goOn();
      }
    }

    /// The thread that has become free takes what waits.
    private void goOn() {
      for (var next = next(); next.isPresent(); next = next()) {
        var turn = next.get();
        try {
          if (!pass(turn)) {
            Response.writeError(turn.request, turn.response, turn.callback, 404);
          }
        } catch (Exception failed) { // as Jetty does with what a handler throws
          Response.writeError(turn.request, turn.response, turn.callback, failed);
        }
      }
    }

    private Optional<PendingRequest> next() {
      synchronized (waiting) {
        var next = Optional.ofNullable(waiting.poll());
        if (next.isEmpty()) {
          taken--;
        }
        return next;
      }
    }
  }
}
