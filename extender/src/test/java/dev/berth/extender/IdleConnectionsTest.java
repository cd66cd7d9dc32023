package dev.berth.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.extender.bounds.Addresses;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {
  /// Long enough for a question to come in time beside other builds.
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final Duration LONG = Duration.ofMinutes(2);

  private final IdleConnections idle = new IdleConnections(SHORT, LONG, new Addresses());
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server, 1, 1);
  private final Socket client = new Socket();

  /// Answers `/late` after a while, on another thread.
  private final class Answers extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      var answered = idle.asking(request, IdleConnections.isVerb(request), callback);
      boolean isLate = Request.getPathInContext(request).equals("/late");
      Thread.ofVirtual()
          .start(() -> {
            try {
              Thread.sleep(isLate ? SHORT.multipliedBy(2) : Duration.ZERO);
            } catch (InterruptedException stopping) {
              throw new IllegalStateException(stopping);
            }
            response.write(
                true, java.nio.ByteBuffer.wrap("x".getBytes(StandardCharsets.US_ASCII)), answered);
          });
      return true;
    }
  }

  @BeforeEach
  void start() throws Exception {
    connector.setHost("127.0.0.1");
    connector.setIdleTimeout(LONG.toMillis());
    connector.addBean(idle);
    server.addConnector(connector);
    server.setHandler(new Answers());
    server.start();
    client.connect(new java.net.InetSocketAddress("127.0.0.1", connector.getLocalPort()));
    client.setSoTimeout(60_000);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.stop();
  }

  private void sends(String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void asks(String path) throws IOException {
    sends("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }

  /// Up to the one letter of the body.
  private void isAnswered() throws IOException {
    InputStream in = client.getInputStream();
    for (int c = in.read(); c != 'x'; c = in.read()) {
      assertThat(c).as("the connection ended").isNotNegative();
    }
  }

  private boolean isOpenAfter(Duration time) throws Exception {
    client.setSoTimeout((int) time.toMillis());
    try {
      return client.getInputStream().read() >= 0;
    } catch (java.net.SocketTimeoutException silent) {
      return true;
    }
  }

  @Test
  void aConnectionWithoutAQuestionEnds() throws Exception {
    assertThat(isOpenAfter(SHORT.multipliedBy(20))).as("the connection is open").isFalse();
  }

  @Test
  void aHeadThatNeverEndsIsNoQuestion() throws Exception {
    for (int i = 0; i < 100 && client.getInetAddress() != null; i++) {
      try {
        sends(i == 0 ? "GET / HTTP/1.1\r\nHost: localhost\r\n" : "A: b\r\n");
      } catch (IOException ended) {
        return;
      }
      Thread.sleep(50);
    }
    assertThat(isOpenAfter(Duration.ofMillis(1))).as("the connection is open").isFalse();
  }

  @Test
  void afterAnyOtherQuestionItEndsSoonAndAfterAVerbItStays() throws Exception {
    asks("/extender/filter");
    isAnswered();
    assertThat(isOpenAfter(SHORT.multipliedBy(2))).as("the connection is open").isTrue();
    asks("/healthz");
    isAnswered();
    assertThat(isOpenAfter(SHORT.multipliedBy(20))).as("the connection is open").isFalse();
  }

  @Test
  void itStaysAsLongAsItsAnswerTakes() throws Exception {
    asks("/late");
    isAnswered();
  }
}
