package dev.berth.extender;

import dev.berth.extender.bounds.Addresses;
import dev.berth.extender.bounds.BoundedAnswers;
import dev.berth.extender.bounds.RequestExecutors;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.verbs.NotOurs;
import dev.berth.extender.verbs.NotReady;
import dev.berth.extender.verbs.OutcomeCounter.Verb;
import dev.berth.extender.verbs.Readiness;
import dev.berth.extender.verbs.VerbOutcome;
import dev.berth.extender.wire.BindAnswer;
import dev.berth.extender.wire.BindQuestion;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.KnownNames;
import dev.berth.extender.wire.PreemptQuestion;
import dev.berth.extender.wire.UnreadableQuestion;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The edge: decodes a question, asks the verb, encodes its answer.
///
/// Any status but 200 is an error to kube-scheduler, and the body is for operators. Answers carry a
/// Content-Length (a byte array is written at once) and go out without delay; a connection lives
/// longer than the 90 s that Go's client keeps it.
public final class ExtenderServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtenderServer.class);
  private static final int IDLE_MILLIS = 150_000;
  private static final int BACKLOG = 4096; // a gang arrives on as many new connections

  private static final Executor ANSWERS = RequestExecutors.named("answer");

  private final ServerSettings settings;
  private final Verbs verbs;
  private final Readiness readiness;
  private final Health health;
  private final Metrics metrics;
  private final KnownNames known = new KnownNames();
  private final BoundedBodies questions = new BoundedBodies();
  private final BoundedAnswers answers = new BoundedAnswers();
  private final Addresses addresses = new Addresses();
  private final IdleConnections idle;
  private final Javalin server;

  /// Of a process that never stands by.
  public ExtenderServer(
      ServerSettings settings,
      Verbs verbs,
      Readiness readiness,
      Metrics metrics,
      List<Consumer<RoutesConfig>> more) {
    this(settings, verbs, Health.of(readiness), metrics, more);
  }

  /// @param more routes of others on the same port: the REST API, the dashboard
  public ExtenderServer(
      ServerSettings settings,
      Verbs verbs,
      Health health,
      Metrics metrics,
      List<Consumer<RoutesConfig>> more) {
    this.settings = settings;
    this.verbs = verbs;
    this.readiness = health.leads();
    this.health = health;
    this.metrics = metrics;
    metrics.watch(verbs.bind()::waiting);
    long longest = Math.max(IDLE_MILLIS, settings.bindTimeout().toMillis() + 30_000);
    this.idle = new IdleConnections(IdleConnections.SHORT, Duration.ofMillis(longest), addresses);
    this.server =
        Javalin.create(config -> {
          edge(config);
          routes(config.routes);
          more.forEach(routes -> routes.accept(config.routes));
        });
  }

  public ExtenderServer start() {
    server.start();
    return this;
  }

  /// Where it listens, once started.
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }

  private void edge(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.http.compressionStrategy = CompressionStrategy.NONE; // Go asks for gzip; 0.8 ms each
    config.http.asyncTimeout = settings.bindTimeout().toMillis();
    config.concurrency.useVirtualThreads = false; // 396 against 273 µs
    config.jetty.threadPool =
        new QueuedThreadPool(settings.threads(), Math.min(8, settings.threads()));
    config.jetty.modifyServer(jetty ->
        jetty.setHandler(
            new RequestThreads(
                settings.threads() - ServerSettings.RESERVED, BACKLOG, idle, addresses)));
    config.jetty.addConnector(this::connector);
  }

  private ServerConnector connector(
      org.eclipse.jetty.server.Server jetty, HttpConfiguration configuration) {
    configuration.setSendServerVersion(false);
    configuration.setHeaderCacheSize(0); // most binds come on a connection of their own
    configuration.setIdleTimeout(-1); // the connection's counts, and a waiting bind is not idle
    var connector =
        new ServerConnector(jetty, 1, 1, settings.transport().over(configuration, addresses));
    connector.setHost(settings.host());
    connector.setPort(settings.port());
    connector.setIdleTimeout(idle.longestMillis());
    connector.addBean(idle);
    connector.setAcceptQueueSize(BACKLOG);
    connector.setAcceptedTcpNoDelay(true); // else 44 ms a call: Nagle and a delayed ACK
    return connector;
  }

  private void routes(RoutesConfig routes) {
    settings.transport().guard(routes, "/extender/*");
    routes.post("/extender/filter", asked(Verb.FILTER, this::filter));
    routes.post("/extender/prioritize", asked(Verb.PRIORITIZE, this::prioritize));
    routes.post("/extender/preempt", asked(Verb.PREEMPT, this::preempt));
    routes.post("/extender/bind", this::bind);
    routes.get("/healthz", http -> http.result("ok"));
    routes.get("/livez", http -> told(http, health.lives()));
    routes.get("/readyz", http -> told(http, health.available()));
    routes.get("/leadz", http -> told(http, readiness));
    routes.get(
        "/metrics",
        http ->
            answers.later(
                http.contentType(Metrics.CONTENT_TYPE),
                "",
                metrics.text().getBytes(StandardCharsets.UTF_8)));
    RequestFailures.handle(
        routes,
        UnreadableQuestion.class,
        (unreadable, http) -> http.status(400).result("berth: " + unreadable.getMessage()));
    RequestFailures.handle(
        routes,
        NotOurs.class,
        (notOurs, http) -> http.status(403).result(String.valueOf(notOurs.getMessage())));
    RequestFailures.handle(
        routes,
        NotReady.class,
        (notReady, http) ->
            http.header("Connection", "close").status(503).result(sentence(notReady)));
    RequestFailures.handle(
        routes,
        HttpResponseException.class,
        (turnedAway, http) ->
            http.header("Connection", "close")
                .status(turnedAway.getStatus())
                .result(String.valueOf(turnedAway.getMessage())));
    RequestFailures.handle(routes, Exception.class, ExtenderServer::fault);
  }

  private static String sentence(NotReady notReady) {
    return String.valueOf(notReady.getMessage());
  }

  private static void fault(Exception internalError, Context http) {
    if (internalError instanceof EofException || internalError.getCause() instanceof EofException) {
      // the client is gone before the end of the question: there is no answer
      LOG.atDebug().addKeyValue("path", http.path()).log("the question broke off");
      http.status(400).result("berth: the question broke off");
      return;
    }
    LOG.atError()
        .addKeyValue("path", http.path())
        .setCause(internalError)
        .log("internal error: no answer");
    http.status(500).result("berth: internal error");
  }

  private byte[] filter(byte[] body) throws UnreadableQuestion {
    return verbs.filter().answer(FilterQuestion.read(body, known)).bytes();
  }

  private byte[] prioritize(byte[] body) throws UnreadableQuestion, NotReady, NotOurs {
    return verbs.prioritize().answer(FilterQuestion.read(body, known)).bytes();
  }

  private byte[] preempt(byte[] body) throws UnreadableQuestion, NotReady, NotOurs {
    return verbs.preempt().answer(PreemptQuestion.read(body)).bytes();
  }

  private void bind(Context http) throws Exception {
    long from = System.nanoTime();
    var asked = questions.now(http);
    if (asked.isPresent()) {
      BindQuestion question = readBind(asked.get());
      http.future(() -> bind(http, question, from));
    } else {
      http.future(() ->
          questions
              .body(http)
              .thenApply(this::readLate)
              .thenCompose(question -> bind(http, question, from))
              .toCompletableFuture());
    }
  }

  /// Told on a thread of its own: whose future it is, as an alarm's or that of the last of a gang,
  /// must not wait for a client that does not read.
  private CompletableFuture<Void> bind(Context http, BindQuestion question, long from) {
    return verbs
        .bind()
        .answer(question)
        .thenAcceptAsync(answer -> told(http, answer, from), ANSWERS)
        .toCompletableFuture();
  }

  private BindQuestion readLate(byte[] body) {
    try {
      return readBind(body);
    } catch (UnreadableQuestion unreadable) {
      throw new CompletionException(unreadable);
    }
  }

  private BindQuestion readBind(byte[] body) throws UnreadableQuestion {
    try {
      return BindQuestion.read(body);
    } catch (UnreadableQuestion unreadable) {
      metrics.counted(Verb.BIND, VerbOutcome.UNREADABLE);
      throw unreadable;
    }
  }

  private void told(Context http, BindAnswer answer, long from) {
    json(http, answer.bytes());
    metrics.took(Verb.BIND, System.nanoTime() - from);
  }

  private static void told(Context http, Readiness what) {
    var missing = what.missing();
    http.status(missing.isPresent() ? 503 : 200)
        .result(missing.map(Readiness::sentence).orElse("ok"));
  }

  /// What a verb makes of a question.
  private interface Asked {
    byte[] answer(byte[] body) throws UnreadableQuestion, NotReady, NotOurs;
  }

  private Handler asked(Verb verb, Asked asked) {
    return http -> questions.read(http, body -> json(http, timed(verb, asked, body)));
  }

  private byte[] timed(Verb verb, Asked asked, byte[] body)
      throws UnreadableQuestion, NotReady, NotOurs {
    long from = System.nanoTime();
    try {
      return asked.answer(body);
    } catch (UnreadableQuestion unreadable) {
      metrics.counted(verb, VerbOutcome.UNREADABLE);
      throw unreadable;
    } catch (RuntimeException internalError) {
      metrics.counted(verb, VerbOutcome.INTERNAL_ERROR);
      throw internalError;
    } finally {
      metrics.took(verb, System.nanoTime() - from);
    }
  }

  /// A replica that is not ready closes the connection too, so that the next question reaches the
  /// leader.
  private void json(Context http, byte[] body) {
    if (readiness.missing().isPresent()) {
      http.header("Connection", "close");
    }
    http.contentType("application/json").result(body);
  }
}
