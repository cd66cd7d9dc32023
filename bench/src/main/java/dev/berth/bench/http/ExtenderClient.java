package dev.berth.bench.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.simulator.world.ObjectTree;
import java.io.IOException;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// kube-scheduler's side of the extender protocol with `nodeCacheCapable`: its JSON, one kept
/// connection.
final class ExtenderClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI extender;

  ExtenderClient(int port) {
    extender = URI.create("http://127.0.0.1:" + port + "/extender/");
  }

  /// `ExtenderArgs`: the nodes that the extender leaves.
  ///
  /// @throws UnexpectedAnswer where there is no answer, or one with an error
  List<String> filter(Map<String, ?> pod, List<String> nodes) {
    var arguments = ObjectTree.of("Pod", pod, "NodeNames", nodes);
    arguments.put("Nodes", JSON.nullNode());
    var answer = answer(result(send("filter", arguments)));
    var left = new ArrayList<String>();
    answer.path("NodeNames").forEach(name -> left.add(name.asText()));
    return left;
  }

  /// `ExtenderBindingArgs`. Completes exceptionally where the pod is not bound, see [#result].
  CompletableFuture<Void> bind(Map<String, ?> pod, String node) {
    var arguments =
        ObjectTree.of(
            "PodName",
            ObjectTree.name(pod),
            "PodNamespace",
            ObjectTree.text(pod, "metadata", "namespace"),
            "PodUID",
            ObjectTree.uid(pod),
            "Node",
            node);
    return send("bind", arguments).thenAccept(ExtenderClient::answer);
  }

  /// Waits for an answer.
  ///
  /// @throws UnexpectedAnswer where there is none, or one with an error
  static <T> T result(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      throw new UnexpectedAnswer(String.valueOf(failed.getCause()));
    }
  }

  private CompletableFuture<HttpResponse<byte[]>> send(String verb, Map<String, ?> arguments) {
    try {
      var request =
          HttpRequest.newBuilder(extender.resolve(verb))
              .header("Content-Type", "application/json")
              .timeout(TIMEOUT)
              .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(arguments)))
              .build();
      return client.sendAsync(request, BodyHandlers.ofByteArray());
    } catch (JsonProcessingException cause) {
      throw new IllegalArgumentException("no JSON: " + arguments, cause);
    }
  }

  private static JsonNode answer(HttpResponse<byte[]> response) {
    try {
      var answer = JSON.readTree(response.body());
      if (response.statusCode() == 200 && answer.path("Error").asText("").isEmpty()) {
        return answer;
      }
    } catch (IOException noJson) {
      // told below, as text
    }
    throw new UnexpectedAnswer(
        response.uri()
            + " answers "
            + response.statusCode()
            + " "
            + new String(response.body(), StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
