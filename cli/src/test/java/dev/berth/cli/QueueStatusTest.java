package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.controllers.crd.QueueStatus.Workloads;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Queues tell how they stand: the product that ships, on a world in memory.
class QueueStatusTest {
  private static final Map<String, Object> OVER_TIME =
      Map.of("fairShare", Map.of("k", 1, "halfLife", "1h"));

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(7));

  /// One life of the product.
  private record Life(Wiring product, Watcher eyes) {}

  private Life begin(Map<String, Object> settings) throws Exception {
    var product = WorldWiring.of(Config.read(settings), world, time);
    var life = new Life(product, product.watcher());
    world.watch(EnumSet.allOf(Kind.class), life.eyes());
    product.start(Freshness.always());
    return life;
  }

  private void end(Life life) {
    life.product().stop();
    world.unwatch(life.eyes());
  }

  private void put(Kind kind, String yaml) throws JsonProcessingException {
    world.adopt(
        kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
  }

  private void cluster() throws JsonProcessingException {
    put(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '9',"
            + " nvidia.com/gpu: '4'}}}");
    put(Kind.QUEUE, "{metadata: {name: q, generation: 3}, spec: {quota: {gpu: 1}}}");
    pod("a", "nodeName: n", "phase: Running");
    pod("b", "nodeName: n", "phase: Running");
    pod(
        "c",
        "schedulingGates: [{name: berth.dev/queued}], nodeSelector: {zone: z}",
        "phase: Pending");
  }

  private void pod(String name, String spec, String status) throws JsonProcessingException {
    put(
        Kind.POD,
        "{metadata: {name: %s, namespace: team, labels: {berth.dev/queue: q}}, spec: {schedulerName: berth,"
                .formatted(name)
            + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: '1'}}}], %s}, status: {%s}}"
                .formatted(spec, status));
  }

  private QueueStatus status() {
    return QueueStatus.read(world.find(new ObjectRef(Kind.QUEUE, "", "q")).orElseThrow());
  }

  private double usage() {
    return Double.parseDouble(status().usage().getOrDefault("gpu", "0"));
  }

  @Test
  void aQueueTellsHowItStandsAndThenNothingIsWritten() throws Exception {
    cluster();
    begin(Map.of());
    time.runFor(Duration.ofSeconds(10));
    var status = status();
    assertThat(status.allocated()).containsEntry("gpu", "2");
    assertThat(status.requested()).containsEntry("gpu", "3");
    assertThat(status.fairShare()).containsEntry("gpu", "3");
    assertThat(status.workloads()).isEqualTo(new Workloads(1, 2));
    assertThat(status.observedGeneration()).isEqualTo(3);
    assertThat(status.usageUntil()).isEqualTo(Instant.EPOCH);
    long writes = world.writes();
    time.runFor(Duration.ofHours(2));
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  void aQueueThatIsNotReadySaysWhyAndWhatHelps() throws Exception {
    put(Kind.QUEUE, "{metadata: {name: q}, spec: {parent: nowhere}}");
    begin(Map.of());
    time.runFor(Duration.ofSeconds(10));
    assertThat(status().conditions().getFirst())
        .isEqualTo(
            new Condition(
                "Ready",
                false,
                "BrokenQueue",
                "Queue q lies below nowhere, which does not exist. Helps: a Queue nowhere, or"
                    + " another parent.",
                Instant.parse("2026-01-01T00:00:00Z")));
  }

  @Test
  void aRestartForgetsNothing() throws Exception {
    cluster();
    var first = begin(OVER_TIME);
    time.runFor(Duration.ofHours(1));
    assertThat(usage())
        .as("half of what it has, a half of the devices")
        .isCloseTo(0.25, within(0.02));
    end(first);
    begin(OVER_TIME);
    time.runFor(Duration.ofHours(1));
    assertThat(usage()).as("and half of what is missing").isCloseTo(0.375, within(0.02));
  }

  @Test
  void whileNoReplicaRunsUsageDecays() throws Exception {
    cluster();
    var first = begin(OVER_TIME);
    time.runFor(Duration.ofHours(1));
    end(first);
    time.runFor(Duration.ofHours(1));
    begin(OVER_TIME);
    time.runFor(Duration.ofSeconds(10));
    assertThat(usage()).isCloseTo(0.125, within(0.02));
  }

  @Test
  void usageThatStandsStillIsWrittenOncePerPeriod() throws Exception {
    cluster();
    begin(OVER_TIME);
    time.runFor(Duration.ofHours(24));
    long writes = world.writes();
    time.runFor(Duration.ofHours(1));
    assertThat(world.writes() - writes).as("every tenth of a half-life").isBetween(9L, 11L);
  }
}
