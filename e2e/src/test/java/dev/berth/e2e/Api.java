package dev.berth.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// The API server over plain HTTP calls, as one user. Repeats what failed in transport, so that a
/// test may restart the server underneath it.
final class Api {
  /// Finished probes stay: they are the proof of their node.
  static final String ALL_BUT_PROBES = "/api/v1/pods?labelSelector=%21berth.dev%2Fprobe";

  static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final HttpClient http;
  private final String server;
  private final String token;
  private final List<String> impersonated;

  private Api(String server, String token, List<String> impersonated) {
    this.server = server;
    this.token = token;
    this.impersonated = impersonated;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .sslContext(loopbackOnly())
            .connectTimeout(Duration.ofSeconds(5))
            .build();
  }

  /// The user and server of a kubeconfig file.
  static Api of(Path kubeconfig) {
    try {
      var config = YAML.readTree(kubeconfig.toFile());
      return new Api(
          config.at("/clusters/0/cluster/server").asText(),
          config.at("/users/0/user/token").asText(),
          List.of());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// The same server as another user, which this one impersonates.
  Api impersonating(String user, String... groups) {
    var headers = new ArrayList<>(List.of("Impersonate-User", user));
    for (String group : groups) {
      headers.addAll(List.of("Impersonate-Group", group));
    }
    return new Api(server, token, headers);
  }

  /// An answer, whatever its status.
  ///
  /// @param warnings as kubectl shows them
  /// @param repeated an earlier try may have been carried out, although its answer was lost
  record Answer(int status, JsonNode body, List<String> warnings, boolean repeated) {
    boolean isOk() {
      return status / 100 == 2;
    }

    String message() {
      return body.path("message").asText();
    }
  }

  Answer call(String method, String path, String type, String body) {
    return call(method, path, type, body, PATIENCE);
  }

  /// The first answer that the server gives, also one that asks to come again later.
  Answer createOnce(String path, String yamlOrJson) {
    return call("POST", path, "application/yaml", yamlOrJson, Duration.ZERO);
  }

  private Answer call(String method, String path, String type, String body, Duration patience) {
    var request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!impersonated.isEmpty()) {
      request.headers(impersonated.toArray(String[]::new));
    }
    long giveUp = System.nanoTime() + patience.toNanos();
    for (boolean repeated = false; true; repeated = true) {
      try {
        var reply = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (reply.statusCode() != 429 && reply.statusCode() < 500
            || System.nanoTime() > giveUp
            || reply.statusCode() == 500 && reply.body().contains("admission")) {
          return new Answer(reply.statusCode(), parsed(reply.body()), warnings(reply), repeated);
        }
      } catch (IOException failed) {
        if (System.nanoTime() > giveUp) {
          throw new UncheckedIOException(failed);
        }
      } catch (InterruptedException stopped) {
        throw new IllegalStateException(stopped);
      }
      pause(Duration.ofMillis(200));
    }
  }

  /// Of headers like `299 - "text"`.
  private static List<String> warnings(HttpResponse<?> reply) {
    return reply.headers().allValues("Warning").stream()
        .map(header ->
            header
                .replaceFirst("^299 \\S+ \"(.*)\"$", "$1")
                .replace("\\\"", "\"")
                .replace("\\\\", "\\"))
        .toList();
  }

  private static JsonNode parsed(String body) {
    try {
      return JSON.readTree(body.isEmpty() ? "{}" : body);
    } catch (IOException notJson) {
      return JSON.createObjectNode().put("message", body);
    }
  }

  JsonNode get(String path) {
    return must(call("GET", path, "application/json", ""), path);
  }

  /// A queue with a quota of so many GPUs, and of everything else as much as there is.
  void createQueue(String name, int gpus) {
    createOrFail(
        AdmissionRequests.QUEUES,
        """
        {"apiVersion": "berth.dev/v1alpha1", "kind": "Queue", "metadata": {"name": "%s"},
         "spec": {"quota": {"gpu": %d, "cpu": "unlimited", "memory": "unlimited"}}}
        """
            .formatted(name, gpus));
  }

  List<JsonNode> list(String path) {
    var items = new ArrayList<JsonNode>();
    get(path).path("items").forEach(items::add);
    return items;
  }

  Answer create(String path, String yamlOrJson) {
    return call("POST", path, "application/yaml", yamlOrJson);
  }

  /// An object that is there after a try whose answer was lost is the one that was wanted.
  JsonNode createOrFail(String path, String yamlOrJson) {
    var answer = create(path, yamlOrJson);
    if (answer.status() == 409 && answer.repeated()) {
      return get(path + "/" + name(yamlOrJson));
    }
    return must(answer, path);
  }

  private static String name(String yamlOrJson) {
    try {
      return name(YAML.readTree(yamlOrJson));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Of an object.
  static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  /// Whether a condition of the object there is true.
  boolean hasCondition(String path, String type) {
    for (JsonNode condition : get(path).at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /// The objects of a file.
  static List<JsonNode> documents(Path file) {
    try (var objects = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file.toFile())) {
      return new ArrayList<>(objects.readAll());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  Answer patch(String path, String json) {
    return call("PATCH", path, "application/merge-patch+json", json);
  }

  Answer delete(String path) {
    return call("DELETE", path, "application/json", "");
  }

  private static JsonNode must(Answer answer, String path) {
    if (!answer.isOk()) {
      throw new AssertionError(path + ": " + answer.status() + " " + answer.message());
    }
    return answer.body();
  }

  /// Creates many objects, at most `parallel` at once.
  void createAll(String path, List<String> objects, int parallel) {
    var slots = new Semaphore(parallel);
    var failures = new ArrayList<String>();
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String object : objects) {
        slots.acquireUninterruptibly();
        pool.submit(() -> {
          try {
            var answer = create(path, object);
            if (!answer.isOk() && answer.status() != 409) {
              synchronized (failures) {
                failures.add(answer.message());
              }
            }
          } finally {
            slots.release();
          }
        });
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.size() + " not created, first: " + failures.getFirst());
    }
  }

  /// What a watch tells: `ADDED` (also of each object in a list), `MODIFIED`, `DELETED`.
  interface Events {
    void told(String type, JsonNode object);
  }

  /// Watches a path from now on until the thread is interrupted; reconnects, listing anew.
  Thread watch(String path, Consumer<JsonNode> seen) {
    return events(path, (_, object) -> seen.accept(object));
  }

  /// The same, with what happened. What is deleted while no watch is open is not told.
  Thread events(String path, Events events) {
    return Thread.ofVirtual()
        .start(() -> {
          while (!Thread.currentThread().isInterrupted()) {
            try {
              var list = get(path);
              list.path("items").forEach(item -> events.told("ADDED", item));
              stream(path, list.at("/metadata/resourceVersion").asText(), events);
            } catch (IOException | UncheckedIOException | AssertionError lost) {
              pause(Duration.ofMillis(100));
            } catch (InterruptedException stopped) {
              return;
            }
          }
        });
  }

  private void stream(String path, String version, Events events)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(server + path + "?watch=true&resourceVersion=" + version))
            .header("Authorization", "Bearer " + token)
            .build();
    var reply = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (var lines =
        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        var event = JSON.readTree(line);
        if (event.path("type").asText().equals("ERROR")) {
          return;
        }
        events.told(event.path("type").asText(), event.path("object"));
      }
    }
  }

  static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /// The control plane's certificate is made at its start and self-signed; it listens on loopback
  /// only.
  private static SSLContext loopbackOnly() {
    try {
      var context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
