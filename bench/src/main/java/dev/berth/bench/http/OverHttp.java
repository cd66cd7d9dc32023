package dev.berth.bench.http;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy;
import dev.berth.bench.ours.GpuNumbers;
import dev.berth.cli.Wiring;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.extender.ExtenderServer;
import dev.berth.extender.ServerSettings;
import dev.berth.extender.tls.Transport;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldSettings;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Berth as it ships, with its default settings, behind its HTTP server. Only the API server and
/// the kubelets are simulated.
///
/// Every pod comes gated and is planned alone. With its plan written and its gate removed it goes
/// through `filter` with all nodes, which must leave the planned one, and through `bind`. A pod
/// that must wait is deleted.
public final class OverHttp implements Policy, AutoCloseable {
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int THREADS = 8 + ServerSettings.RESERVED;

  /// While a bind waits for a holder, so much virtual time passes at once …
  private static final Duration TICK = Duration.ofMillis(1);

  /// … and at least so much real time: a server thread that is not running must not miss a
  /// deadline.
  private static final long TICK_NANOS = 20_000;

  private static final WorldSettings WORLD =
      new WorldSettings(1, Duration.ZERO, Duration.ofMillis(15), Duration.ofMillis(100));

  private final Cluster cluster;
  private final GpuNumbers gpus;
  private final SlotDevices devices = new SlotDevices();
  private final SharedTime time = new SharedTime(START);
  private final World world = new World(time, WORLD);
  private final Wiring product;
  private final ExtenderServer server;
  private final ExtenderClient scheduler;
  private final List<String> names = new ArrayList<>();
  private final Set<String> waiting = new HashSet<>(); // UIDs as of the last cycle; looked up only

  /// @param cluster its nodes; its owner takes what [#place] answers
  public OverHttp(Cluster cluster) {
    this.cluster = cluster;
    gpus = new GpuNumbers(cluster);
    var config = Config.defaults();
    var registry = new CollectorRegistry();
    var metrics = new dev.berth.extender.Metrics(registry);
    product =
        Wiring.of(
            config,
            new Wiring.ApiClients(
                WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED),
            new TimeWorkers(time, new Chance(WORLD.seed(), "controllers")),
            new Wiring.Counters(
                new dev.berth.controllers.Metrics(registry),
                metrics,
                metrics::gang,
                this::planned));
    build();
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    new Kubelet(world).start();
    product.start(Freshness.always());
    runUntil(() -> product.missing().isEmpty(), "the ledger is filled");
    server =
        new ExtenderServer(
                new ServerSettings(
                    "127.0.0.1",
                    0,
                    THREADS,
                    config.extender().barrier().plus(config.cycle().deadline()),
                    new Transport.Plain()),
                product.verbs(),
                product::missing,
                metrics,
                List.of())
            .start();
    scheduler = new ExtenderClient(server.port());
  }

  private void build() {
    world.create(Kind.NAMESPACE, Manifests.namespace());
    world.create(Kind.QUEUE, Manifests.queue());
    for (int n = 0; n < cluster.nodes(); n++) {
      names.add(GpuNumbers.name(n).value());
      world.create(Kind.NODE, Manifests.node(n, cluster.machine(n)));
    }
  }

  private void planned(CycleOutcome outcome) {
    waiting.clear();
    for (var key : outcome.waits().keySet()) {
      outcome.snapshot().group(key).stream()
          .map(PodGroup::members)
          .flatMap(List::stream)
          .forEach(member -> waiting.add(member.pod().uid().value()));
    }
  }

  /// @throws UnexpectedAnswer where the product does not do as it planned
  @Override
  public Choice place(int number, int k) {
    var ask = cluster.asks().get(k);
    var made = world.create(Kind.POD, Manifests.pod("p" + (1_000_000 + number), ask));
    var ref = ObjectRef.to(Kind.POD, made);
    runUntil(
        () -> isReleased(ref) || waiting.contains(ObjectTree.uid(made)),
        ObjectTree.name(made) + " has a plan or must wait");
    if (!isReleased(ref)) {
      world.delete(ref);
      return Choice.NOWHERE;
    }
    var pod = there(ref);
    var plan = WrittenPlan.parse(ObjectTree.annotation(pod, WellKnownNames.PLAN)).orElseThrow();
    var node = plan.placement().node().value();
    if (!cluster.fits(GpuNumbers.number(plan.placement().node()), k)) {
      throw new UnexpectedAnswer(ObjectTree.name(pod) + " is planned on " + node + " without room");
    }
    var left = scheduler.filter(pod, names);
    if (!left.equals(List.of(node))) {
      throw new UnexpectedAnswer("planned on " + node + ", but filter leaves " + left);
    }
    await(scheduler.bind(pod, node));
    check(PodView.of(there(ref)), plan.placement());
    return gpus.taken(ask, plan.placement());
  }

  private Map<String, Object> there(ObjectRef pod) {
    return world.find(pod).orElseThrow(() -> new UnexpectedAnswer(pod + " is gone"));
  }

  private boolean isReleased(ObjectRef pod) {
    return ObjectTree.list(there(pod), "spec", "schedulingGates").isEmpty();
  }

  private void check(PodView pod, Placement planned) {
    if (!pod.node().equals(planned.node().value())) {
      throw new UnexpectedAnswer(
          pod.name() + " is bound to \"" + pod.node() + "\", but planned on " + planned.node());
    }
    devices.bound(pod.name(), planned, pod.devices(WellKnownNames.GPU_DEVICES));
  }

  private void runUntil(BooleanSupplier condition, String what) {
    if (!time.runUntil(condition, PATIENCE)) {
      throw new UnexpectedAnswer("not within " + PATIENCE.toSeconds() + " s: " + what);
    }
  }

  /// Time stands still while the question and the answer travel.
  private void await(CompletableFuture<Void> answer) {
    while (!answer.isDone()) {
      if (time.isAsked()) {
        time.runFor(Duration.ZERO);
      } else {
        LockSupport.parkNanos(TICK_NANOS);
        if (product.verbs().bind().waiting() > 0) {
          time.runFor(TICK);
        }
      }
    }
    ExtenderClient.result(answer);
  }

  /// Lets every pod start that was bound.
  ///
  /// @throws UnexpectedAnswer where a kubelet, which counts for itself, refuses one
  public void settle() {
    runUntil(() -> world.list(Kind.POD).stream().noneMatch(OverHttp::isPending), "all pods run");
    for (var pod : world.list(Kind.POD)) {
      if (!PodView.of(pod).phase().equals("Running")) {
        throw new UnexpectedAnswer(PodView.of(pod).name() + " failed: " + pod.get("status"));
      }
    }
  }

  private static boolean isPending(Map<String, ?> pod) {
    return PodView.of(pod).phase().equals("Pending");
  }

  @Override
  public void close() {
    product.stop();
    scheduler.close();
    server.close();
  }
}
