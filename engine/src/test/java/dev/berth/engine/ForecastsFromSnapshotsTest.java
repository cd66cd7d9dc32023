package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What forecasts of starts see of groups: when they begin to wait, when that ends, and how.
class ForecastsFromSnapshotsTest {
  private static final Instant START = Cluster.NOW;
  private static final Reason BEHIND_ANOTHER =
      new Reason.HeldForHead(new GroupKey("team", "head"), 1, Instant.MAX);
  private static final Reason NO_QUEUE = new Reason.NoSuchQueue(new QueueName("a"));

  private final StartForecasts forecasts = new StartForecasts();

  private static GroupKey group(String name) {
    return new GroupKey("default", name);
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  private void look(long seconds, Cluster world, Map<GroupKey, ? extends Reason> waits) {
    var seen = world.snapshot();
    var then =
        new Snapshot(
            seen.version(),
            at(seconds),
            seen.nodes(),
            seen.queues(),
            seen.groups(),
            seen.topologies());
    forecasts.look(then, new TreeMap<>(waits));
  }

  private static Cluster world() {
    return cluster().node("n1", gpus(8)).queue("a", quota(8));
  }

  private static Cluster waiting(String name) {
    return world().waiting(name, "a", pod().gpus(1));
  }

  private static Cluster running(String name) {
    return world().running(name, "a", pod().gpus(1));
  }

  private static Cluster planned(String name) {
    return world().planned(name, "a", pod().gpus(1));
  }

  /// Each waits for 60 s, as long as it is planned included.
  private void history() {
    for (int i = 0; i < 60; i++) {
      String name = "g" + i;
      look(100L * i, waiting(name), Map.of(group(name), BEHIND_ANOTHER));
      look(100L * i + 1, waiting(name), Map.of());
      look(100L * i + 30, planned(name), Map.of());
      look(100L * i + 60, running(name), Map.of());
    }
  }

  private Duration median(String name, long now) {
    var told = forecasts.of(group(name), at(now)).orElseThrow();
    return Duration.between(at(now), told.median());
  }

  @Test
  void aWaitLastsUntilAMemberIsBound() {
    history();
    look(6000, waiting("next"), Map.of(group("next"), BEHIND_ANOTHER));
    assertThat(median("next", 6000)).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(70));
    assertThat(forecasts.calibration().p90().judged()).isPositive();
  }

  @Test
  void groupsThatStartNotByThemselvesHaveNoForecast() {
    history();
    look(6000, waiting("next"), Map.of(group("next"), NO_QUEUE));
    assertThat(forecasts.of(group("next"), at(6000))).isEmpty();
    look(6010, waiting("next"), Map.of(group("next"), BEHIND_ANOTHER));
    assertThat(forecasts.of(group("next"), at(6010))).isPresent();
    look(6020, waiting("next"), Map.of(group("next"), NO_QUEUE));
    assertThat(forecasts.of(group("next"), at(6020))).isEmpty();
  }

  @Test
  void groupsThatAreGoneAreNoStarts() {
    history();
    var before = forecasts.calibration();
    look(6000, waiting("next"), Map.of(group("next"), BEHIND_ANOTHER));
    look(6001, world(), Collections.emptyMap());
    assertThat(forecasts.of(group("next"), at(6001))).isEmpty();
    look(99_000, world(), Collections.emptyMap());
    assertThat(forecasts.calibration()).isEqualTo(before);
  }

  @Test
  void groupsOfWhichSomeRunAreNotForecast() {
    history();
    var partly = world().partly("next", "a", 1, pods(2).gpus(1));
    look(6000, partly, Map.of(group("next"), BEHIND_ANOTHER));
    assertThat(forecasts.of(group("next"), at(6000))).isEmpty();
  }
}
