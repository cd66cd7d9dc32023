package dev.berth.extender.bounds;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.ExceptionHandler;
import io.javalin.http.HttpResponseException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is done with what handlers throw. Javalin calls its handler of exceptions for what that one
/// throws, again and again without end: where a request is over, as its client is gone, even the
/// handlers that it brings along throw. So every server of Berth has these in their place.
public final class RequestFailures {
  private static final Logger LOG = LoggerFactory.getLogger(RequestFailures.class);

  private RequestFailures() {}

  /// What a handler throws is handled so, and nothing is thrown by that.
  public static <E extends Exception> void handle(
      RoutesConfig routes, Class<E> kind, ExceptionHandler<E> handler) {
    routes.exception(
        kind,
        (thrown, http) -> {
          try {
            handler.handle(thrown, http);
          } catch (RuntimeException over) {
            LOG.atDebug().setCause(over).log("the request is over: no answer");
          }
        });
  }

  /// Of a server that tells nothing more of them.
  public static void handleAll(RoutesConfig routes) {
    handle(
        routes,
        HttpResponseException.class,
        (told, http) -> http.status(told.getStatus()).result(String.valueOf(told.getMessage())));
    handle(
        routes,
        Exception.class,
        (internalError, http) -> {
          LOG.atError().setCause(internalError).log("internal error: no answer");
          http.status(500).result("berth: internal error");
        });
  }

  /// Tells whether the client of a request is gone, or has taken it back: the request is over then,
  /// and fails in its own ways when it is asked.
  public static BooleanSupplier whetherGone(Context http) {
    var gone = new AtomicBoolean();
    ServletContextRequest.getServletContextRequest(http.req())
        .addFailureListener(_ -> gone.set(true));
    return gone::get;
  }
}
