package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.WorkloadPhase;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Forecasts of starts reach the statuses of PodGroups and the metrics though REST is off: the
/// product that ships, on a world in memory.
final class ForecastsWithoutRestTest {
  private static final int GPUS = 32;
  private static final int MANY = 25;

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world =
      new World(
          time,
          new WorldSettings(
              7, Duration.ofMillis(20), Duration.ofSeconds(1), Duration.ofMillis(100)));
  private final Metrics metrics = new Metrics();

  private void start() throws Exception {
    new Kubelet(world).start();
    var config = Config.read(Map.of());
    assertThat(config.rest().enabled()).as("REST by default").isFalse();
    var product =
        Wiring.of(
            config,
            new Wiring.ApiClients(
                WorldClients.of(world), new WorldEvents(world), OwnerClient.BARRED),
            new TimeWorkers(time, new Chance(7, "controllers")),
            metrics.counters());
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    product.start(Freshness.always());
    new KubeScheduler(
            world, SchedulerSettings.BERTH, Optional.of(new BerthExtender(product.verbs())))
        .start();
  }

  private void put(Kind kind, String yaml) throws JsonProcessingException {
    world.adopt(
        kind, new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {}));
  }

  private void pod(String name, String labels, int gpus) throws JsonProcessingException {
    put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: uid-%s, labels: {%s}},"
                + " spec: {schedulerName: berth, schedulingGates: [{name: berth.dev/queued}],"
                + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: %d}}}]},"
                + " status: {phase: Pending}}")
            .formatted(name, name, labels, gpus));
  }

  /// One pod takes all GPUs; then many groups of one pod wait.
  private void manyWait(String prefix) throws Exception {
    pod(prefix + "-blocker", "", GPUS);
    runFor(Duration.ofSeconds(10));
    for (int i = 0; i < MANY; i++) {
      String name = "%s-%02d".formatted(prefix, i);
      put(
          Kind.POD_GROUP,
          "{metadata: {namespace: default, name: %s}, spec: {minMember: 1}}".formatted(name));
      pod(name, "berth.dev/pod-group: " + name, 1);
    }
    runFor(Duration.ofSeconds(2));
    assertThat(status(prefix + "-24").phase()).isEqualTo(WorkloadPhase.QUEUED);
  }

  private void manyStart(String prefix) throws Exception {
    world.delete(new ObjectRef(Kind.POD, "default", prefix + "-blocker"));
    runFor(Duration.ofSeconds(20));
    assertThat(status(prefix + "-24").phase()).isEqualTo(WorkloadPhase.RUNNING);
  }

  private void manyEnd(String prefix) throws Exception {
    for (int i = 0; i < MANY; i++) {
      world.delete(new ObjectRef(Kind.POD, "default", "%s-%02d".formatted(prefix, i)));
    }
    runFor(Duration.ofSeconds(10));
  }

  private PodGroupStatus status(String group) {
    return PodGroupStatus.read(
        world.find(new ObjectRef(Kind.POD_GROUP, "default", group)).orElseThrow());
  }

  private double counted(String metric, String quantile) {
    return metrics
        .registry()
        .getSampleValue(metric, new String[] {"quantile"}, new String[] {quantile});
  }

  private void runFor(Duration duration) {
    time.runFor(duration);
  }

  @Test
  void theStatusTellsWhenAGroupIsLikelyToStartUntilItHas() throws Exception {
    put(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '64', memory: 64Gi, pods: '99',"
            + " nvidia.com/gpu: '32'}}}");
    start();
    for (String prefix : new String[] {"a", "b"}) {
      manyWait(prefix);
      runFor(Duration.ofSeconds(30));
      assertThat(status(prefix + "-24").forecast().equals(ForecastStatus.NONE))
          .as("none before any has started")
          .isEqualTo(prefix.equals("a"));
      manyStart(prefix);
      manyEnd(prefix);
    }
    manyWait("c");
    var began = time.instant();
    runFor(Duration.ofSeconds(12));

    var forecast = status("c-24").forecast();

    assertThat(forecast.median()).isBetween(began, began.plusSeconds(3600));
    assertThat(forecast.p90()).isBetween(forecast.median(), began.plusSeconds(36_000));
    assertThat(forecast.updated()).isBetween(began, time.instant());
    manyStart("c");
    assertThat(status("c-24").forecast()).isEqualTo(ForecastStatus.NONE);
    runFor(Duration.ofSeconds(10));
    assertThat(counted("berth_forecast_judged_total", "0.9")).isEqualTo(2 * MANY);
    assertThat(counted("berth_forecast_held_total", "0.9")).isBetween(1.0, 2.0 * MANY);
    assertThat(counted("berth_forecast_judged_total", "0.5")).isEqualTo(2 * MANY);
  }
}
