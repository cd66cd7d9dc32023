package dev.berth.extender;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/// Keeps some of the server's threads for probes and metrics: all other requests together take at
/// most a given number of threads, whatever blocks them there, be it a verb, the ledger's lock or a
/// client that does not read its answer. One that comes when all are taken waits without a thread.
///
/// A request that goes on without a thread, as a bind that waits for its gang, counts no more.
final class RequestThreads extends Handler.Wrapper {
  private static final List<String> PROBES =
      List.of("/healthz", "/livez", "/readyz", "/leadz", "/metrics");

  private final int threads;
  private final int mostWaiting;
  private final ArrayDeque<Turn> waiting = new ArrayDeque<>(); // guarded by itself
  private int taken; // guarded by waiting

  private record Turn(Request request, Response response, Callback callback) {}

  /// @param threads most for requests that are no probes
  /// @param mostWaiting requests that may wait for one; more are refused
  RequestThreads(int threads, int mostWaiting) {
    this.threads = threads;
    this.mostWaiting = mostWaiting;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (PROBES.contains(Request.getPathInContext(request))) {
      return super.handle(request, response, callback);
    }
    synchronized (waiting) {
      if (taken >= threads) {
        if (waiting.size() >= mostWaiting) {
          response.getHeaders().put(HttpHeader.CONNECTION, "close");
          Response.writeError(request, response, callback, 503, "berth: too many questions wait");
        } else {
          waiting.add(new Turn(request, response, callback));
        }
        return true;
      }
      taken++;
    }
    try {
      return super.handle(request, response, callback);
    } finally {
      goOn();
    }
  }

  /// The thread that has become free takes what waits.
  private void goOn() {
    for (var next = next(); next.isPresent(); next = next()) {
      var turn = next.get();
      try {
        if (!super.handle(turn.request, turn.response, turn.callback)) {
          Response.writeError(turn.request, turn.response, turn.callback, 404);
        }
      } catch (Exception failed) { // as Jetty does with what a handler throws
        Response.writeError(turn.request, turn.response, turn.callback, failed);
      }
    }
  }

  private Optional<Turn> next() {
    synchronized (waiting) {
      var next = Optional.ofNullable(waiting.poll());
      if (next.isEmpty()) {
        taken--;
      }
      return next;
    }
  }
}
