package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Pods of 1 GPU that take turns, each gone before it has run for the min-runtime of its queue: the
/// one that follows takes its GPU, as the pod of 8 GPUs that is owed the node does not fit. How
/// long that keeps it waiting.
class MinRuntimeRelayTest {
  private static final Duration MIN_RUNTIME = Duration.ofSeconds(60);
  private static final int GPUS = 8;

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world =
      new World(
          time,
          new WorldSettings(
              7, Duration.ofMillis(20), Duration.ofSeconds(10), Duration.ofMillis(100)));
  private int borrowers;

  @Test
  void whatIsOwedComesOnceItHasWaitedForTheMinRuntime() throws Exception {
    put(
        Kind.NODE,
        "{metadata: {name: n1}, status: {allocatable: {cpu: '64', memory: 64Gi, pods: '99',"
            + " nvidia.com/gpu: '8'}, conditions: [{type: Ready, status: 'True'}]}}");
    put(Kind.QUEUE, "{metadata: {name: owner}, spec: {quota: {gpu: 8}}}");
    put(
        Kind.QUEUE,
        "{metadata: {name: borrower}, spec: {quota: {gpu: 0}, reclaimMinRuntime: 60s}}");
    new Kubelet(world).start();
    var product = WorldWiring.of(Config.read(Map.of()), world, time);
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    product.start(Freshness.always());
    new KubeScheduler(
            world, SchedulerSettings.BERTH, Optional.of(new BerthExtender(product.verbs())))
        .start();
    for (int i = 0; i < GPUS; i++) {
      borrowOne();
    }
    time.runFor(Duration.ofSeconds(20));
    pod("owned", "owner", GPUS);
    var begin = time.instant();
    while (!isBound("owned") && time.instant().isBefore(begin.plus(Duration.ofMinutes(15)))) {
      borrowOne(); // each runs for 48 s
      time.runUntil(() -> isBound("owned"), Duration.ofMillis(500));
      world.delete(pod(borrowers - GPUS - 1));
      time.runUntil(() -> isBound("owned"), Duration.ofMillis(5500));
    }
    assertThat(Duration.between(begin, time.instant()))
        .isBetween(MIN_RUNTIME.minusSeconds(25), MIN_RUNTIME.plusSeconds(20));
  }

  private boolean isBound(String name) {
    var pod = world.find(new ObjectRef(Kind.POD, "default", name)).orElseThrow();
    return !ObjectTree.text(pod, "spec", "nodeName").isEmpty();
  }

  private void borrowOne() {
    pod("borrows-" + borrowers++, "borrower", 1);
  }

  private static ObjectRef pod(int number) {
    return new ObjectRef(Kind.POD, "default", "borrows-" + number);
  }

  private void pod(String name, String queue, int gpus) {
    put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: %s-uid, labels: {berth.dev/queue: %s}},"
                + " spec: {schedulerName: berth, terminationGracePeriodSeconds: 1, schedulingGates:"
                + " [{name: berth.dev/queued}], containers: [{name: main, resources: {limits:"
                + " {nvidia.com/gpu: %d}}}]}, status: {phase: Pending}}")
            .formatted(name, name, queue, gpus));
  }

  private void put(Kind kind, String yaml) {
    try {
      world.adopt(
          kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(yaml, e);
    }
  }
}
