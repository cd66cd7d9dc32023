package dev.berth.extender.rest;

import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.answer.Visible;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What follows the `?` of a question.
final class Queries {
  private static final int USUAL_LIMIT = 100;
  private static final int MOST = 1000;

  private Queries() {}

  /// Fields that are not known are an error: a filter that is misspelt must not show everything.
  static void only(Context http, String... known) {
    var allowed = Set.of(known);
    for (String field : http.queryParamMap().keySet()) {
      if (!allowed.contains(field)) {
        throw new ApiProblem(
            Kind.INVALID,
            field,
            field + " is no parameter of " + http.path() + ": it has " + String.join(", ", known));
      }
    }
  }

  static Optional<String> text(Context http, String field) {
    return Optional.ofNullable(http.queryParam(field)).filter(value -> !value.isEmpty());
  }

  static int limit(Context http) {
    var text = text(http, "limit");
    if (text.isEmpty()) {
      return USUAL_LIMIT;
    }
    try {
      int limit = Integer.parseInt(text.get());
      if (limit >= 1 && limit <= MOST) {
        return limit;
      }
    } catch (NumberFormatException noNumber) {
      // told below
    }
    throw ApiProblem.invalid("limit", text.get(), "a whole number from 1 to " + MOST);
  }

  /// One of these words.
  static Optional<String> word(Context http, String field, List<String> words) {
    var text = text(http, field);
    if (text.isPresent() && !words.contains(text.get())) {
      throw ApiProblem.invalid(field, text.get(), "one of " + String.join(", ", words));
    }
    return text;
  }

  /// Workloads and pods of that namespace, if one is named, are visible.
  static void mayList(Optional<String> namespace, Visible visible) {
    if (namespace.filter(name -> !visible.namespace(name)).isPresent()) {
      throw new ApiProblem(
          Kind.FORBIDDEN,
          "namespace",
          "You may not list podgroups.berth.dev in namespace "
              + namespace.get()
              + ": ask for a role there, or leave namespace out for those that you may see");
    }
  }

  /// A workload of that namespace may be asked about: others that are there are visible.
  static void mayAsk(String namespace, Visible visible) {
    if (!visible.namespace(namespace)) {
      throw new ApiProblem(
          Kind.FORBIDDEN,
          "namespace",
          "You may not list podgroups.berth.dev in namespace "
              + namespace
              + ": ask for a role there, or name a namespace that you may see");
    }
  }

  /// A workload of that queue may be asked about: what the queue has is told.
  static void mayAsk(QueueName queue, Visible visible) {
    if (!queue.isNone() && !visible.queue(queue)) {
      throw new ApiProblem(
          Kind.FORBIDDEN,
          "queue",
          "The workload is of queue "
              + queue
              + ", which you may not get: label it berth.dev/queue with one that GET"
              + " /api/v1/queues lists");
    }
  }

  /// The key after which a page begins; empty = at the beginning. A key that is gone still has its
  /// place in the order, so that what is there all the time is on exactly one page.
  static Optional<String> continued(Context http) {
    return text(http, "continue")
        .map(token -> {
          try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
          } catch (IllegalArgumentException notOurs) {
            throw ApiProblem.invalid("continue", token, "what the page before says");
          }
        });
  }

  static String next(String lastKey) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(lastKey.getBytes(StandardCharsets.UTF_8));
  }
}
