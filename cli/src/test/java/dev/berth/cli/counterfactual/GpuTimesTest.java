package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.request.NodeManifest;
import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.QueueManifest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The quota of a queue while its pods wait, where nodes are divided into pools.
final class GpuTimesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final QueueName TEAM = new QueueName("team");

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});

  private static Map<String, Object> tree(String yaml) throws IOException {
    return new ObjectMapper(new YAMLFactory()).readValue(yaml, new TypeReference<>() {});
  }

  private static Queue queue(String spec) throws IOException {
    return QueueManifest.read(tree("{metadata: {name: team}, spec: {" + spec + "}}")).orElseThrow();
  }

  private void node(String name, String pool) throws IOException {
    ledger.record(
        new Fact.NodeSeen(
            NodeManifest.read(
                    tree(
                        ("{metadata: {name: %s, labels: {pool: %s}}, status: {allocatable: {cpu:"
                                + " '64', memory: 64Gi, pods: '99', nvidia.com/gpu: '8'}}}")
                            .formatted(name, pool)))
                .orElseThrow()));
  }

  /// @param where a field of its spec
  private void pod(String name, int gpus, String where) throws IOException {
    ledger.record(
        new Fact.PodSeen(
            PodManifest.read(
                    tree(
                        ("{metadata: {name: %s, namespace: ml, uid: %s, labels: {berth.dev/queue:"
                                + " team}}, spec: {%s, schedulerName: berth, containers: [{name:"
                                + " c, resources: {limits: {nvidia.com/gpu: %s}}}]}}")
                            .formatted(name, name, where, gpus)))
                .orElseThrow()));
  }

  /// In an hour.
  private double belowQuota(Queue queue, String poolLabel) {
    var times = new GpuTimes(new TreeMap<>(Map.of(TEAM, queue)), poolLabel);
    times.see(ledger.snapshot(NOW));
    times.passUntil(NOW.plus(Duration.ofHours(1)));
    return times.sums().belowQuota().getOrDefault(TEAM, -1.0);
  }

  @Test
  void theQuotaOfAPoolCountsForThePodsThere() throws IOException {
    node("a", "a100");
    node("h", "h100");
    pod("runs", 4, "nodeName: a");
    pod("waits-a", 4, "nodeSelector: {pool: a100}");
    pod("waits-h", 4, "nodeSelector: {pool: h100}");
    var divided = queue("quota: {gpu: 4}, pools: [{name: h100, quota: {gpu: 3}}]");
    assertThat(belowQuota(divided, "pool")).as("3 in h100, and none in a100").isEqualTo(3);
    assertThat(belowQuota(divided, "")).as("one quota of 4, in use").isEqualTo(0);
    assertThat(belowQuota(queue("quota: {gpu: 8}"), "pool")).as("4 in each").isEqualTo(8);
  }

  @Test
  void aQueueWithAQuotaInAPoolAloneIsTold() throws IOException {
    node("a", "a100");
    pod("waits", 1, "nodeSelector: {pool: a100}");
    assertThat(belowQuota(queue("pools: [{name: h100, quota: {gpu: 3}}]"), "pool")).isEqualTo(0);
    assertThat(belowQuota(queue("pools: [{name: h100, quota: {gpu: 3}}]"), ""))
        .as("without a quota")
        .isEqualTo(-1);
  }
}
