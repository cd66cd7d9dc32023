package dev.berth.extender;

import dev.berth.extender.bounds.Deadline;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.EndPoint;

/// Reads the bodies of questions from any client that reaches the port: all together are bounded by
/// their bytes, one that stalls or trickles is cut off, and what has not arrived yet is waited for
/// on a virtual thread, so that the server's own threads are there for probes and for other
/// questions.
final class BoundedBodies {
  private static final int LARGEST = 64 << 20; // preempt with whole pods
  private static final long MOST_IN_FLIGHT = 256L << 20;
  private static final int CHUNK = 64 << 10;

  /// Without a byte. A client that waits so long has no thread of the server's; a busy host may be
  /// late.
  private static final Duration STALL = Duration.ofSeconds(10);

  /// A second, once it has had its first seconds.
  private static final long SLOWEST = 256 << 10;

  private final AtomicLong inFlight = new AtomicLong();

  /// What is done with a body; its bytes count until then.
  interface Asking {
    void answer(byte[] body) throws Exception;
  }

  /// Answers at once where the whole body is here, as it is from a kube-scheduler that asks for one
  /// pod; else when it is.
  void read(Context http, Asking asking) throws Exception {
    if (isHere(http)) {
      answer(http, asking);
    } else {
      http.future(() ->
          later(() -> {
            answer(http, asking);
            return http;
          }));
    }
  }

  /// The body where it is here.
  Optional<byte[]> now(Context http) throws IOException {
    return isHere(http) ? Optional.of(whole(http)) : Optional.empty();
  }

  /// The body for an answer that comes later, whose bytes do not count meanwhile.
  CompletionStage<byte[]> body(Context http) {
    return later(() -> whole(http));
  }

  private byte[] whole(Context http) throws IOException {
    long[] counted = {0};
    try {
      return read(http, counted);
    } finally {
      inFlight.addAndGet(-counted[0]);
    }
  }

  private interface Work<T> {
    T run() throws Exception;
  }

  private static <T> CompletableFuture<T> later(Work<T> work) {
    var done = new CompletableFuture<T>();
    Thread.ofVirtual()
        .name("question")
        .start(() -> {
          try {
            done.complete(work.run());
          } catch (Exception failed) {
            done.completeExceptionally(failed);
          } catch (Error internalError) {
            done.completeExceptionally(internalError);
            throw internalError;
          }
        });
    return done;
  }

  private static boolean isHere(Context http) throws IOException {
    long length = http.contentLength();
    return length >= 0 && length <= http.bodyInputStream().available();
  }

  private void answer(Context http, Asking asking) throws Exception {
    long[] counted = {0};
    try {
      asking.answer(read(http, counted));
    } finally {
      inFlight.addAndGet(-counted[0]);
    }
  }

  private byte[] read(Context http, long[] counted) throws IOException {
    var body = new ByteArrayOutputStream(CHUNK);
    var chunk = new byte[CHUNK];
    long start = System.nanoTime();
    try (var _ = new Hurry(http)) {
      InputStream in = http.bodyInputStream();
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        counted[0] += n;
        if (inFlight.addAndGet(n) > MOST_IN_FLIGHT) {
          throw new HttpResponseException(503, "berth: too many questions at once");
        }
        if (counted[0] > LARGEST) {
          throw new HttpResponseException(413, "berth: a question of more than 64 MiB");
        }
        long beyond = System.nanoTime() - start - STALL.toNanos();
        if (beyond > 0 && counted[0] < SLOWEST * TimeUnit.NANOSECONDS.toMillis(beyond) / 1000) {
          throw new HttpResponseException(408, "berth: the question came too slowly");
        }
        body.write(chunk, 0, n);
      }
    } catch (IOException stalled) {
      if (stalled.getCause() instanceof TimeoutException) {
        throw new HttpResponseException(408, "berth: the question did not come");
      }
      throw stalled;
    }
    return body.toByteArray();
  }

  /// While a body is read, a connection that is silent ends soon. Over HTTP/2 a connection is
  /// shared by many questions, and its certificate says whose it is: it stays as it is.
  private static final class Hurry implements AutoCloseable {
    private final EndPoint connection;
    private final long usual;

    Hurry(Context http) {
      this.connection = Deadline.client(http);
      this.usual = connection.getIdleTimeout();
      if (http.protocol().startsWith("HTTP/1")) {
        connection.setIdleTimeout(STALL.toMillis());
      }
    }

    @Override
    public void close() {
      connection.setIdleTimeout(usual);
    }
  }
}
