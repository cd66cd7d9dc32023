package dev.berth.extender.access;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.access.AccessReviewer.NoVerdict;
import dev.berth.extender.access.AccessReviewer.Verdict;
import dev.berth.extender.bounds.RequestFailures;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which requests are let through, and how often the cluster is asked, over HTTP.
class AccessTest {
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private volatile boolean isDown;
  private volatile CountDownLatch until = new CountDownLatch(0);
  private final Access access =
      new Access(this::review, new AccessSettings(ofSeconds(10), ofSeconds(2), 1, 3), () -> now);
  private final Javalin server =
      Javalin.create(
              config -> {
                config.startup.showJavalinBanner = false;
                RequestFailures.handleAll(config.routes);
                access.before("/metrics").accept(config.routes);
                access.before("/berth/*").accept(config.routes);
                config.routes.get("/metrics", http -> http.result("numbers"));
                config.routes.post("/berth/queues", http -> http.result("done"));
                config.routes.get("/healthz", http -> http.result("ok"));
              })
          .start("127.0.0.1", 0);
  private final HttpClient client = HttpClient.newHttpClient();

  private Verdict review(String token, String verb, String path) throws NoVerdict {
    asked.add(token + " " + verb + " " + path);
    try {
      until.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (isDown) {
      throw new NoVerdict("no answer from the API server", new IOException("down"));
    }
    return switch (token) {
      case "prometheus" -> new Verdict.Allowed("prometheus");
      case "alice" -> new Verdict.Forbidden("alice");
      default -> new Verdict.Unknown();
    };
  }

  @AfterEach
  void close() {
    client.shutdownNow();
    server.stop();
  }

  private HttpRequest request(String method, String path, String token) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.build();
  }

  private HttpResponse<String> reads(String token) throws Exception {
    return client.send(request("GET", "/metrics", token), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void allowedUserIsLetThroughAndRememberedForAWhile() throws Exception {
    for (int i = 0; i < 5; i++) {
      assertThat(reads("prometheus").body()).isEqualTo("numbers");
    }
    assertThat(asked).containsExactly("prometheus get /metrics");
    now = now.plus(ofSeconds(10));
    assertThat(reads("prometheus").body()).isEqualTo("numbers");
    assertThat(asked).as("a right that was taken away ends after ten seconds").hasSize(2);
  }

  @Test
  void withoutATokenTheApiServerIsNotAsked() throws Exception {
    var answer = reads("");
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(answer.body()).doesNotContain("numbers");
    assertThat(asked).isEmpty();
    assertThat(
            client
                .send(request("GET", "/healthz", ""), HttpResponse.BodyHandlers.ofString())
                .statusCode())
        .as("a probe")
        .isEqualTo(200);
  }

  @Test
  void refusedUserIsToldWhatIsMissing() throws Exception {
    var answer = reads("alice");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body())
        .isEqualTo(
            "berth: alice may not get /metrics. Bind a ClusterRole with nonResourceURLs"
                + " [/metrics] to it");
    var unknown = reads("forged");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.body()).doesNotContain("numbers", "forged");
  }

  @Test
  void aNoIsForgottenSooner() throws Exception {
    reads("alice");
    reads("alice");
    now = now.plus(ofSeconds(2));
    reads("alice");
    assertThat(asked).hasSize(2);
  }

  @Test
  void aChangeNeedsTheRightToIt() throws Exception {
    var answer =
        client.send(
            request("POST", "/berth/queues", "prometheus"), HttpResponse.BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("done");
    assertThat(asked).containsExactly("prometheus create /berth/queues");
  }

  @Test
  void whileTheApiServerIsAwayNoRequestIsLetThroughAndNothingRemembered() throws Exception {
    isDown = true;
    assertThat(reads("prometheus").statusCode()).isEqualTo(503);
    isDown = false;
    assertThat(reads("prometheus").statusCode()).isEqualTo(200);
  }

  @Test
  void whatIsRememberedIsBounded() throws Exception {
    for (String stranger : List.of("a", "b", "c", "d")) {
      reads(stranger);
    }
    reads("a"); // forgotten: the oldest of four where three are kept
    reads("d");
    assertThat(asked).hasSize(5);
  }

  @Test
  void strangersTakeOneThreadAtATimeHereAndNoMore() throws Exception {
    until = new CountDownLatch(1);
    var first =
        client.sendAsync(
            request("GET", "/metrics", "prometheus"), HttpResponse.BodyHandlers.ofString());
    var giveUp = System.nanoTime() + ofSeconds(30).toNanos();
    while (asked.isEmpty() && System.nanoTime() < giveUp) {
      Thread.onSpinWait();
    }
    var second = reads("stranger");
    assertThat(second.statusCode()).isEqualTo(503);
    assertThat(second.headers().firstValue("Retry-After")).contains("1");
    until.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS).body()).isEqualTo("numbers");
  }
}
