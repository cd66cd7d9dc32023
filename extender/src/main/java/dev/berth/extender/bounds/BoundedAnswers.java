package dev.berth.extender.bounds;

import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers that are being written to clients that may read slowly, or not at all: their bytes are
/// bounded, in all and of one party, and each has to be read within a time. Any thread.
public final class BoundedAnswers {
  private static final long MOST = 64L << 20;

  /// Of a connection beside its answer.
  private static final long CONNECTION = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(BoundedAnswers.class);
  private static final ExecutorService THREADS = RequestExecutors.named("written-answer");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long SLOWEST = 64 << 10; // bytes a second beyond that

  private final ClientQuota written;

  public BoundedAnswers() {
    this(new ClientQuota(MOST));
  }

  BoundedAnswers(ClientQuota written) {
    this.written = written;
  }

  /// Writes it on a thread of its own, and refuses it where there is no place.
  public void later(Context http, String party, byte[] answer) {
    http.async(
        async -> {
          async.executor = THREADS;
          async.timeout = 0; // a deadline ends it
        },
        () -> {
          try {
            if (!write(http, party, answer)) {
              http.status(503)
                  .contentType("text/plain")
                  .result("berth: too many answers that are not read");
            }
          } catch (IOException gone) {
            LOG.atDebug().addKeyValue("path", http.path()).log("the client is gone, or too slow");
          }
        });
  }

  /// Waits until the client has read it, or is too slow. On a virtual thread, as it blocks.
  ///
  /// @param party empty = it may use all there is
  /// @return whether there was a place; where not, nothing was written
  /// @throws IOException the client is gone, or too slow
  public boolean write(Context http, String party, byte[] answer) throws IOException {
    long bytes = answer.length + CONNECTION;
    if (written.take(party, bytes) != ClientQuota.Answer.TAKEN) {
      return false;
    }
    try (var _ = Deadline.in(PATIENCE.plusSeconds(answer.length / SLOWEST), http)) {
      http.res().setContentLength(answer.length);
      var out = http.res().getOutputStream();
      out.write(answer);
      out.close();
      return true;
    } finally {
      written.leave(party, bytes);
    }
  }
}
