package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.controllers.client.Fence;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.Extender;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The product that ships, on a world in memory, of which all plans are logged: begun and ended as
/// a test says. Nodes are in pools by their label `pool`.
final class LoggedCluster {
  static final String WHOLE = "gpus: ";

  final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T22:30:00Z"));
  final World world =
      new World(
          time,
          new WorldSettings(
              3, Duration.ofMillis(20), Duration.ofSeconds(3), Duration.ofMillis(100)));
  private final CurrentExtender extender = new CurrentExtender();

  /// One life of the product.
  record Life(Wiring product, Watcher watcher) {
    void end(World world) {
      product.stop();
      world.unwatch(watcher);
    }
  }

  /// Kubelets and kube-scheduler.
  void start() {
    new Kubelet(world).start();
    new KubeScheduler(world, SchedulerSettings.BERTH, Optional.of(extender)).start();
  }

  Life begin(DirectLog log) throws Exception {
    var config =
        Config.read(
            Map.of("status", Map.of("queuePause", "100ms"), "nodePools", Map.of("label", "pool")));
    var product =
        Wiring.of(
            Environment.of(
                config,
                new Wiring.ApiClients(
                    WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED),
                new TimeWorkers(time, new Chance(7, "controllers")),
                new Metrics().counters(),
                Fence.OPEN),
            Wiring.policy(config.planner(), log.ofPlanner()));
    var life = new Life(product, product.watcher());
    world.watch(EnumSet.allOf(Kind.class), life.watcher());
    product.start(Freshness.always());
    extender.current = Optional.of(new BerthExtender(product.verbs()));
    return life;
  }

  /// Of 4 GPUs.
  void node(String name, String pool) {
    put(
        Kind.NODE,
        ("{metadata: {name: %s, labels: {pool: %s, nvidia.com/gpu.product: H100,"
                + " nvidia.com/gpu.memory: '80000'}}, status: {allocatable: {cpu: '64', memory:"
                + " 640Gi, pods: '60', nvidia.com/gpu: '4'}}}")
            .formatted(name, pool));
  }

  void queue(String name, int quota) {
    put(
        Kind.QUEUE,
        "{metadata: {name: %s}, spec: {quota: {gpu: %s, cpu: 99, memory: 9Ti}}}"
            .formatted(name, quota));
  }

  /// @param there its quota in one pool
  void queue(String name, int quota, String pool, int there) {
    put(
        Kind.QUEUE,
        ("{metadata: {name: %s}, spec: {quota: {gpu: %s, cpu: 99, memory: 9Ti}, pools: [{name: %s,"
                + " quota: {gpu: %s, cpu: 99, memory: 9Ti}}]}}")
            .formatted(name, quota, pool, there));
  }

  /// A pod of namespace `team`, labelled with its queue.
  ///
  /// @param asks an annotation for a share, or [#WHOLE] and a number
  void pod(String name, String queue, String asks, Duration runs, int priority, String pool) {
    boolean isWhole = asks.startsWith(WHOLE);
    put(
        Kind.POD,
        ("{metadata: {name: %s, namespace: team, labels: {berth.dev/queue: %s}, annotations: {%s,"
                + " %s: '%ss'}}, spec: {schedulerName: berth, priority: %s, nodeSelector: {pool:"
                + " %s}, schedulingGates: [{name: berth.dev/queued}], containers: [{name: main,"
                + " resources: {limits: {%s}}}]}, status: {phase: Pending}}")
            .formatted(
                name,
                queue,
                isWhole ? "x: y" : asks,
                Kubelet.DURATION,
                runs.toSeconds(),
                priority,
                pool,
                isWhole ? "nvidia.com/gpu: '" + asks.substring(WHOLE.length()) + "'" : ""));
  }

  private void put(Kind kind, String yaml) {
    try {
      var _ =
          world.adopt(
              kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException(yaml, wrong);
    }
  }

  /// The verbs of the process that began last.
  private static final class CurrentExtender implements Extender {
    private Optional<Extender> current = Optional.empty();

    private Extender asked() {
      return current.orElseThrow();
    }

    @Override
    public Filtered filter(Map<String, ?> pod, List<String> nodes) {
      return current.isEmpty()
          ? new Filtered(List.of(), new TreeMap<>(), new TreeMap<>(), "down")
          : asked().filter(pod, nodes);
    }

    @Override
    public Map<String, Integer> prioritize(Map<String, ?> pod, List<String> nodes) {
      return asked().prioritize(pod, nodes);
    }

    @Override
    public SortedMap<String, List<String>> preempt(
        Map<String, ?> pod, SortedMap<String, List<String>> victimsByNode) {
      return current.isEmpty() ? new TreeMap<>() : asked().preempt(pod, victimsByNode);
    }

    @Override
    public void bind(Binding binding, Consumer<String> answer) {
      asked().bind(binding, answer);
    }
  }
}
