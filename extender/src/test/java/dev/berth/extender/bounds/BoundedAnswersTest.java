package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class BoundedAnswersTest {
  private static final long MIB = 1 << 20;

  private final BoundedAnswers answers = new BoundedAnswers();

  @Test
  void onePartyHasAQuarter() {
    assertThat(answers.take("alice", 10 * MIB)).isTrue();
    assertThat(answers.take("alice", 6 * MIB)).isTrue();
    assertThat(answers.take("alice", 1)).isFalse();
    assertThat(answers.take("bob", 16 * MIB)).isTrue();
    answers.leave("alice", 6 * MIB);
    assertThat(answers.take("alice", 6 * MIB)).isTrue();
  }

  @Test
  void allPartiesLeaveAPartToViewersOfEverything() {
    for (String party : new String[] {"a", "b", "c"}) {
      assertThat(answers.take(party, 16 * MIB)).isTrue();
    }
    assertThat(answers.take("d", 1)).isFalse();
    assertThat(answers.take("", 16 * MIB)).isTrue();
    assertThat(answers.take("", 1)).isFalse();
    answers.leave("a", 16 * MIB);
    assertThat(answers.take("d", 1)).isTrue();
  }

  @Test
  void aLargeAnswerIsGivenToAPartyThatHasNoOther() {
    assertThat(answers.take("alice", 100 * MIB)).isTrue();
    assertThat(answers.take("bob", 1)).isFalse();
    answers.leave("alice", 100 * MIB);
    assertThat(answers.take("alice", 1)).isTrue();
    assertThat(answers.take("alice", 100 * MIB)).isFalse();
  }

  /// A client that does not read its answer ends after a while, and its bytes count no more.
  @Test
  void aClientThatDoesNotReadIsCutOff() throws Exception {
    var ended = new CompletableFuture<String>();
    byte[] large = new byte[(int) (20 * MIB)];
    var server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
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
      assertThat(answers.take("alice", 16 * MIB)).as("its bytes are free again").isTrue();
    } finally {
      server.stop();
    }
  }
}
