package dev.berth.controllers.kube;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import java.io.EOFException;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;

/// The two requests that a [Reflector] makes, decoded as a stream: no page and no event is ever
/// held as text. One thread; another may [#cancel].
final class ListAndWatch {
  /// What a page says of the list: where a watch goes on, and the next page (empty = last).
  record Page(String version, String next) {}

  enum Change {
    ADDED,
    MODIFIED,
    DELETED,
    /// Nothing changed up to this version.
    BOOKMARK
  }

  interface Changes {
    void changed(Change change, Map<String, Object> object);
  }

  private final Kind kind;
  private final Connection connection;
  private final SlimTree slim;
  private volatile Runnable open = () -> {};

  ListAndWatch(Kind kind, Connection connection) {
    this.kind = kind;
    this.connection = connection;
    this.slim = SlimTree.of(kind);
  }

  /// Reads one page, and hands over each object as it comes.
  ///
  /// @param next of the page before; empty = the first
  Page list(int limit, String next, Consumer<Map<String, Object>> items) throws IOException {
    ApiPath first = ApiPath.all(kind).with("limit", Integer.toString(limit));
    ApiPath path = next.isEmpty() ? first : first.with("continue", next);
    try (Response response = execute(request(path));
        JsonParser parser = ApiJson.parser(response.body().byteStream())) {
      var page = new Page("", "");
      begin(parser);
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        JsonToken token = parser.nextToken();
        if (name.equals("metadata")) {
          Map<String, Object> metadata = slim.read(parser);
          page =
              new Page(
                  JsonBodies.at(metadata, "resourceVersion"), JsonBodies.at(metadata, "continue"));
        } else if (name.equals("items") && token == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            items.accept(slim.read(parser));
          }
        } else {
          parser.skipChildren();
        }
      }
      return page;
    }
  }

  /// Reads changes after `version` until the server ends the stream.
  ///
  /// @param opened run when the server has said yes
  void watch(String version, int seconds, Runnable opened, Changes changes) throws IOException {
    ApiPath path =
        ApiPath.all(kind)
            .with("watch", "true")
            .with("allowWatchBookmarks", "true")
            .with("resourceVersion", version)
            .with("timeoutSeconds", Integer.toString(seconds));
    try (Response response = execute(request(path));
        JsonParser parser = ApiJson.parser(response.body().byteStream())) {
      opened.run();
      while (parser.nextToken() != null) {
        event(parser, changes);
      }
    }
  }

  private void event(JsonParser parser, Changes changes) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new WatchFailure(
          WatchFailure.Kind.BROKEN, "a watch event begins with " + parser.currentToken());
    }
    String type = "";
    Map<String, Object> object = JsonBodies.object();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      switch (name) {
        case "type" -> type = parser.getText();
        case "object" -> object = slim.read(parser);
        default -> parser.skipChildren();
      }
    }
    switch (type) {
      case "ADDED" -> changes.changed(Change.ADDED, object);
      case "MODIFIED" -> changes.changed(Change.MODIFIED, object);
      case "DELETED" -> changes.changed(Change.DELETED, object);
      case "BOOKMARK" -> changes.changed(Change.BOOKMARK, object);
      case "ERROR" -> throw WatchFailure.of(code(object), JsonBodies.at(object, "message"));
      default ->
          throw new WatchFailure(WatchFailure.Kind.BROKEN, "a watch event of type '" + type + "'");
    }
  }

  /// Whether a stream was ended from the other side, and in order: all that was sent before it was
  /// read. A connection that fell silent, or was reset, may have lost something.
  static boolean isEnd(IOException broken) {
    String message = String.valueOf(broken.getMessage());
    return broken instanceof EOFException
        || message.startsWith("unexpected end of stream") // HTTP/1, in words of OkHttp's
        || message.equals("stream was reset: CANCEL") // HTTP/2: the connection was closed
        || message.equals("stream was reset: NO_ERROR");
  }

  /// Ends what is being read, from another thread.
  void cancel() {
    open.run();
  }

  private Request request(ApiPath path) throws IOException {
    try {
      return connection.request("GET", path).get().build();
    } catch (ClientException unusable) {
      throw new WatchFailure(WatchFailure.Kind.REFUSED, String.valueOf(unusable.getMessage()));
    }
  }

  private Response execute(Request request) throws IOException {
    Call call = connection.open(request);
    open = call::cancel;
    Response response = Connection.execute(call);
    if (response.isSuccessful()) {
      return response;
    }
    try (response) {
      Answer answer = Answer.read(response, 1 << 20);
      throw WatchFailure.of(answer.code(), answer.message());
    }
  }

  private static void begin(JsonParser parser) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new WatchFailure(
          WatchFailure.Kind.BROKEN, "a list begins with " + parser.currentToken());
    }
  }

  private static int code(Map<String, Object> status) {
    return status.get("code") instanceof Number code ? code.intValue() : 500;
  }
}
