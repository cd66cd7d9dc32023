package dev.berth.extender.rest;

import dev.berth.extender.bounds.BoundedAnswers;
import dev.berth.extender.bounds.ClientQuota;
import dev.berth.extender.bounds.Deadline;
import dev.berth.extender.bounds.RequestExecutors;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.answer.Visible;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How questions run: on virtual threads, a bounded number at a time, so that the server's own
/// threads are there for the verbs. A party has one place and rests for three times as long as its
/// answer took: it gets a quarter of a processor, which planning needs as well. Whatever goes wrong
/// is answered by a problem document.
final class RestRequests {
  private static final Logger LOG = LoggerFactory.getLogger(RestRequests.class);
  private static final int AT_ONCE = 4;
  private static final int MOST_WAITING_OF_PARTY = 16;
  private static final int REST = 3; // times as long as its answer took
  private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(1);
  private static final long SHORTEST_REST = TimeUnit.MILLISECONDS.toNanos(3);
  private static final int MOST_BODIES = 128; // few bytes each
  private static final int LARGEST_BODY = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration REFUSAL = Duration.ofSeconds(1);

  private static final Duration STALL = Duration.ofSeconds(10);

  private final ExecutorService threads = RequestExecutors.named("rest");
  private final ClientQueue places = new ClientQueue(AT_ONCE, MOST_WAITING_OF_PARTY);
  private final ClientQuota bodies = new ClientQuota(MOST_BODIES);
  private final BoundedAnswers answers = new BoundedAnswers();
  private final Clients clients;
  private final Duration stall;

  /// @param clients tells what the client of a question may see, before the question has a place
  RestRequests(Clients clients) {
    this(clients, STALL);
  }

  /// @param stall for the body of a question
  RestRequests(Clients clients, Duration stall) {
    this.clients = clients;
    this.stall = stall;
  }

  /// Tells what the client of a question may see.
  interface Clients {
    Visible viewer(Context http);
  }

  /// Makes an answer.
  interface Question {
    Object answer(Context http, Visible visible);
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
    return http ->
        run(
            http,
            () -> {
              var visible = clients.viewer(http);
              write(http, visible.party(), inPlace(http, visible, question));
            });
  }

  /// Answers after a while without work of its own; the question bounds how many wait.
  Handler waiting(Question question) {
    return http ->
        run(
            http,
            () -> {
              var visible = clients.viewer(http);
              write(http, visible.party(), RecordJson.bytes(question.answer(http, visible)));
            });
  }

  private byte[] inPlace(Context http, Visible visible, Question question) {
    return inPlace(visible.party(), () -> RecordJson.bytes(question.answer(http, visible)));
  }

  /// Work for a question of which the most is done by another thread: in a place, so that a party
  /// has no more of the processor for it than for other questions.
  <T> T inPlace(String party, Supplier<T> work) {
    if (!takesPlace(party)) {
      throw refused("Too many questions at once");
    }
    long start = System.nanoTime();
    try {
      return work.get();
    } finally {
      leave(party, System.nanoTime() - start);
    }
  }

  private boolean takesPlace(String party) {
    try {
      return places.take(party, PATIENCE);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Comes after a while: a client that asks again at once when it is refused would be refused
  /// thousands of times a second. On a virtual thread, as it blocks.
  static ApiProblem refused(String what) {
    try {
      Thread.sleep(REFUSAL);
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    return new ApiProblem(Kind.BUSY, "", what + ": ask again in a moment");
  }

  private void leave(String party, long tookNanos) {
    long rest = Math.min(LONGEST_REST, REST * tookNanos);
    if (party.isEmpty() || rest < SHORTEST_REST) {
      places.leave(party);
    } else {
      CompletableFuture.delayedExecutor(rest, TimeUnit.NANOSECONDS, threads)
          .execute(() -> places.leave(party));
    }
  }

  /// Without a place, so that a client that does not read keeps no other from asking.
  private void write(Context http, String party, byte[] answer) throws IOException {
    http.header("Cache-Control", "no-store").contentType("application/json");
    if (!answers.write(http, party, answer)) {
      throw refused("Too many answers that are not read yet");
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
    var gone = RequestFailures.whetherGone(http);
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
          } catch (IOException | UncheckedIOException broken) {
            LOG.atDebug().addKeyValue("path", path).log("the client is gone");
          } catch (RuntimeException internalError) {
            if (gone.getAsBoolean()) {
              LOG.atDebug().addKeyValue("path", path).log("the client is gone");
              return;
            }
            LOG.atError()
                .addKeyValue("path", path)
                .setCause(internalError)
                .log("internal error: no answer");
            answer(
                http,
                new ApiProblem(
                    Kind.INTERNAL_ERROR, "", "Berth failed to answer: its log says why"));
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

  /// The question's body, an object of JSON.
  ///
  /// @throws ApiProblem it does not come, is too large or no JSON, or too many others come
  Map<String, Object> body(Context http, String party) {
    try {
      return RecordJson.tree(bytes(http, party, "name fewer changes"));
    } catch (UnreadableQuestion notJson) {
      throw new ApiProblem(
          Kind.UNREADABLE, "", notJson.getMessage() + ": send what openapi.json describes");
    }
  }

  /// The question's body.
  ///
  /// @param smaller what to do where it is too large
  /// @throws ApiProblem it does not come, is too large, or too many others come
  byte[] bytes(Context http, String party, String smaller) {
    if (bodies.take(party, 1) != ClientQuota.Answer.TAKEN) {
      throw refused("Too many questions that have not come yet");
    }
    try (var _ = Deadline.in(stall, http)) {
      return read(http, smaller);
    } finally {
      bodies.leave(party, 1);
    }
  }

  private static byte[] read(Context http, String smaller) {
    var body = new ByteArrayOutputStream();
    var chunk = new byte[8192];
    try {
      InputStream in = http.bodyInputStream();
      for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
        body.write(chunk, 0, n);
        if (body.size() > LARGEST_BODY) {
          throw new ApiProblem(Kind.TOO_LARGE, "", "The body is larger than 64 KiB: " + smaller);
        }
      }
      return body.toByteArray();
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }
}
