package dev.berth.extender;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.bounds.Deadline;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.tls.Transport;
import dev.berth.extender.verbs.VerbCluster;
import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Clients without a certificate or a token, on the port of the verbs.
class HostileClientsTest {
  private static final String QUESTION = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger cutOff = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private static ExtenderServer server(Handler large) {
    var timer = new WallClockTimer(InstantSource.system());
    var cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1");
    return new ExtenderServer(
            new ServerSettings("127.0.0.1", 0, 16, ofSeconds(90), new Transport.Plain()),
            new Verbs(cluster.filter, cluster.prioritize, cluster.preempt, cluster.bind),
            new Health(() -> cluster.missing, Optional::empty, Optional::empty),
            new Metrics(new CollectorRegistry()),
            List.of(routes -> routes.get("/large", large)))
        .start();
  }

  /// More than the kernel takes for a client that does not read, within a deadline.
  private void large(Context http) {
    http.async(
        async -> {
          async.executor = threads;
          async.timeout = 0;
        },
        () -> {
          begun.incrementAndGet();
          try (var _ = Deadline.in(Duration.ofMillis(300), http)) {
            http.res().getOutputStream().write(new byte[20 << 20]);
          } catch (IOException slow) {
            cutOff.incrementAndGet();
            throw slow;
          }
        });
  }

  private static Socket connected(int port) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void sends(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void clientThatAsksBeforeTheAnswerIsAnsweredOnce() throws Exception {
    try (var server = server(this::large);
        var socket = connected(server.port())) {
      sends(socket, QUESTION.formatted("/healthz").repeat(500));
      String answers;
      try {
        answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      } catch (java.net.SocketException reset) {
        return; // what it had sent was not read
      }
      assertThat(answers.split("HTTP/1.1 200", -1)).hasSize(2);
      assertThat(answers).containsIgnoringCase("Connection: close");
    }
  }

  /// Javalin would keep a session for each.
  @Test
  void webSocketsAreRefusedWithoutASession() throws Exception {
    try (var server = server(this::large);
        var socket = connected(server.port())) {
      sends(
          socket,
          "GET /healthz HTTP/1.1\r\n"
              + "Host: localhost\r\n"
              + "Connection: Upgrade\r\n"
              + "Upgrade: websocket\r\n"
              + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
              + "Sec-WebSocket-Version: 13\r\n\r\n");
      var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 400").doesNotContain("Set-Cookie");
    }
  }

  /// One after the other, each once the last one is answered.
  @Test
  void aConnectionThatAsksTooFastEnds() throws Exception {
    try (var server = server(this::large);
        var socket = connected(server.port())) {
      var in = new java.io.BufferedInputStream(socket.getInputStream());
      int answered = 0;
      try {
        for (int i = 0; i < 5_000; i++) {
          sends(socket, QUESTION.formatted("/healthz"));
          int c = in.read();
          for (int seen = 0; c >= 0 && seen < 4; c = in.read()) { // up to the empty line
            seen = c == (seen % 2 == 0 ? '\r' : '\n') ? seen + 1 : 0;
            if (seen == 4) {
              break;
            }
          }
          if (c < 0) {
            break;
          }
          assertThat(in.readNBytes(2)).isEqualTo("ok".getBytes(StandardCharsets.US_ASCII));
          answered++;
        }
      } catch (IOException ended) {
        assertThat(answered).isPositive();
      }
      assertThat(answered).isBetween(200, 1_000);
    }
  }

  /// Each answer ends at its deadline, and nothing is done for it any more.
  @Test
  void answersThatAreNotReadEnd() throws Exception {
    var sockets = new ArrayList<Socket>();
    try (var server = server(this::large)) {
      for (int i = 0; i < 20; i++) {
        var socket = connected(server.port());
        sockets.add(socket);
        sends(socket, QUESTION.formatted("/large").repeat(8));
      }
      for (int i = 0; i < 600 && cutOff.get() < 20; i++) {
        Thread.sleep(50);
      }
      assertThat(cutOff).hasValue(20);
      assertThat(begun).hasValue(20);
      var probe = URI.create("http://127.0.0.1:" + server.port() + "/healthz");
      try (var client = HttpClient.newHttpClient()) {
        assertThat(
                client.send(HttpRequest.newBuilder(probe).build(), BodyHandlers.ofString()).body())
            .isEqualTo("ok");
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /// Javalin would call it again, for what it throws, for ever.
  @Test
  void anExceptionOfAHandlerOfExceptionsIsTheLast() throws Exception {
    var handled = new AtomicInteger();
    var server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  RequestFailures.handle(
                      config.routes,
                      Exception.class,
                      (_, _) -> {
                        handled.incrementAndGet();
                        throw new IllegalStateException("the response is gone");
                      });
                  config.routes.get(
                      "/",
                      _ -> {
                        throw new IOException("the client is gone");
                      });
                })
            .start("127.0.0.1", 0);
    try (var client = HttpClient.newHttpClient()) {
      var question =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port())).build();
      client.send(question, BodyHandlers.discarding());
      assertThat(handled).hasValue(1);
    } finally {
      server.stop();
    }
  }
}
