package dev.berth.extender.rest;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.ReceiptAnswer;
import dev.berth.extender.rest.answer.ReceiptsAnswer;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.state.EvictionEntry;
import io.javalin.http.Context;
import java.util.function.Function;
import java.util.function.Predicate;

/// Answers why pods were evicted, from what is kept in memory.
final class EvictionReceipts {
  private final ClusterFeed feed;

  EvictionReceipts(ClusterFeed feed) {
    this.feed = feed;
  }

  /// Those of pods that the client may see.
  Object list(Context http, Visible visible) {
    Queries.only(http, "namespace", "queue", "workload", "limit", "continue");
    var namespace = Queries.text(http, "namespace");
    var queue = Queries.text(http, "queue").map(QueueName::new);
    var workload = Queries.text(http, "workload");
    Queries.mayList(namespace, visible);
    return page(
        http,
        entry ->
            namespace.map(entry.victim().pod().namespace()::equals).orElse(true)
                && queue.map(entry.loser().queue()::equals).orElse(true)
                && workload.map(entry.loser().key().name()::equals).orElse(true)
                && visible.namespace(entry.victim().pod().namespace()),
        entry -> ReceiptAnswer.of(entry, visible));
  }

  /// All of one pod's name: a pod of a StatefulSet may have been evicted more than once.
  Object ofPod(Context http, Visible visible) {
    Queries.only(http, "limit", "continue");
    var pod = new PodKey(http.pathParam("namespace"), http.pathParam("pod"));
    if (!visible.namespace(pod.namespace()) || !isKnown(pod)) {
      throw ApiProblem.notFound(
          "receipt of pod",
          pod.toString(),
          "GET /api/v1/receipts lists those since "
              + feed.evictions().since()
              + "; berth receipt tells earlier ones from a decision log");
    }
    return page(
        http,
        entry -> entry.victim().pod().equals(pod),
        entry -> ReceiptAnswer.inFull(entry, visible));
  }

  private boolean isKnown(PodKey pod) {
    return feed.evictions().newestFirst().stream()
        .anyMatch(entry -> entry.victim().pod().equals(pod));
  }

  private Object page(
      Context http,
      Predicate<EvictionEntry> matches,
      Function<EvictionEntry, ReceiptAnswer> answer) {
    var newestFirst = feed.evictions().newestFirst();
    var since = feed.evictions().since(); // then: what was dropped meanwhile is older
    var page =
        Page.of(
            newestFirst,
            entry -> -entry.number(),
            Queries.continued(http).map(EvictionReceipts::place),
            Queries.limit(http),
            matches);
    String next = page.last().map(String::valueOf).map(Queries::next).orElse("");
    return new ReceiptsAnswer(since, page.entries().stream().map(answer).toList(), next).tree();
  }

  private static Long place(String text) {
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException notOurs) {
      throw ApiProblem.invalid("continue", text, "what the page before says");
    }
  }
}
