package dev.berth.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/// The two replicas of Berth, as their `/leadz` and `/readyz` tell of them.
///
/// @param front the port of the front; the replicas follow it
record Replicas(int front) {
  static final List<String> NAMES = List.of("berth-1", "berth-2");

  /// @param status 0 = no answer
  record Reply(int status, String body) {}

  /// The replica that answers the verbs; empty = none.
  String leader() {
    return NAMES.stream().filter(this::leads).findFirst().orElse("");
  }

  boolean leads(String name) {
    return leadz(name).status() == 200;
  }

  Reply leadz(String name) {
    return ask(name, "/leadz");
  }

  Reply readyz(String name) {
    return ask(name, "/readyz");
  }

  int port(String name) {
    return front + Integer.parseInt(name.substring("berth-".length()));
  }

  private Reply ask(String name, String path) {
    var uri = URI.create("http://127.0.0.1:" + port(name) + path);
    try (var http = HttpClient.newHttpClient()) {
      var reply =
          http.send(
              HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
              HttpResponse.BodyHandlers.ofString());
      return new Reply(reply.statusCode(), reply.body());
    } catch (IOException nobody) {
      return new Reply(0, String.valueOf(nobody.getMessage()));
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
