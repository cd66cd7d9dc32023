package dev.berth.extender.bounds;

import io.javalin.http.Context;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;

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
    var client =
        ServletContextRequest.getServletContextRequest(http.req())
            .getConnectionMetaData()
            .getConnection()
            .getEndPoint();
    return new Deadline(
        CLOCK.schedule(
            () -> client.close(new TimeoutException("the client is too slow")),
            time.toMillis(),
            TimeUnit.MILLISECONDS));
  }

  /// Does something short after a time, for good.
  public static void after(Duration time, Runnable what) {
    var _ = CLOCK.schedule(what, time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    end.cancel(false);
  }
}
