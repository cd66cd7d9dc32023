package dev.berth.controllers.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.prometheus.PrometheusServer.Access;
import dev.berth.controllers.prometheus.PrometheusServer.Wording;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that answers well, badly, too much, or not to the end.
@Timeout(60)
class PrometheusServerTest {
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir private Path folder = Path.of("");

  private final CountDownLatch ends = new CountDownLatch(1);
  private HttpServer server = null;
  private Access access = Access.OPEN;

  /// What the server does with a question.
  private interface Answer {
    void give(HttpExchange exchange) throws IOException, InterruptedException;
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(task -> Thread.ofVirtual().start(task));
    server.start();
  }

  @AfterEach
  void stop() {
    ends.countDown();
    server.stop(0);
  }

  private void answers(Answer answer) {
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            answer.give(exchange);
          } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  private List<MetricSeries> ask() throws MetricsException {
    return new PrometheusServer(
            "http://localhost:" + server.getAddress().getPort(),
            access,
            Duration.ofSeconds(5),
            Wording.OPTIONS)
        .range("up", NOW.minusSeconds(60), NOW, Duration.ofSeconds(15));
  }

  private void isTold(String... words) {
    assertThatThrownBy(this::ask)
        .isInstanceOf(MetricsException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void seriesAreRead() throws MetricsException {
    answers(exchange ->
        answer(
            exchange,
            200,
            "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[{\"metric\":{\"a\":\"b\"},\"values\":[[1769860740.5,\"3\"],[1769860755,\"NaN\"]]}]}}"));
    var series = ask();
    assertThat(series).hasSize(1);
    assertThat(series.getFirst().label("a")).isEqualTo("b");
    assertThat(series.getFirst().samples())
        .containsExactly(java.util.Map.entry(Instant.parse("2026-01-31T11:59:00.500Z"), 3.0));
  }

  @Test
  void refusalsSayTheWayOut() {
    answers(exchange -> answer(exchange, 401, ""));
    isTold("answers 401", "--token-file");
  }

  @Test
  void redirectsAreNotFollowed() {
    answers(exchange -> {
      exchange.getResponseHeaders().add("Location", "http://elsewhere.example.com/");
      answer(exchange, 302, "");
    });
    isTold("answers 302", "http://elsewhere.example.com/", "--prometheus must name itself");
  }

  @Test
  void errorsOfTheQueryAreTold() {
    answers(exchange ->
        answer(
            exchange,
            400,
            "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}"));
    isTold("answers 400", "parse error");
  }

  @Test
  void whatIsNoAnswerOfPrometheusIsTold() {
    answers(exchange -> answer(exchange, 200, "<html>"));
    isTold("is no JSON");
  }

  @Test
  void aMomentIsNoWindow() {
    answers(exchange ->
        answer(
            exchange,
            200,
            "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}"));
    isTold("data.resultType is \"vector\"", "query_range");
  }

  @Test
  void anAnswerWithoutEndIsGivenUp() {
    answers(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      ends.await();
    });
    isTold("did not answer within 5 s", "--for");
  }

  @Test
  void anAnswerThatIsTooLargeIsGivenUp() {
    answers(exchange -> {
      exchange.sendResponseHeaders(200, 0);
      var much = new byte[1 << 20];
      for (int i = 0; i < 80; i++) {
        exchange.getResponseBody().write(much);
      }
    });
    isTold("more than 64 MiB", "--for");
  }

  @Test
  void aPasswordIsSentAsBasicAuthentication() throws Exception {
    var file = Files.writeString(folder.resolve("password"), "me:pass word\n");
    access = new Access(Optional.empty(), Optional.empty(), Optional.of(file));
    answers(exchange -> {
      String header = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      answer(exchange, header.equals("Basic bWU6cGFzcyB3b3Jk") ? 418 : 401, header);
    });
    isTold("answers 418");
  }

  private void isRefused(String url, Access with, String... words) {
    assertThatThrownBy(() -> new PrometheusServer(url, with))
        .isInstanceOf(MetricsException.class)
        .hasMessageContainingAll(words)
        .hasMessageNotContaining("hunter2");
  }

  private static Access token(Path file) {
    return new Access(Optional.empty(), Optional.of(file), Optional.empty());
  }

  private static Access password(Path file) {
    return new Access(Optional.empty(), Optional.empty(), Optional.of(file));
  }

  @Test
  void secretsAreNotSentInPlainText() throws IOException {
    var token = Files.writeString(folder.resolve("token"), "a:hunter2\n");
    for (String scheme : List.of("http", "HTTP")) {
      String url = scheme + "://prometheus.example.com";
      isRefused(url, token(token), "--token-file with " + url, "in plain text");
      isRefused(url, password(token), "--password-file with " + url, "in plain text");
    }
  }

  @Test
  void whatCannotBeUsedIsToldWithoutTheSecret() throws IOException {
    String url = "https://prometheus.example.com";
    var lines = Files.writeString(folder.resolve("lines"), "hunter2\nb\n");
    var words = Files.writeString(folder.resolve("words"), "hunter2 b\n");
    isRefused(url, token(lines), "--token-file " + lines, "must hold one line");
    isRefused(url, token(words), "--token-file " + words, "must hold one token");
    isRefused(url, password(words), "--password-file " + words, "USER:PASSWORD");
    isRefused(url, token(folder.resolve("none")), "cannot be read");
    isRefused(
        url, new Access(Optional.empty(), Optional.of(lines), Optional.of(lines)), "one of them");
    isRefused(
        url, new Access(Optional.of(lines), Optional.empty(), Optional.empty()), "--ca " + lines);
    isRefused("https://me:hunter2@prometheus.example.com", Access.OPEN, "--password-file");
    for (String wrong : List.of("localhost:9090", "https://a/?b=c", "https://a/#b", "ftp://a")) {
      isRefused(wrong, Access.OPEN, "--prometheus is \"" + wrong + "\", but must be a URL");
    }
  }
}
