package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Berth's REST API, as one user of a cluster.
///
/// @param port of the extender
/// @param token empty = none is shown
record RestApi(HttpClient http, int port, String token) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static RestApi of(HttpClient http, int port, Path kubeconfig) throws IOException {
    var token = YAML.readTree(kubeconfig.toFile()).at("/users/0/user/token").asText();
    return new RestApi(http, port, token);
  }

  private HttpRequest request(String path) {
    return begun(path).build();
  }

  private HttpRequest.Builder begun(String path) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return request.timeout(Duration.ofSeconds(60));
  }

  HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
    return http.send(
        begun(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path), BodyHandlers.ofString());
  }

  /// Names of a list.
  List<String> names(String path) throws IOException, InterruptedException {
    var answer = get(path);
    JsonNode tree = Api.JSON.readTree(answer.body());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + tree);
    }
    return tree.get("items").findValuesAsText("name");
  }

  /// Why pods were evicted, the newest first.
  List<JsonNode> receipts() throws IOException, InterruptedException {
    var answer = get("receipts");
    JsonNode tree = Api.JSON.readTree(answer.body());
    if (answer.statusCode() != 200) {
      throw new AssertionError(answer.statusCode() + " " + tree);
    }
    var items = new ArrayList<JsonNode>();
    tree.get("items").forEach(items::add);
    return items;
  }

  /// Reads events until it is interrupted or the stream ends.
  ///
  /// @param bytes is told how many came
  Thread follow(LongConsumer bytes) {
    return Thread.ofVirtual()
        .start(() -> {
          var chunk = new byte[1 << 16];
          try (InputStream events =
              http.send(request("events"), BodyHandlers.ofInputStream()).body()) {
            for (int n = events.read(chunk); n >= 0; n = events.read(chunk)) {
              bytes.accept(n);
            }
          } catch (IOException | InterruptedException ended) {
            return;
          }
        });
  }
}
