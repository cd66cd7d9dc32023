package dev.berth.extender.rest;

import dev.berth.engine.Planner;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.WorkloadPhase;
import dev.berth.extender.bounds.BoundedAnswers;
import dev.berth.extender.rest.ApiProblem.Kind;
import dev.berth.extender.rest.answer.ChangesAnswer.About;
import dev.berth.extender.rest.answer.ForecastsAnswer;
import dev.berth.extender.rest.answer.ListAnswer;
import dev.berth.extender.rest.answer.NodeAnswer;
import dev.berth.extender.rest.answer.QueueAnswer;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.answer.WorkloadAnswer;
import dev.berth.extender.rest.state.NodeEntry;
import dev.berth.extender.rest.state.Revision;
import dev.berth.extender.rest.state.WorkloadEntry;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/// The REST API: `/api/v1`, as `openapi.json` describes it. Lists are in key order, in pages.
public final class RestApi {
  private static final String ROOT = "/api/v1";
  private static final List<String> PHASES =
      Arrays.stream(WorkloadPhase.values()).map(WorkloadPhase::word).toList();

  private final ClusterFeed feed;
  private final Viewers viewers;
  private final ManifestReader manifests;
  private final String instance = UUID.randomUUID().toString().substring(0, 8);
  private final Explanations explanations;
  private final EvictionReceipts receipts;
  private final EventStreams streams;

  /// How long workloads are warned before their end where no queue says it.
  private final Duration warning;

  private final String poolLabel; // empty = nodes are not divided

  private final RestRequests requests = new RestRequests(this::viewer);
  private final BoundedAnswers documents = new BoundedAnswers();
  private final byte[] openApi = ApiDocument.read();

  /// @param manifests reads workloads that are not submitted yet
  public RestApi(
      ClusterFeed feed,
      Viewers viewers,
      Planner planner,
      ManifestReader manifests,
      RestSettings settings) {
    this.feed = feed;
    this.viewers = viewers;
    this.manifests = manifests;
    this.explanations = new Explanations(planner, settings.plans());
    this.warning = planner.settings().maxRuntimeWarning();
    this.poolLabel = planner.settings().poolLabel();
    this.receipts = new EvictionReceipts(feed);
    this.streams = new EventStreams(feed.revisions(), instance, settings.streams());
  }

  public void routes(RoutesConfig routes) {
    routes.get(
        ROOT + "/openapi.json",
        http -> documents.later(http.contentType("application/json"), "", openApi));
    routes.get(ROOT + "/queues", requests.answering(this::queues));
    routes.get(ROOT + "/queues/{name}", requests.answering(this::queue));
    routes.get(ROOT + "/workloads", requests.answering(this::workloads));
    routes.get(ROOT + "/workloads/{namespace}/{name}", requests.answering(this::workload));
    routes.get(
        ROOT + "/workloads/{namespace}/{name}/explanation", requests.waiting(this::explanation));
    routes.get(ROOT + "/receipts", requests.answering(receipts::list));
    routes.get(ROOT + "/receipts/{namespace}/{pod}", requests.answering(receipts::ofPod));
    routes.get(ROOT + "/forecasts", requests.answering(this::forecasts));
    routes.get(ROOT + "/nodes", requests.answering(this::nodes));
    routes.get(ROOT + "/nodes/{name}", requests.answering(this::node));
    routes.post(ROOT + "/what-if", requests.waiting(this::whatIf));
    routes.post(ROOT + "/offers", requests.waiting(this::offers));
    routes.get(ROOT + "/events", requests.streaming(this::events));
    routes.get(ROOT + "/<path>", requests.answering(RestApi::unknown));
  }

  private static Object unknown(Context http, Visible visible) {
    throw ApiProblem.notFound(
        "path", http.path(), "GET " + ROOT + "/openapi.json lists what there is");
  }

  private Visible viewer(Context http) {
    return viewers.viewer(
        Optional.ofNullable(http.header("Authorization")).orElse(""),
        Optional.ofNullable(http.header("Host")).orElse(""));
  }

  private String id(Revision revision) {
    return instance + "-" + revision.number();
  }

  private <V, K> Object list(
      Revision revision, Page<V, K> page, Function<V, Object> answer, Function<K, String> key) {
    return new ListAnswer(
            id(revision),
            revision.snapshot().now().toString(),
            page.entries().stream().map(answer).toList(),
            page.last().map(key).map(Queries::next).orElse(""))
        .tree();
  }

  private Object queues(Context http, Visible visible) {
    Queries.only(http, "limit", "continue");
    var revision = feed.revisions().current();
    var accounts = QueueAnswer.all(revision);
    var page =
        Page.of(
            List.copyOf(accounts.values()),
            account -> account.queue().name(),
            Queries.continued(http).map(QueueName::new),
            Queries.limit(http),
            account -> visible.queue(account.queue().name()));
    return list(
        revision,
        page,
        account -> QueueAnswer.of(account, revision, warning, List.of()),
        QueueName::value);
  }

  private Object queue(Context http, Visible visible) {
    Queries.only(http);
    var name = new QueueName(http.pathParam("name"));
    var revision = feed.revisions().current();
    return Optional.ofNullable(QueueAnswer.all(revision).get(name))
        .filter(_ -> visible.queue(name))
        .map(account -> QueueAnswer.of(account, revision, warning, feed.history().of(name)))
        .orElseThrow(
            () -> ApiProblem.notFound("queue", name.value(), "GET " + ROOT + "/queues lists them"));
  }

  private Object workloads(Context http, Visible visible) {
    Queries.only(http, "namespace", "queue", "phase", "limit", "continue");
    var namespace = Queries.text(http, "namespace");
    var queue = Queries.text(http, "queue").map(QueueName::new);
    var phase = Queries.word(http, "phase", PHASES);
    Queries.mayList(namespace, visible);
    var revision = feed.revisions().current();
    var page =
        Page.of(
            revision.workloads(),
            WorkloadEntry::key,
            Queries.continued(http).map(RestApi::groupKey),
            Queries.limit(http),
            entry ->
                namespace.map(entry.key().namespace()::equals).orElse(true)
                    && queue.map(entry.group().queue()::equals).orElse(true)
                    && phase.map(entry.phase().word()::equals).orElse(true)
                    && visible.namespace(entry.key().namespace()));
    return list(revision, page, entry -> WorkloadAnswer.of(entry, revision), GroupKey::toString);
  }

  private static GroupKey groupKey(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw ApiProblem.invalid("continue", text, "what the page before says");
    }
    return new GroupKey(text.substring(0, slash), text.substring(slash + 1));
  }

  private Object workload(Context http, Visible visible) {
    Queries.only(http);
    var key = key(http);
    var revision = feed.revisions().current();
    return WorkloadAnswer.inFull(
        seen(revision, key, visible),
        revision,
        feed.forecasts().of(key, revision.snapshot().now()),
        feed.timelines().of(key),
        warning,
        visible.lenient());
  }

  private Object forecasts(Context http, Visible visible) {
    Queries.only(http);
    return ForecastsAnswer.of(feed.forecasts().calibration());
  }

  private static GroupKey key(Context http) {
    return new GroupKey(http.pathParam("namespace"), http.pathParam("name"));
  }

  private static WorkloadEntry seen(Revision revision, GroupKey key, Visible visible) {
    return Optional.of(key)
        .filter(each -> visible.namespace(each.namespace()))
        .flatMap(revision::workload)
        .orElseThrow(() ->
            ApiProblem.notFound(
                "workload", key.toString(), "GET " + ROOT + "/workloads lists them"));
  }

  private Object explanation(Context http, Visible visible) {
    Queries.only(http);
    var key = key(http);
    var revision = feed.revisions().current();
    seen(revision, key, visible);
    return explanations.explain(key, revision, this::id, visible.lenient());
  }

  private Object nodes(Context http, Visible visible) {
    Queries.only(http, "limit", "continue");
    mayListNodes(visible);
    var revision = feed.revisions().current();
    var page =
        Page.of(
            revision.nodes(),
            NodeEntry::name,
            Queries.continued(http).map(NodeName::new),
            Queries.limit(http),
            _ -> true);
    var topologies = revision.snapshot().topologies();
    return list(
        revision,
        page,
        entry -> NodeAnswer.of(entry, topologies, visible.lenient()),
        NodeName::value);
  }

  private static void mayListNodes(Visible visible) {
    if (!visible.nodes()) {
      throw new ApiProblem(
          Kind.FORBIDDEN, "", "You may not list nodes: ask for a ClusterRole with that right");
    }
  }

  private Object node(Context http, Visible visible) {
    Queries.only(http);
    mayListNodes(visible);
    var name = new NodeName(http.pathParam("name"));
    var revision = feed.revisions().current();
    return revision
        .node(name)
        .map(entry -> NodeAnswer.of(entry, revision.snapshot().topologies(), visible.lenient()))
        .orElseThrow(
            () -> ApiProblem.notFound("node", name.value(), "GET " + ROOT + "/nodes lists them"));
  }

  private Object whatIf(Context http, Visible visible) {
    Queries.only(http);
    var body = requests.body(http, visible.party());
    var revision = feed.revisions().current();
    var changes = WhatIfQuestion.changes(body, revision.snapshot(), visible, poolLabel);
    return explanations.whatIf(body, changes, revision, this::id, visible.lenient());
  }

  /// A manifest, and the namespace of what names none.
  private record ManifestQuestion(String manifest, String namespace) {}

  private Object offers(Context http, Visible visible) {
    Queries.only(http, "namespace");
    var body = requests.bytes(http, visible.party(), "send one workload alone");
    var question =
        new ManifestQuestion(
            new String(body, StandardCharsets.UTF_8),
            Queries.text(http, "namespace").orElse("default"));
    var workload =
        requests.inPlace(
            visible.party(), () -> manifests.read(question.manifest(), question.namespace()));
    Queries.mayAsk(workload.namespace(), visible);
    var revision = feed.revisions().current();
    var now = revision.snapshot().now();
    return explanations.offers(
        question,
        workload,
        revision,
        this::id,
        group -> feed.forecasts().ofNew(group, now),
        visible);
  }

  private void events(Context http) throws IOException {
    Queries.only(http, "kinds");
    var following =
        new EventClient.Following(
            about(Queries.text(http, "kinds")),
            () -> viewer(http),
            Optional.ofNullable(http.header("Last-Event-ID")).orElse(""));
    streams.follow(
        following,
        () -> {
          var response = http.res();
          response.setContentType("text/event-stream;charset=utf-8");
          response.setHeader("Cache-Control", "no-store");
          response.setHeader("X-Accel-Buffering", "no"); // of a proxy before Berth
          try {
            response.flushBuffer();
            return response.getOutputStream();
          } catch (IOException gone) {
            throw new UncheckedIOException(gone);
          }
        });
  }

  private static About about(Optional<String> kinds) {
    if (kinds.isEmpty()) {
      return About.ALL;
    }
    var wanted = Set.of(kinds.get().split(",", -1));
    for (String kind : wanted) {
      if (!List.of("nodes", "workloads", "queues").contains(kind)) {
        throw ApiProblem.invalid("kinds", kind, "nodes, workloads or queues, with commas between");
      }
    }
    return new About(
        wanted.contains("nodes"), wanted.contains("workloads"), wanted.contains("queues"));
  }

  /// Clients that follow events now.
  public int followers() {
    return streams.followers();
  }
}
