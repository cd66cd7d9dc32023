package dev.berth.extender.rest;

import static dev.berth.extender.verbs.VerbCluster.pod;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.bounds.RequestFailures;
import dev.berth.extender.rest.state.PlanFound;
import dev.berth.extender.verbs.VerbCluster;
import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/// The REST API over HTTP, on a ledger with nodes `n1`, `n2` of eight GPUs, queue `default` with a
/// limit of 12, and pods as a test records them. Cycles are run by hand.
final class RestCluster implements AutoCloseable {
  final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  final VerbCluster cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1", "n2");
  private final List<Runnable> looks = new ArrayList<>();
  final Planner planner;
  final ClusterFeed feed;
  final RestApi api;
  final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Javalin server;
  private Plan last = new Plan(0, Instant.EPOCH, List.of());

  RestCluster(Viewers viewers, RestSettings settings) {
    this(viewers, settings, PlannerSettings.DEFAULT);
  }

  RestCluster(PlannerSettings planner) {
    this(Viewers.ON_LOOPBACK, RestSettings.DEFAULT, planner);
  }

  private RestCluster(Viewers viewers, RestSettings settings, PlannerSettings planning) {
    queue("default", 12);
    planner = new Planner(planning);
    feed =
        new ClusterFeed(
            cluster.ledger,
            planner,
            new StartForecasts(),
            InstantSource.system(),
            (_, look) -> looks.add(look));
    api = new RestApi(feed, viewers, planner, new PlainManifests(), settings);
    server =
        Javalin.create(
                config -> {
                  config.startup.showJavalinBanner = false;
                  RequestFailures.handleAll(config.routes);
                  config.http.asyncTimeout = 300;
                  api.routes(config.routes);
                })
            .start("127.0.0.1", 0);
  }

  RestCluster() {
    this(Viewers.ON_LOOPBACK, RestSettings.DEFAULT);
  }

  RestCluster queue(String name, int limit) {
    var limits = new TreeMap<Resource, Long>();
    limits.put(Resource.GPU, limit * 1000L);
    cluster.ledger.record(
        new Fact.QueueSeen(
            new Queue(
                new QueueName(name),
                1,
                Instant.parse("2026-01-01T00:00:00Z"),
                QueueName.NONE,
                100,
                Amounts.of(Resource.GPU, 4000),
                limits,
                new TreeMap<>(),
                Duration.ZERO,
                Duration.ZERO,
                List.of())));
    return this;
  }

  /// A pod that runs on whole GPUs.
  RestCluster running(String name, String node, int gpus) {
    cluster.seen(pod(name).devices(gpus).on(node).phase(dev.berth.engine.model.Pod.Phase.RUNNING));
    return this;
  }

  RestCluster waiting(String name, int gpus) {
    cluster.seen(pod(name).devices(gpus).gated());
    return this;
  }

  RestCluster waiting(String name, int gpus, String queue) {
    cluster.seen(pod(name).devices(gpus).queue(queue).gated());
    return this;
  }

  /// Plans, and assumes nothing.
  RestCluster plan() {
    var snapshot = cluster.ledger.snapshot(Instant.now());
    var incremental = planner.incremental();
    var plan = incremental.plan(snapshot, Collections.emptySortedMap());
    var waits = new TreeMap<GroupKey, Reason>();
    for (Decision each : plan.decisions()) {
      if (each instanceof Decision.Wait(var group, var reason, _)) {
        waits.put(group, reason);
      }
    }
    feed.planned(snapshot, new PlanFound(plan, waits, Collections.emptySortedMap()));
    feed.kept(incremental.accounts(snapshot), Usage.NONE);
    last = plan;
    return look();
  }

  private RestCluster look() {
    var due = List.copyOf(looks);
    looks.clear();
    due.forEach(Runnable::run);
    return this;
  }

  /// The victims of the last plan are asked to leave.
  RestCluster evicted() {
    for (Decision decision : last.decisions()) {
      for (Decision.Victim victim : decision.victims()) {
        feed.evicted(
            victim,
            cluster.ledger.groupOf(victim.uid()).map(GroupSummary::of).orElseThrow(),
            cluster.ledger.group(victim.beneficiary()).map(GroupSummary::of).orElseThrow());
      }
    }
    return look();
  }

  /// A pod of that namespace is asked to leave for a workload, by no plan that is known.
  RestCluster evicted(String namespace, String name, GroupSummary gainer) {
    var victim =
        new Decision.Victim(
            new PodUid("uid-" + namespace + name),
            new PodKey(namespace, name),
            Decision.Cause.RECLAIM,
            gainer.key());
    feed.evicted(
        victim,
        new GroupSummary(new GroupKey(namespace, name), new QueueName("default"), 0),
        gainer);
    return look().look(); // the first leaves it to the next, as its plan may be told later
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(60));
  }

  HttpResponse<String> get(String path) throws Exception {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    return client.send(
        request(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.stop();
    timer.close();
  }
}
