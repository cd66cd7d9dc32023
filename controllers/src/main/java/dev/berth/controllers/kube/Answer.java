package dev.berth.controllers.kube;

import dev.berth.controllers.client.ClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import okhttp3.Response;

/// What the API server said to a call.
///
/// @param reason word of its Status, such as `AlreadyExists`; empty on success
/// @param message sentence of its Status
/// @param details of its Status (causes, fields) as JSON
/// @param retryAfter zero = it did not say
/// @param inDoubt an earlier attempt of the same write got no answer: it may have happened, or may
///   yet, whatever this one says
record Answer(
    int code,
    String reason,
    String message,
    String details,
    Duration retryAfter,
    Map<String, Object> tree,
    boolean inDoubt) {
  private static final int LONGEST_MESSAGE = 500;

  /// The code of an answer that was cut short here.
  static final int TOO_LARGE = 413;

  /// @param most bytes; a longer body is not read to its end, and is an answer of [#TOO_LARGE]
  static Answer read(Response response, int most) throws IOException {
    if (response.body().source().request(most + 1L)) {
      String why = "it is larger than " + most + " bytes";
      return new Answer(TOO_LARGE, "", why, "", Duration.ZERO, Map.of(), false);
    }
    Map<String, Object> tree = tree(response.body().bytes());
    boolean done = response.isSuccessful();
    return new Answer(
        response.code(),
        done ? "" : JsonBodies.at(tree, "reason"),
        done ? "" : sentence(response, tree),
        done || !(tree.get("details") instanceof Map<?, ?> details)
            ? ""
            : ApiJson.MAPPER.writeValueAsString(details),
        retryAfter(response),
        tree,
        false);
  }

  Answer inDoubt(boolean doubted) {
    return new Answer(code, reason, message, details, retryAfter, tree, doubted);
  }

  boolean isDone() {
    return code >= 200 && code < 300;
  }

  /// The UID in Berth's request is not that of the object which bears the name now.
  boolean isAnotherIncarnation() {
    return code == 409 && message.contains("UID in ")
        || code == 422 && (details.contains("metadata.uid") || message.contains("metadata.uid"));
  }

  /// A disruption budget says no; more patience with the API server would not help.
  boolean isBudget() {
    return code == 429 && details.contains("DisruptionBudget") || areSeveralBudgets();
  }

  /// The Eviction API takes no pod that several budgets cover, whatever they allow. It says 500.
  private boolean areSeveralBudgets() {
    return code == 500 && message.contains("more than one PodDisruptionBudget");
  }

  /// The server has too much to do or is not well: the same call may succeed soon.
  boolean isOverload() {
    return code == 429 && !isBudget() || code >= 500 && !isTooLargeToKeep() && !areSeveralBudgets();
  }

  /// The object has grown to what etcd takes, so that no change of it can be kept, not even the one
  /// that marks it for deletion: the same call fails until a user makes the object smaller.
  private boolean isTooLargeToKeep() {
    return code == 500 && message.contains("request is too large");
  }

  /// @param what such as `bind pod default/a`
  ClientException failure(String what) {
    return new ClientException(kind(), "could not " + what + ": " + message + " (" + code + ")");
  }

  private ClientException.Kind kind() {
    if (code == 404 || isAnotherIncarnation()) {
      return ClientException.Kind.GONE;
    }
    if (inDoubt) {
      return ClientException.Kind.UNREACHABLE;
    }
    if (code == 429 || areSeveralBudgets()) {
      return ClientException.Kind.NOT_NOW;
    }
    if (code == 409) {
      return ClientException.Kind.CONFLICT;
    }
    // 401: a token that ran out is read anew within a minute.
    if (isTooLargeToKeep()) {
      return ClientException.Kind.REFUSED;
    }
    return code >= 500 || code == 401
        ? ClientException.Kind.UNREACHABLE
        : ClientException.Kind.REFUSED;
  }

  private static Map<String, Object> tree(byte[] body) {
    try {
      return ApiJson.tree(body);
    } catch (IOException notJson) { // a proxy's page, or nothing
      return new LinkedHashMap<>();
    }
  }

  private static String sentence(Response response, Map<String, Object> status) {
    String message = JsonBodies.at(status, "message");
    if (message.isEmpty()) {
      message = response.message().isEmpty() ? "no reason given" : response.message();
    }
    return message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message;
  }

  private static Duration retryAfter(Response response) {
    String seconds = response.header("Retry-After", "");
    try {
      return seconds == null || seconds.isEmpty()
          ? Duration.ZERO
          : Duration.ofSeconds(Long.parseLong(seconds.strip()));
    } catch (NumberFormatException aDate) {
      return Duration.ZERO;
    }
  }
}
