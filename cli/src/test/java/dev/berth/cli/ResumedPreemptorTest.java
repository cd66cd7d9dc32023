package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The leader ends after it evicted the victims of a plan, and before it lifts the gate; meanwhile
/// a pod arrives that precedes the preemptor.
class ResumedPreemptorTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world =
      new World(
          time,
          new WorldSettings(
              7, Duration.ofMillis(20), Duration.ofSeconds(10), Duration.ofMillis(100)));

  private record Leader(Wiring product, Watcher watcher) {}

  @BeforeEach
  void victimsRun() throws JsonProcessingException {
    put(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '9',"
            + " nvidia.com/gpu: '2'}}}");
    put(Kind.QUEUE, "{metadata: {name: owner}, spec: {quota: {gpu: 2}}}");
    put(Kind.QUEUE, "{metadata: {name: first}, spec: {quota: {gpu: 2}, priority: 200}}");
    put(Kind.QUEUE, "{metadata: {name: borrower}, spec: {quota: {gpu: 0}}}");
    pod("victim-0", "borrower", 1, "nodeName: n");
    pod("victim-1", "borrower", 1, "nodeName: n");
    new Kubelet(world).start();
    runFor(Duration.ofSeconds(5));
  }

  @Test
  void theNextLeaderGivesThePreemptorTheRoomOfItsVictims() throws Exception {
    var leader = begin();
    pod("preemptor", "owner", 2, GATED);
    time.runUntil(() -> isLeaving("victim-0") && isLeaving("victim-1"), Duration.ofSeconds(10));
    assertThat(isLeaving("victim-0") && isLeaving("victim-1")).as("evicted").isTrue();
    assertThat(annotation("preemptor", "berth.dev/preemptor")).isEqualTo("preemptor-uid");
    end(leader);
    pod("other", "first", 1, GATED);
    runFor(Duration.ofSeconds(1));
    begin();
    runFor(Duration.ofSeconds(30));
    assertThat(annotation("preemptor", "berth.dev/plan")).startsWith("node=n ");
    assertThat(annotation("other", "berth.dev/plan")).isEmpty();
    assertThat(annotation("preemptor", "berth.dev/preemptor")).as("with the gate").isEmpty();
  }

  /// Its room is gone with its node.
  @Test
  void aPreemptorThatFindsNoRoomKeepsItFromOthersNoLonger() throws Exception {
    var leader = begin();
    pod("preemptor", "owner", 2, GATED);
    time.runUntil(() -> isLeaving("victim-0") && isLeaving("victim-1"), Duration.ofSeconds(10));
    end(leader);
    put(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '9',"
            + " nvidia.com/gpu: '1'}}}");
    pod("other", "first", 1, GATED);
    begin();
    runFor(Duration.ofSeconds(30));
    assertThat(annotation("other", "berth.dev/plan")).startsWith("node=n ");
    runFor(Duration.ofSeconds(60));
    assertThat(annotation("preemptor", "berth.dev/preemptor")).as("taken off").isEmpty();
  }

  private static final String GATED = "schedulingGates: [{name: berth.dev/queued}]";

  private Leader begin() throws Exception {
    var product = WorldWiring.of(Config.read(Map.of()), world, time);
    var leader = new Leader(product, product.watcher());
    world.watch(EnumSet.allOf(Kind.class), leader.watcher());
    product.start(Freshness.always());
    return leader;
  }

  private void end(Leader leader) {
    leader.product().stop();
    leader.product().shut();
    world.unwatch(leader.watcher());
  }

  private void pod(String name, String queue, int gpus, String spec)
      throws JsonProcessingException {
    put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: %s-uid, labels: {berth.dev/queue: %s}},"
                + " spec: {schedulerName: berth, %s, containers: [{name: main, resources: {limits:"
                + " {nvidia.com/gpu: %d}}}]}, status: {phase: Pending}}")
            .formatted(name, name, queue, spec, gpus));
  }

  private void put(Kind kind, String yaml) throws JsonProcessingException {
    world.adopt(
        kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
  }

  private boolean isLeaving(String pod) {
    return !text(pod, "deletionTimestamp").isEmpty();
  }

  private String annotation(String pod, String name) {
    return world
        .find(new ObjectRef(Kind.POD, "default", pod))
        .map(tree -> ObjectTree.annotation(tree, name))
        .orElse("gone");
  }

  private String text(String pod, String field) {
    return world
        .find(new ObjectRef(Kind.POD, "default", pod))
        .map(tree -> ObjectTree.text(tree, "metadata", field))
        .orElse("");
  }

  private void runFor(Duration duration) {
    time.runFor(duration);
  }
}
