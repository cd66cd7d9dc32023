package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/// Reads of any object of a cluster by its path, for diagnosis. Each is tried once; a refusal is an
/// answer, not an exception. Reviews are sent by POST and keep nothing. Any thread; it blocks the
/// caller.
public final class ApiReads {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final int PAGE = 500;
  private static final int MOST_BYTES = 1 << 30;

  private final Connection connection;

  public ApiReads(KubeCluster cluster) {
    this.connection = cluster.calls();
  }

  /// @param code HTTP status
  /// @param message sentence of the server's Status; empty on success
  /// @param date of the server's clock, to the second; empty = it did not say
  public record Reply(int code, String message, Map<String, Object> tree, Optional<Instant> date) {
    public boolean isDone() {
      return code >= 200 && code < 300;
    }
  }

  /// @param path from the root, with its query
  /// @throws ClientException `UNREACHABLE`, or `REFUSED` without usable credentials
  public Reply get(String path) throws ClientException {
    return send(path, connection.request("GET", ApiPath.fixed(path)).get().build());
  }

  /// Reads a list page by page, each object in its turn.
  ///
  /// @param path of the collection; it may have a query
  /// @return the answer to the first page that was refused, else to the last
  public Reply list(String path, Consumer<Map<?, ?>> each) throws ClientException {
    return list(path, "", each);
  }

  /// The same as of a short time ago, from the memory of the API server: costs etcd nothing.
  public Reply listRecent(String path, Consumer<Map<?, ?>> each) throws ClientException {
    return list(path, "&resourceVersion=0", each);
  }

  /// @param first what the query of the first page has beside
  private Reply list(String path, String first, Consumer<Map<?, ?>> each) throws ClientException {
    String query = path + (path.indexOf('?') < 0 ? "?" : "&") + "limit=" + PAGE;
    String next = "";
    while (true) {
      Reply reply = get(next.isEmpty() ? query + first : query + "&continue=" + encoded(next));
      if (!reply.isDone()) {
        return reply;
      }
      if (reply.tree().get("items") instanceof List<?> page) {
        page.forEach(item -> {
          if (item instanceof Map<?, ?> object) {
            each.accept(object);
          }
        });
      }
      next = JsonBodies.at(reply.tree(), "metadata", "continue");
      if (next.isEmpty()) {
        return reply;
      }
    }
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /// Creates a review and returns it with its status.
  public Reply review(String path, Map<String, ?> body) throws ClientException {
    byte[] bytes = JsonBodies.text(body).getBytes(StandardCharsets.UTF_8);
    var json = MediaType.parse("application/json");
    return send(
        path,
        connection
            .request("POST", ApiPath.fixed(path))
            .post(RequestBody.create(bytes, json))
            .build());
  }

  private Reply send(String path, Request request) throws ClientException {
    var call = connection.open(request);
    call.timeout().timeout(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
    try (var response = Connection.execute(call)) {
      var answer = Answer.read(response, MOST_BYTES);
      return new Reply(answer.code(), answer.message(), answer.tree(), date(response));
    } catch (IOException failed) {
      throw new ClientException(
          ClientException.Kind.UNREACHABLE,
          "cannot read " + path + " from " + connection.server() + ": " + failed.getMessage(),
          failed);
    }
  }

  private static Optional<Instant> date(Response response) {
    String text = response.header("Date", "");
    if (text == null || text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException malformed) {
      return Optional.empty();
    }
  }
}
