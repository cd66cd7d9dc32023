package dev.berth.controllers.kube;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.Metrics.Write;
import dev.berth.controllers.client.ApiWrite;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.loop.FairPermits;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;

/// Sends calls to the API server: bounded in flight, repeated while their outcome is unknown, each
/// counted once. The bound is the connection's, and in the line before it namespaces take turns:
/// the bindings of a gang of hundreds do not stand before those of others. A component that writes
/// by the thousand keeps a line of its own and leaves room for the others (`Gates`, and every
/// `KeyedLoop`). Every write of Berth names what it expects (a UID, a lift a version too), so that
/// repeating it is safe; the creation of a holder, which cannot, is tried once. Any thread; it
/// blocks the caller.
///
/// The fence is asked once more before each attempt, for a call may have waited in line; and an
/// attempt ends, here and at the server (`?timeout=`), before the lease does.
public final class Api {
  private static final String SMALL_REPLY =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  private static final int LONGEST_DOUBLING = 8;

  /// @param accept media types of the reply
  /// @param most bytes of the reply
  record Ask(
      String method, ApiPath path, String contentType, String body, String accept, int most) {
    /// An object is at most 1.5 MiB in etcd; this leaves room for a list of some.
    private static final int MOST = 32 << 20;

    private Ask(String method, ApiPath path, String contentType, String body, String accept) {
      this(method, path, contentType, body, accept, MOST);
    }

    static Ask get(ApiPath path) {
      return new Ask("GET", path, "", "", "application/json");
    }

    /// @param accept media types of the reply
    /// @param most bytes of the reply; a larger one is an answer of [Answer#TOO_LARGE]
    static Ask get(ApiPath path, String accept, int most) {
      return new Ask("GET", path, "", "", accept, most);
    }

    /// The reply to a patch is the whole object, which is not needed: ask for its metadata only.
    static Ask patch(ApiPath path, String body) {
      return new Ask("PATCH", path, "application/merge-patch+json", body, SMALL_REPLY);
    }

    static Ask strategicPatch(ApiPath path, String body) {
      return new Ask("PATCH", path, "application/strategic-merge-patch+json", body, SMALL_REPLY);
    }

    static Ask post(ApiPath path, String body) {
      return new Ask("POST", path, "application/json", body, SMALL_REPLY);
    }

    /// A question that is asked by creating: the answer is the reply.
    static Ask question(ApiPath path, String body) {
      return new Ask("POST", path, "application/json", body, "application/json");
    }

    static Ask delete(ApiPath path, String body) {
      return new Ask("DELETE", path, "application/json", body, SMALL_REPLY);
    }

    /// Deletes one incarnation of an object, and none that came after it under its name.
    static Ask deleteOnly(ApiPath path, String uid) {
      var only = JsonBodies.object("uid", uid);
      return delete(path, JsonBodies.deleteOptions("preconditions", only));
    }
  }

  /// One write as a client means it, with all that it takes to know its outcome.
  interface Work {
    void run() throws ClientException;
  }

  private enum Outcome {
    DONE
  }

  private final Connection connection;
  private final WriteSettings settings;
  private final DoubleSupplier chance;
  private final Metrics metrics;
  private final Fence fence;
  private final FairPermits inFlight;

  /// Without a fence.
  ///
  /// @param chance 0 to below 1
  public Api(KubeCluster cluster, WriteSettings settings, DoubleSupplier chance, Metrics metrics) {
    this(cluster.calls(), settings, chance, metrics, Fence.OPEN);
  }

  private Api(
      Connection connection,
      WriteSettings settings,
      DoubleSupplier chance,
      Metrics metrics,
      Fence fence) {
    this.connection = connection;
    this.settings = settings;
    this.chance = chance;
    this.metrics = metrics;
    this.fence = fence;
    this.inFlight = new FairPermits(settings.inFlight());
  }

  /// The same for writes that matter less: few at once, and each tried once.
  Api bestEffort(int inFlight) {
    return attempting(inFlight, 1);
  }

  /// The same for one kind of write, with a line of its own: repeats it where [ApiWrite#retry] says
  /// that the client does, and tries it once where its caller does.
  Api forKind(Class<? extends ApiWrite> kind, int inFlight) {
    return switch (ApiWrite.retry(kind)) {
      case CALLER -> bestEffort(inFlight);
      case CLIENT -> attempting(inFlight, settings.attempts());
    };
  }

  Api forKind(Class<? extends ApiWrite> kind) {
    return forKind(kind, settings.inFlight());
  }

  private Api attempting(int inFlight, int attempts) {
    var its = new WriteSettings(inFlight, attempts, settings.budget(), settings.firstPause());
    return new Api(connection, its, chance, metrics, fence);
  }

  /// The same behind a fence, with a line of its own.
  public Api behind(Fence other) {
    return new Api(connection, settings, chance, metrics, other);
  }

  Metrics metrics() {
    return metrics;
  }

  /// Does a write and counts its outcome.
  void write(Write what, Work work) throws ClientException {
    long start = System.nanoTime();
    try {
      work.run();
      metrics.wrote(what, Outcome.DONE, System.nanoTime() - start);
    } catch (ClientException failed) {
      metrics.wrote(what, failed.kind(), System.nanoTime() - start);
      throw failed;
    }
  }

  /// Sends what is done or has failed: no other answer means anything.
  ///
  /// @throws ClientException also where the answer says that it is not done
  Answer done(String what, Ask ask) throws ClientException {
    Answer answer = send(what, ask);
    if (!answer.isDone()) {
      throw answer.failure(what);
    }
    return answer;
  }

  /// Deletes one incarnation of an object. Gone already is success.
  void delete(String what, ApiPath path, String uid) throws ClientException {
    Answer answer = send(what, Ask.deleteOnly(path, uid));
    if (!answer.isDone() && answer.code() != 404 && !answer.isAnotherIncarnation()) {
      throw answer.failure(what);
    }
  }

  /// Sends until there is an answer that repeating would not change, or the budget is spent. An
  /// answer to a later attempt says nothing of one that got none: then it is in doubt.
  ///
  /// @param what such as `bind pod default/a`, for the message
  /// @throws ClientException `UNREACHABLE`: it may have happened
  Answer send(String what, Ask ask) throws ClientException {
    waitInLine(what, ask);
    long deadline = System.nanoTime() + settings.budget().toNanos(); // begins with its turn
    boolean doubt = false;
    for (int attempt = 1; ; attempt++) {
      Duration pause;
      try {
        if (attempt > 1) {
          acquire(what, ask, deadline);
        }
        Answer answer = sendOnce(ask, attempt == 1).inDoubt(doubt);
        if (!answer.isOverload()) {
          return answer;
        }
        if (answer.code() >= 500) {
          doubt |= unanswered(ask);
        }
        pause = longer(answer.retryAfter(), pause(attempt));
        if (isLast(attempt, pause, deadline)) {
          return answer;
        }
      } catch (IOException lost) {
        doubt |= unanswered(ask);
        pause = pause(attempt);
        if (isLast(attempt, pause, deadline)) {
          throw new ClientException(
              ClientException.Kind.UNREACHABLE,
              "could not "
                  + what
                  + ": no answer from "
                  + connection.server()
                  + ": "
                  + lost.getMessage(),
              lost);
        }
      }
      sleep(what, pause);
    }
  }

  /// @return whether it may be done all the same
  private boolean unanswered(Ask ask) {
    boolean writes = !ask.method().equals("GET");
    if (writes) {
      fence.unanswered();
    }
    return writes;
  }

  /// Gives back the permit that its caller holds.
  private Answer sendOnce(Ask ask, boolean isFirst) throws IOException, ClientException {
    try {
      Duration left = fence.left();
      if (!left.isPositive() && !ask.method().equals("GET")) {
        throw new ClientException(
            isFirst ? ClientException.Kind.NOT_NOW : ClientException.Kind.UNREACHABLE,
            "not sent: " + fence.barred().orElse("no time is left"));
      }
      var call = connection.open(request(ask, left));
      if (fence != Fence.OPEN && left.isPositive()) {
        long longest = call.timeout().timeoutNanos();
        call.timeout().timeout(Math.min(left.toNanos(), longest), TimeUnit.NANOSECONDS);
      }
      try (var response = Connection.execute(call)) {
        return Answer.read(response, ask.most());
      }
    } finally {
      inFlight.release();
    }
  }

  /// A server that is late with a write gives it up when the lease is over: its answer is not
  /// awaited.
  private ApiPath path(Ask ask, Duration left) {
    boolean unbounded = fence == Fence.OPEN || ask.method().equals("GET");
    return unbounded ? ask.path() : ask.path().with("timeout", left.toMillis() + "ms");
  }

  private Request request(Ask ask, Duration left) throws ClientException {
    RequestBody body =
        RequestBody.create(
            ask.body().getBytes(java.nio.charset.StandardCharsets.UTF_8),
            MediaType.parse(ask.contentType()));
    var request = connection.request(ask.method(), path(ask, left)).header("Accept", ask.accept());
    return ask.method().equals("GET")
        ? request.get().build()
        : request.method(ask.method(), body).build();
  }

  private void waitInLine(String what, Ask ask) throws ClientException {
    try {
      inFlight.acquire(ask.path().namespace());
    } catch (InterruptedException stopping) {
      throw interrupted(what, stopping);
    }
  }

  private void acquire(String what, Ask ask, long deadline) throws ClientException {
    try {
      var left = Duration.ofNanos(deadline - System.nanoTime());
      if (!inFlight.tryAcquire(ask.path().namespace(), left)) {
        throw new ClientException(
            ClientException.Kind.UNREACHABLE,
            "could not " + what + ": " + settings.inFlight() + " writes are in flight already");
      }
    } catch (InterruptedException stopping) {
      throw interrupted(what, stopping);
    }
  }

  private boolean isLast(int attempt, Duration pause, long deadline) {
    return attempt >= settings.attempts() || System.nanoTime() + pause.toNanos() >= deadline;
  }

  private Duration pause(int attempt) {
    long nanos = settings.firstPause().toNanos() << Math.min(attempt - 1, LONGEST_DOUBLING);
    return Duration.ofNanos(nanos / 2 + (long) (chance.getAsDouble() * (nanos / 2)));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static void sleep(String what, Duration pause) throws ClientException {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException stopping) {
      throw interrupted(what, stopping);
    }
  }

  private static ClientException interrupted(String what, InterruptedException stopping) {
    Thread.currentThread().interrupt();
    return new ClientException(
        ClientException.Kind.UNREACHABLE, "could not " + what + ": Berth is stopping", stopping);
  }
}
