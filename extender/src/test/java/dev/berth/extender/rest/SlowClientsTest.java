package dev.berth.extender.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Clients that send their question slowly or do not read the answer, beside others.
class SlowClientsTest {
  private static final int MANY = 60;

  private static final String QUESTION =
      "{\"changes\":[{\"kind\":\"end\",\"namespace\":\"ml\",\"name\":\"trainer\"}]}";

  /// The token is the party.
  private final RestCluster rest =
      new RestCluster((token, _) -> new Party(token), RestSettings.DEFAULT);

  private final List<Socket> sockets = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    rest.close();
  }

  private void sends(String head) throws IOException {
    var socket = new Socket();
    sockets.add(socket);
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress("127.0.0.1", rest.port()));
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
  }

  private int status(HttpRequest.Builder request, String party) throws Exception {
    return rest.client
        .send(request.header("Authorization", party).build(), BodyHandlers.ofString())
        .statusCode();
  }

  private void allOthersAreAnswered() throws Exception {
    for (String party : List.of("bob", "")) {
      var explanation = rest.request("/api/v1/workloads/ml/late/explanation");
      assertThat(status(explanation, party)).as("explanation of '%s'", party).isEqualTo(200);
      var whatIf =
          rest.request("/api/v1/what-if").POST(HttpRequest.BodyPublishers.ofString(QUESTION));
      assertThat(status(whatIf, party)).as("what-if of '%s'", party).isEqualTo(200);
      assertThat(status(rest.request("/api/v1/workloads"), party)).isEqualTo(200);
    }
  }

  @Test
  void bodiesThatDoNotComeKeepNoOtherFromAsking() throws Exception {
    rest.running("trainer", "n1", 8).waiting("late", 8).plan();
    for (int i = 0; i < MANY; i++) {
      sends(
          "POST /api/v1/what-if HTTP/1.1\r\nHost: localhost\r\nAuthorization: alice\r\n"
              + "Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{");
    }
    allOthersAreAnswered();
  }

  @Test
  void answersThatAreNotReadKeepNoOtherFromAsking() throws Exception {
    rest.running("trainer", "n1", 8).waiting("late", 8);
    for (int i = 0; i < 1000; i++) {
      rest.waiting("p".repeat(240) + i, 1);
    }
    rest.plan();
    for (int i = 0; i < MANY; i++) {
      sends(
          "GET /api/v1/workloads?limit=1000 HTTP/1.1\r\nHost: localhost\r\n"
              + "Authorization: alice\r\n\r\n");
    }
    allOthersAreAnswered();
  }
}
