package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class BoundedAnswersTest {
  private static final long MIB = 1 << 20;

  private final ClientQuota written = new ClientQuota(64 * MIB);
  private final BoundedAnswers answers = new BoundedAnswers(written);

  /// A client that does not read its answer ends after a while, and its bytes count no more.
  @Test
  void aClientThatDoesNotReadIsCutOff() throws Exception {
    var ended = new CompletableFuture<String>();
    byte[] large = new byte[(int) (20 * MIB)];
    var server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  RequestFailures.handleAll(config.routes);
                  config.routes.get(
                      "/",
                      http ->
                          http.async(
                              async -> {
                                async.executor = Executors.newVirtualThreadPerTaskExecutor();
                                async.timeout = 0;
                              },
                              () -> {
                                try (var _ = Deadline.in(java.time.Duration.ofMillis(500), http)) {
                                  ended.complete("written: " + answers.write(http, "alice", large));
                                } catch (IOException slow) {
                                  ended.complete("cut off");
                                }
                              }));
                })
            .start("127.0.0.1", 0);
    try (var client = new Socket()) {
      client.setReceiveBufferSize(2048);
      client.connect(new InetSocketAddress("127.0.0.1", server.port()));
      client
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(ended.get()).isEqualTo("cut off");
      assertThat(written.take("alice", 8 * MIB))
          .as("its bytes are free again")
          .isEqualTo(ClientQuota.Answer.TAKEN);
    } finally {
      server.stop();
    }
  }

  @Test
  void anAnswerIsRefusedWhereTooMuchIsNotRead() throws Exception {
    var server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  RequestFailures.handleAll(config.routes);
                  config.routes.get("/", http -> answers.later(http, "alice", new byte[100]));
                })
            .start("127.0.0.1", 0);
    try (var client = HttpClient.newHttpClient()) {
      var question =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/")).build();
      assertThat(client.send(question, BodyHandlers.ofByteArray()).body()).hasSize(100);

      var taken = written.take("bob", 64 * MIB); // soon: the client has it before it is counted out
      for (int i = 0; i < 60_000 && taken != ClientQuota.Answer.TAKEN; i++) {
        Thread.sleep(1);
        taken = written.take("bob", 64 * MIB);
      }
      assertThat(taken).isEqualTo(ClientQuota.Answer.TAKEN);
      var refused = client.send(question, BodyHandlers.ofString());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).isEqualTo("berth: too many answers that are not read");

      written.leave("bob", 64 * MIB);
      assertThat(client.send(question, BodyHandlers.ofByteArray()).body()).hasSize(100);
    } finally {
      server.stop();
    }
  }
}
