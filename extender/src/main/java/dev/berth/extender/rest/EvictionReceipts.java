package dev.berth.extender.rest;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.extender.rest.answer.ReceiptAnswer;
import dev.berth.extender.rest.answer.ReceiptsAnswer;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.state.EvictionEntry;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Answers why pods were evicted, from what is kept in memory.
final class EvictionReceipts {
  private final ClusterFeed feed;
  private final SealedPlaces places = new SealedPlaces();

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
        since(namespace.map(EvictionReceipts::alone).orElse(visible.lenient()::namespace)),
        entry ->
            namespace.map(entry.victim().pod().namespace()::equals).orElse(true)
                && queue.map(entry.loser().queue()::equals).orElse(true)
                && workload.map(entry.loser().key().name()::equals).orElse(true)
                && visible.namespace(entry.victim().pod().namespace()),
        entry -> ReceiptAnswer.of(entry, visible.lenient()));
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
              + since(visible.lenient()::namespace).get()
              + "; berth receipt tells earlier ones from a decision log");
    }
    return page(
        http,
        since(alone(pod.namespace())),
        entry -> entry.victim().pod().equals(pod),
        entry -> ReceiptAnswer.inFull(entry, visible.lenient()));
  }

  private boolean isKnown(PodKey pod) {
    return feed.evictions().newestFirst().stream()
        .anyMatch(entry -> entry.victim().pod().equals(pod));
  }

  private static Predicate<String> alone(String namespace) {
    return namespace::equals;
  }

  private Supplier<Instant> since(Predicate<String> namespaces) {
    return () -> feed.evictions().since().of(namespaces);
  }

  private Object page(
      Context http,
      Supplier<Instant> since,
      Predicate<EvictionEntry> matches,
      Function<EvictionEntry, ReceiptAnswer> answer) {
    var newestFirst = feed.evictions().newestFirst();
    var page =
        Page.of(
            newestFirst,
            entry -> -entry.number(),
            Queries.continued(http).map(this::place),
            Queries.limit(http),
            matches);
    String next = page.last().map(number -> Queries.next(places.seal(-number))).orElse("");
    // then: what was dropped meanwhile is older
    return new ReceiptsAnswer(since.get(), page.entries().stream().map(answer).toList(), next)
        .tree();
  }

  private Long place(String text) {
    var number = places.open(text);
    if (number.isEmpty()) {
      throw ApiProblem.invalid("continue", text, "what the page before says, of the same leader");
    }
    return -number.getAsLong();
  }
}
