package dev.berth.extender.rest;

import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.wire.RecordJson;
import dev.berth.extender.wire.UnreadableQuestion;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How questions run: on virtual threads, a bounded number at a time, so that the server's own
/// threads are there for the verbs. Whatever goes wrong is answered by a problem document.
final class RestRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RestRequests.class);
  private static final int AT_ONCE = 8;
  private static final int MOST_WAITING = 32;
  private static final int LARGEST_BODY = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore turns = new Semaphore(AT_ONCE);
  private final Semaphore waiting = new Semaphore(MOST_WAITING);

  /// Makes an answer.
  interface Question {
    Object answer(Context http);
  }

  /// Writes one as it comes.
  interface Stream {
    void write(Context http) throws IOException;
  }

  private interface Task {
    void run() throws IOException;
  }

  /// Answers from what is known.
  Handler answering(Question question) {
    return asking(turns, question);
  }

  /// Answers after a while without work of its own.
  Handler waiting(Question question) {
    return asking(waiting, question);
  }

  private Handler asking(Semaphore desks, Question question) {
    return http ->
        run(
            http,
            () -> {
              if (!take(desks)) {
                throw new ApiProblem(
                    Kind.BUSY, "", "Too many questions at once: ask again in a moment");
              }
              try {
                byte[] answer = RecordJson.bytes(question.answer(http));
                http.header("Cache-Control", "no-store")
                    .contentType("application/json")
                    .result(answer);
              } finally {
                desks.release();
              }
            });
  }

  private static boolean take(Semaphore desks) {
    try {
      return desks.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Writes until the client is gone.
  Handler streaming(Stream stream) {
    return http ->
        run(
            http,
            () -> {
              http.req().getAsyncContext().setTimeout(0);
              stream.write(http);
            });
  }

  private void run(Context http, Task task) {
    String path = http.path(); // not to be read any more once the client is gone
    http.async(
        config -> {
          config.executor = threads;
          config.timeout = 0; // tasks end by themselves
        },
        () -> {
          try {
            task.run();
          } catch (ApiProblem problem) {
            answer(http, problem);
          } catch (IOException | UncheckedIOException gone) {
            LOG.atDebug().addKeyValue("path", path).log("the client is gone");
          } catch (RuntimeException internalError) {
            LOG.atError()
                .addKeyValue("path", path)
                .setCause(internalError)
                .log("no answer by our mistake");
            answer(
                http, new ApiProblem(Kind.FAULT, "", "Berth failed to answer: its log says why"));
          }
        });
  }

  private static void answer(Context http, ApiProblem problem) {
    if (http.res().isCommitted()) {
      return; // a stream that has begun ends
    }
    if (problem.status() == 401) {
      http.header("WWW-Authenticate", "Bearer");
    }
    if (problem.isPassing()) {
      http.header("Retry-After", "1");
    }
    http.header("Cache-Control", "no-store")
        .status(problem.status())
        .contentType("application/problem+json")
        .result(RecordJson.bytes(problem.answer()));
  }

  /// The question's body.
  Map<String, Object> body(Context http) {
    var body = new ByteArrayOutputStream();
    var chunk = new byte[8192];
    try {
      InputStream in = http.bodyInputStream();
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        body.write(chunk, 0, n);
        if (body.size() > LARGEST_BODY) {
          throw new ApiProblem(
              Kind.TOO_LARGE, "", "The body is larger than 64 KiB: name fewer changes");
        }
      }
      return RecordJson.tree(body.toByteArray());
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    } catch (UnreadableQuestion notJson) {
      throw new ApiProblem(
          Kind.UNREADABLE, "", notJson.getMessage() + ": send what openapi.json describes");
    }
  }
}
