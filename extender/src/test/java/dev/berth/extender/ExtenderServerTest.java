package dev.berth.extender;

import static dev.berth.extender.verbs.VerbCluster.key;
import static dev.berth.extender.verbs.VerbCluster.pod;
import static dev.berth.extender.verbs.VerbCluster.uid;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.tls.Transport;
import dev.berth.extender.verbs.VerbCluster;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExtenderServerTest {
  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  private final VerbCluster cluster =
      new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1", "n2");
  private final Metrics metrics = new Metrics(new CollectorRegistry());
  private Optional<String> unavailable = Optional.empty();
  private Optional<String> hung = Optional.empty();
  private final ExtenderServer server =
      new ExtenderServer(
              new ServerSettings("127.0.0.1", 0, 16, ofSeconds(90), new Transport.Plain()),
              new Verbs(cluster.filter, cluster.prioritize, cluster.preempt, cluster.bind),
              new Health(() -> cluster.missing, () -> unavailable, () -> hung),
              metrics,
              List.of(routes -> routes.get("/api/hello", http -> http.result("hello"))))
          .start();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void count() {
    cluster.tally = metrics;
  }

  @AfterEach
  void close() {
    client.shutdownNow();
    server.close();
    timer.close();
  }

  private HttpRequest request(String path, String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Content-Type", "application/json")
        .header("Accept-Encoding", "gzip") // as Go does
        .timeout(ofSeconds(60))
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return client.send(request(path, body), BodyHandlers.ofString());
  }

  private HttpResponse<String> read(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
        BodyHandlers.ofString());
  }

  private static String question(String pod, List<String> nodes) {
    return "{\"Pod\":{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\",\"uid\":\"%s\"},\"spec\":{}},"
            .formatted(pod, key(pod).namespace(), uid(pod))
        + "\"Nodes\":null,\"NodeNames\":[\""
        + String.join("\",\"", nodes)
        + "\"]}";
  }

  private static String bindOf(String pod, String node) {
    return "{\"PodName\":\"%s\",\"PodNamespace\":\"%s\",\"PodUID\":\"%s\",\"Node\":\"%s\"}"
        .formatted(pod, key(pod).namespace(), uid(pod), node);
  }

  @Test
  void theFourVerbsAnswer() throws Exception {
    cluster.planned("train", "n2").seen(pod("free"));

    var filtered = post("/extender/filter", question("train", List.of("n1", "n2")));
    assertThat(filtered.statusCode()).isEqualTo(200);
    assertThat(filtered.body())
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[\"n2\"],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
    assertThat(filtered.headers().firstValueAsLong("Content-Length"))
        .as("else Go's client opens a new connection for each call")
        .hasValue(filtered.body().length());
    assertThat(filtered.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(filtered.headers().firstValue("Content-Type")).hasValue("application/json");

    assertThat(post("/extender/prioritize", question("free", List.of("n1", "n2"))).body())
        .isEqualTo("[{\"Host\":\"n1\",\"Score\":3},{\"Host\":\"n2\",\"Score\":3}]");
    assertThat(
            post(
                    "/extender/preempt",
                    question("free", List.of()).replace("NodeNames\":[\"\"]", "X\":0"))
                .body())
        .isEqualTo("{\"NodeNameToMetaVictims\":{}}");
    var bound = post("/extender/bind", bindOf("train", "n2"));
    assertThat(bound.body()).isEqualTo("{\"Error\":\"\"}");
    assertThat(bound.headers().firstValueAsLong("Content-Length")).hasValue(12);
    assertThat(cluster.bindings.written()).hasSize(1);
  }

  @Test
  void whatIsNoQuestionIsABadRequestWithASentence() throws Exception {
    for (String verb : List.of("filter", "prioritize", "preempt", "bind")) {
      for (String body : List.of("", "{", "[]", "{\"Pod\":{}}", "{\"Pod\":{\"metadata\":[]}}")) {
        var answer = post("/extender/" + verb, body);
        assertThat(answer.statusCode()).as(verb + " " + body).isEqualTo(400);
        assertThat(answer.body()).startsWith("berth: ").hasLineCount(1);
        assertThat(answer.body()).doesNotContain("Exception", "\tat ");
      }
    }
    assertThat(metrics.text())
        .contains("berth_verb_outcomes_total{verb=\"bind\",outcome=\"unreadable\",} 5.0");
  }

  @Test
  void aMistakeOfOursIsALineAndNoStackTrace() throws Exception {
    cluster.seen(pod("free"));
    cluster.ungated.broken = true;

    var answer = post("/extender/filter", question("free", List.of("n1")));

    assertThat(answer.statusCode()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("berth: internal error");
    assertThat(post("/extender/bind", bindOf("free", "n1")).body())
        .isEqualTo("{\"Error\":\"berth: internal error\"}");
    assertThat(metrics.text())
        .contains("berth_verb_outcomes_total{verb=\"filter\",outcome=\"internal_error\",} 1.0");
    assertThat(cluster.bind.waiting()).isZero();
  }

  @Test
  void unknownPathsAreNotFound() throws Exception {
    assertThat(read("/nothing").statusCode()).isEqualTo(404);
    assertThat(read("/nothing").body()).isEqualTo("Endpoint GET /nothing not found");
    assertThat(read("/extender/filter").statusCode()).as("it is a POST").isEqualTo(404);
    assertThat(read("/api/hello").body()).as("routes of others").isEqualTo("hello");
  }

  @Test
  void readinessIsTold() throws Exception {
    assertThat(read("/healthz").statusCode()).isEqualTo(200);
    assertThat(read("/readyz").statusCode()).isEqualTo(200);
    assertThat(read("/leadz").statusCode()).isEqualTo(200);
    cluster.missing = Optional.of("the ledger is not rebuilt");

    assertThat(read("/healthz").statusCode()).isEqualTo(200);
    assertThat(read("/readyz").statusCode()).as("a standby is available").isEqualTo(200);
    assertThat(read("/leadz").statusCode()).isEqualTo(503);
    assertThat(read("/leadz").body()).isEqualTo("berth is not ready: the ledger is not rebuilt");
    unavailable = Optional.of("the lease is not read yet");
    assertThat(read("/readyz").statusCode()).isEqualTo(503);
    assertThat(read("/readyz").body()).isEqualTo("berth is not ready: the lease is not read yet");
    assertThat(read("/livez").statusCode()).as("it may get well").isEqualTo(200);
    hung = Optional.of("no plan came to its end for 301 s");
    assertThat(read("/livez").statusCode()).isEqualTo(503);
    assertThat(read("/livez").body()).contains("no plan came to its end for 301 s");
    assertThat(read("/healthz").statusCode()).as("it answers").isEqualTo(200);
    assertThat(post("/extender/filter", question("x", List.of("n1"))).body())
        .contains("\"Error\":\"berth is not ready: the ledger is not rebuilt\"");
    assertThat(post("/extender/prioritize", question("x", List.of("n1"))).statusCode())
        .isEqualTo(503);
    assertThat(post("/extender/preempt", question("x", List.of("n1"))).statusCode()).isEqualTo(503);
    assertThat(post("/extender/bind", bindOf("x", "n1")).body()).contains("berth is not ready");
  }

  @Test
  void aLargeQuestionIsRead() throws Exception {
    cluster.planned("train", "n2");
    var nodes =
        IntStream.range(0, 100_000)
            .mapToObj("worker-%06d.example.com"::formatted)
            .collect(Collectors.toCollection(ArrayList::new));
    nodes.add("n2");

    var answer = post("/extender/filter", question("train", nodes));

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"NodeNames\":[\"n2\"]");
  }

  @Test
  void aCallDoesNotWaitForADelayedAck() throws Exception {
    cluster.nodes("worker-00042").planned("train", "worker-00042");
    var nodes = IntStream.range(0, 1000).mapToObj("worker-%05d"::formatted).toList();
    String question = question("train", nodes);
    var nanos = new long[200];
    for (int i = 0; i < nanos.length; i++) {
      long from = System.nanoTime();
      assertThat(post("/extender/filter", question).statusCode()).isEqualTo(200);
      nanos[i] = System.nanoTime() - from;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "filter of 1,000 names over HTTP: p50 %d µs, p99 %d µs%n",
        nanos[100] / 1000, nanos[197] / 1000);
    assertThat(ofMillis(20).toNanos())
        .as("p50 without TCP_NODELAY would be 40 ms and more")
        .isGreaterThan(nanos[100]);
  }

  @Test
  void aThousandWaitingBindsDoNotKeepFilterFromAnswering() throws Exception {
    int size = 1000;
    cluster.gang("big", size, "n1").planned("train", "n2");
    var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < size - 1; i++) {
      answers.add(
          client.sendAsync(
              request("/extender/bind", bindOf("big-" + i, "n1")), BodyHandlers.ofString()));
    }
    long until = System.nanoTime() + ofSeconds(30).toNanos();
    while (cluster.bind.waiting() < size - 1 && System.nanoTime() < until) {
      Thread.yield();
    }
    assertThat(cluster.bind.waiting()).as("all but one wait").isEqualTo(size - 1);
    assertThat(metrics.text()).contains("berth_waiting_binds 999.0");

    long from = System.nanoTime();
    var filtered = post("/extender/filter", question("train", List.of("n1", "n2")));
    long took = System.nanoTime() - from;
    assertThat(filtered.body()).contains("\"NodeNames\":[\"n2\"]");
    assertThat(TimeUnit.NANOSECONDS.toMillis(took)).as("milliseconds").isLessThan(5000);
    assertThat(cluster.bindings.written()).isEmpty();

    from = System.nanoTime();
    answers.add(
        client.sendAsync(
            request("/extender/bind", bindOf("big-" + (size - 1), "n1")), BodyHandlers.ofString()));
    for (var answer : answers) {
      assertThat(answer.get(30, TimeUnit.SECONDS).body()).isEqualTo("{\"Error\":\"\"}");
    }
    System.out.printf(
        "a gang of %d: filter beside it %d µs; from the last bind to the last answer %d ms%n",
        size, took / 1000, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from));
    assertThat(cluster.bindings.written()).hasSize(size);
    assertThat(cluster.bind.waiting()).isZero();
  }

  /// More connections than the server has threads, each of which begins a question.
  @Test
  void questionsThatDoNotComeKeepNoProbeWaitingAndAreCutOff() throws Exception {
    var stalled = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 64; i++) {
        var socket = new Socket("127.0.0.1", server.port());
        stalled.add(socket);
        String verb = i % 2 == 0 ? "filter" : "bind";
        socket
            .getOutputStream()
            .write(
                ("POST /extender/"
                        + verb
                        + " HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n{")
                    .getBytes(StandardCharsets.UTF_8));
      }
      for (int i = 0; i < 20; i++) {
        assertThat(quickly("/healthz").get(5, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      }
      cluster.planned("train", "n2");
      assertThat(post("/extender/filter", question("train", List.of("n1", "n2"))).statusCode())
          .as("a question beside them")
          .isEqualTo(200);
      for (Socket socket : stalled) {
        socket.setSoTimeout(30_000);
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .as("cut off")
            .satisfiesAnyOf(
                answer -> assertThat(answer).startsWith("HTTP/1.1 408"),
                answer -> assertThat(answer).isEmpty());
      }
    } finally {
      for (Socket socket : stalled) {
        socket.close();
      }
    }
  }

  @Test
  void probesAndMetricsAnswerWhileEveryThreadForQuestionsIsBlocked() throws Exception {
    cluster.seen(pod("free"));
    cluster.ungated.pause = new CountDownLatch(1);
    var blocked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < 64; i++) {
      blocked.add(
          client.sendAsync(
              request("/extender/filter", question("free", List.of("n1"))),
              BodyHandlers.ofString()));
    }
    long until = System.nanoTime() + ofSeconds(10).toNanos();
    while (countOf("alone") < 6 && System.nanoTime() < until) { // as many as have a thread
      Thread.sleep(10);
    }
    for (int i = 0; i < 20; i++) {
      for (String path : List.of("/healthz", "/livez", "/readyz", "/leadz", "/metrics")) {
        assertThat(quickly(path).get(5, TimeUnit.SECONDS).statusCode()).as(path).isEqualTo(200);
      }
    }
    assertThat(blocked).as("they wait").noneMatch(CompletableFuture::isDone);

    cluster.ungated.pause.countDown();
    for (var answer : blocked) {
      assertThat(answer.get(30, TimeUnit.SECONDS).body()).contains("\"NodeNames\":[\"n1\"]");
    }
  }

  private long countOf(String outcome) {
    return metrics
        .text()
        .lines()
        .filter(line -> line.contains("verb=\"filter\",outcome=\"" + outcome + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aQuestionThatTricklesIsCutOff() throws Exception {
    try (var socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(60_000);
      var out = socket.getOutputStream();
      out.write(
          "POST /extender/filter HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n"
              .getBytes(StandardCharsets.UTF_8));
      long from = System.nanoTime();
      boolean cut = false;
      while (!cut && System.nanoTime() - from < ofSeconds(30).toNanos()) {
        try {
          out.write('{');
          out.flush();
          Thread.sleep(100);
          cut = socket.getInputStream().available() > 0;
        } catch (IOException closed) {
          cut = true;
        }
      }
      assertThat(cut).as("cut off within half a minute").isTrue();
    }
  }

  private CompletableFuture<HttpResponse<String>> quickly(String path) {
    var uri = URI.create("http://127.0.0.1:" + server.port() + path);
    return client.sendAsync(HttpRequest.newBuilder(uri).GET().build(), BodyHandlers.ofString());
  }

  @Test
  void metricsAreTold() throws Exception {
    cluster.planned("train", "n2");
    post("/extender/filter", question("train", List.of("n1", "n2")));
    post("/extender/bind", bindOf("train", "n2"));

    var answer = read("/metrics");

    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain"));
    assertThat(answer.body())
        .contains(
            "berth_verb_seconds_count{verb=\"filter\",} 1.0",
            "berth_verb_seconds_count{verb=\"bind\",} 1.0",
            "berth_verb_outcomes_total{verb=\"filter\",outcome=\"planned\",} 1.0",
            "berth_verb_outcomes_total{verb=\"bind\",outcome=\"written\",} 1.0",
            "berth_waiting_binds 0.0");
  }
}
