package dev.berth.extender.rest;

import dev.berth.extender.bounds.BoundedAnswers;
import dev.berth.extender.bounds.Deadline;
import dev.berth.extender.bounds.PartyShares;
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
import java.util.Optional;
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
  private static final int MOST_BODIES = 32;
  private static final int LARGEST_BODY = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// For the body of a question.
  private static final Duration STALL = Duration.ofSeconds(10);

  private static final String PARTY = "party";

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore turns = new Semaphore(AT_ONCE);
  private final PartyShares bodies = new PartyShares(MOST_BODIES);
  private final BoundedAnswers answers = new BoundedAnswers();

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
    return http -> run(http, () -> write(http, inTurn(http, question)));
  }

  /// Answers after a while without work of its own; the question bounds how many wait.
  Handler waiting(Question question) {
    return http -> run(http, () -> write(http, RecordJson.bytes(question.answer(http))));
  }

  private byte[] inTurn(Context http, Question question) {
    if (!takesTurn()) {
      throw busy("Too many questions at once");
    }
    try {
      return RecordJson.bytes(question.answer(http));
    } finally {
      turns.release();
    }
  }

  private boolean takesTurn() {
    try {
      return turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static ApiProblem busy(String what) {
    return new ApiProblem(Kind.BUSY, "", what + ": ask again in a moment");
  }

  /// After the turn, so that a client that does not read keeps no other from asking.
  private void write(Context http, byte[] answer) throws IOException {
    http.header("Cache-Control", "no-store").contentType("application/json");
    if (!answers.write(http, party(http), answer)) {
      throw busy("Too many answers that are not read yet");
    }
  }

  /// On behalf of which party a question is asked; empty = of a viewer of everything.
  void ask(Context http, String party) {
    http.attribute(PARTY, party);
  }

  /// Clients without a known party share one.
  private static String party(Context http) {
    return Optional.ofNullable(http.<String>attribute(PARTY)).orElse("?");
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
  ///
  /// @throws ApiProblem it does not come, is too large or no JSON, or too many others come
  Map<String, Object> body(Context http) {
    if (bodies.take(party(http), 1) != PartyShares.Answer.TAKEN) {
      throw busy("Too many questions that have not come yet");
    }
    try (var _ = Deadline.in(STALL, http)) {
      return read(http);
    } finally {
      bodies.leave(party(http), 1);
    }
  }

  private static Map<String, Object> read(Context http) {
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
