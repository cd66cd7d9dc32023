package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.bounds.RequestFailures;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The header `Authorization` is the party.
class RestRequestsTest {
  private static final Duration STALL = Duration.ofMillis(300);
  private static final int TAKES_MILLIS = 50;

  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger mostUnderWay = new AtomicInteger();
  private final RestRequests requests =
      new RestRequests(
          http -> new Party(Optional.ofNullable(http.header("Authorization")).orElse("")), STALL);
  private final HttpClient client = HttpClient.newHttpClient();
  private final Javalin server =
      Javalin.create(
              config -> {
                config.startup.showJavalinBanner = false;
                RequestFailures.handleAll(config.routes);
                config.routes.get("/slow", requests.answering((_, _) -> slow()));
                config.routes.post(
                    "/body",
                    requests.waiting((http, visible) -> requests.body(http, visible.party())));
              })
          .start("127.0.0.1", 0);

  private Object slow() {
    mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    try {
      Thread.sleep(TAKES_MILLIS);
    } catch (InterruptedException stopping) {
      throw new IllegalStateException(stopping);
    } finally {
      underWay.decrementAndGet();
    }
    return Map.of();
  }

  @AfterEach
  void close() {
    client.close();
    server.stop();
  }

  private HttpRequest.Builder request(String path, String party) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Authorization", party);
  }

  private CompletableFuture<Integer> asks(String party) {
    return client
        .sendAsync(request("/slow", party).build(), BodyHandlers.ofString())
        .thenApply(HttpResponse::statusCode);
  }

  /// It has one place and rests between its answers; others do not wait for it.
  @Test
  void aPartyThatAsksManyQuestionsDelaysItselfAlone() throws Exception {
    var alice = new ArrayList<CompletableFuture<Integer>>();
    long start = System.nanoTime();
    for (int i = 0; i < 8; i++) {
      alice.add(asks("alice"));
    }
    alice.getFirst().get();
    assertThat(asks("bob").get()).isEqualTo(200);
    assertThat(asks("").get()).isEqualTo(200);
    assertThat(alice).as("others did not wait for it").anyMatch(each -> !each.isDone());
    for (var each : alice) {
      assertThat(each.get()).isEqualTo(200);
    }
    long aliceMillis = (System.nanoTime() - start) / 1_000_000;
    assertThat(aliceMillis)
        .as("seven more answers, each after a rest of three times as long")
        .isGreaterThanOrEqualTo(7 * 4 * TAKES_MILLIS - 50);
    assertThat(mostUnderWay).hasValueLessThanOrEqualTo(2);
  }

  /// The deadline that ends one gives its place back.
  @Test
  void bodiesThatDoNotComeGiveTheirPlacesBack() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        var socket = new Socket("127.0.0.1", server.port());
        sockets.add(socket);
        socket
            .getOutputStream()
            .write(
                ("POST /body HTTP/1.1\r\nHost: localhost\r\nAuthorization: alice\r\n"
                        + "Content-Length: 500\r\n\r\n{")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      for (Socket socket : sockets) {
        ended(socket);
      }
      for (int i = 0; i < 20; i++) {
        var body = request("/body", "alice").POST(BodyPublishers.ofString("{}")).build();
        assertThat(client.send(body, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /// Reads until the server has ended the connection, or has refused the question.
  private static void ended(Socket socket) throws IOException {
    socket.setSoTimeout(60_000);
    try {
      assertThat(socket.getInputStream().read()).isIn(-1, (int) 'H');
    } catch (java.net.SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }
}
