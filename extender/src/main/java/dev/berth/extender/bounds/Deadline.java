package dev.berth.extender.bounds;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;

/// While it is open, a connection to a client ends at a moment, whatever waits in it: reads and
/// writes that are under way then fail. A request that were aborted alone would be used by the
/// server for the next one of the connection, while its handler still holds it.
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final ScheduledFuture<?> end;

  private Deadline(ScheduledFuture<?> end) {
    this.end = end;
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock =
        new ScheduledThreadPoolExecutor(
            1, work -> Thread.ofPlatform().name("deadlines").daemon().unstarted(work));
    clock.setRemoveOnCancelPolicy(true);
    return clock;
  }

  public static Deadline in(Duration time, Context http) {
    var client = client(http);
    return new Deadline(schedule(time, () -> cut(client)));
  }

  /// The connection to the client of a request.
  public static EndPoint client(Context http) {
    return ServletContextRequest.getServletContextRequest(http.req())
        .getConnectionMetaData()
        .getConnection()
        .getEndPoint();
  }

  /// Does something after a time, for good.
  public static void after(Duration time, Runnable what) {
    var _ = schedule(time, what);
  }

  /// On a thread of its own each: one that waits for a lock of its connection stops no other.
  private static ScheduledFuture<?> schedule(Duration time, Runnable what) {
    return CLOCK.schedule(
        () -> Thread.ofVirtual().name("deadline").start(what),
        time.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /// Ends the connection of a client, whatever it is doing: below TLS, whose end waits until all
  /// has been read that came.
  public static void cut(EndPoint client) {
    EndPoint raw = client;
    while (raw instanceof EndPoint.Wrapper outer) {
      raw = outer.unwrap();
    }
    raw.close(new TimeoutException("the client is too slow"));
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
