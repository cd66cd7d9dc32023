package dev.berth.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A world on virtual time with the shipped wiring, in which a test plays the users.
final class VirtualCluster {
  final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  final World world =
      new World(
          time,
          new WorldSettings(
              7, Duration.ofMillis(20), Duration.ofSeconds(10), Duration.ofMillis(100)));

  /// Berth and one kube-scheduler that asks it.
  void start(SchedulerSettings scheduler) throws Exception {
    start(scheduler, _ -> List.of());
  }

  /// The same.
  ///
  /// @param metrics where it is known what GPUs do
  void start(SchedulerSettings scheduler, MetricsClient metrics) throws Exception {
    new Kubelet(world).start();
    var product = WorldWiring.of(Config.read(Map.of()), world, time, metrics);
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    product.start(Freshness.always());
    new KubeScheduler(world, scheduler, Optional.of(new BerthExtender(product.verbs()))).start();
  }

  void put(Kind kind, String yaml) {
    try {
      world.adopt(
          kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }

  /// Of the namespace `default`.
  static ObjectRef pod(String name) {
    return new ObjectRef(Kind.POD, "default", name);
  }

  /// A pod of a queue behind its gate, that asks for one GPU.
  ///
  /// @param label one more, with a comma before it; empty = none
  void gated(String name, String queue, String label) {
    put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: %s-uid, labels: {berth.dev/queue: %s%s}},"
                + " spec: {schedulerName: berth, terminationGracePeriodSeconds: 1, schedulingGates:"
                + " [{name: berth.dev/queued}], containers: [{name: main, resources: {limits:"
                + " {nvidia.com/gpu: 1}}}]}, status: {phase: Pending}}")
            .formatted(name, name, queue, label));
  }

  boolean isThere(String pod) {
    return world.find(pod(pod)).isPresent();
  }

  /// Since when a condition is true; `MAX` = it is not.
  Instant trueSince(ObjectRef object, String condition) {
    for (var each : ObjectTree.maps(world.find(object).orElseThrow(), "status", "conditions")) {
      if (ObjectTree.text(each, "type").equals(condition)
          && ObjectTree.text(each, "status").equals("True")) {
        return Instant.parse(ObjectTree.text(each, "lastTransitionTime"));
      }
    }
    return Instant.MAX;
  }

  boolean isBound(String pod) {
    var found = world.find(pod(pod)).orElseThrow();
    return !ObjectTree.text(found, "spec", "nodeName").isEmpty();
  }
}
