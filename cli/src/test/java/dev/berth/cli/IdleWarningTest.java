package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Workloads of a queue that evicts what did nothing for ten minutes, five minutes after it was
/// told, in the shipped wiring on virtual time.
class IdleWarningTest {
  private final VirtualCluster cluster = new VirtualCluster();
  private final VirtualTime time = cluster.time;
  private double percent;

  @BeforeEach
  void oneNodeAndAQueue() throws Exception {
    cluster.put(
        Kind.NODE,
        "{metadata: {name: n1}, status: {allocatable: {cpu: '64', memory: 64Gi, pods: '99',"
            + " nvidia.com/gpu: '8'}, conditions: [{type: Ready, status: 'True'}]}}");
    queue("Evict");
    cluster.put(
        Kind.POD_GROUP,
        "{metadata: {namespace: default, name: gang, uid: gang-uid}, spec: {queue: strict,"
            + " minMember: 2}}");
    cluster.start(SchedulerSettings.BERTH, _ -> series());
    cluster.gated("alone", "strict", "");
    cluster.gated("gang-0", "strict", ", berth.dev/pod-group: gang");
    cluster.gated("gang-1", "strict", ", berth.dev/pod-group: gang");
    time.runFor(Duration.ofMinutes(5));
    assertThat(cluster.isBound("alone") && cluster.isBound("gang-1")).as("both run").isTrue();
  }

  private List<MetricSeries> series() {
    return Stream.of("alone", "gang-0", "gang-1").map(this::series).toList();
  }

  private MetricSeries series(String pod) {
    var labels = new TreeMap<String, String>();
    labels.put("namespace", "default");
    labels.put("pod", pod);
    labels.put("UUID", "GPU-" + pod);
    var samples = new TreeMap<Instant, Double>();
    samples.put(Instant.EPOCH, percent);
    return new MetricSeries(labels, samples);
  }

  @Test
  void theyAreToldWhenTheyAreIdleAndEvictedFiveMinutesLater() {
    time.runFor(Duration.ofMinutes(4));
    assertThat(isTold(pod("alone"), "berth.dev/Idle") || isTold(gang(), "Idle")).isFalse();
    time.runFor(Duration.ofMinutes(3));
    assertThat(isTold(pod("alone"), "berth.dev/Idle")).as("the pod alone").isTrue();
    assertThat(isTold(gang(), "Idle")).as("the gang").isTrue();
    assertThat(isTold(pod("gang-0"), "berth.dev/Idle")).as("its PodGroup says it").isFalse();
    time.runFor(Duration.ofMinutes(2));
    assertThat(isThere("alone") && isThere("gang-0")).isTrue();
    time.runFor(Duration.ofMinutes(4));
    assertThat(isThere("alone") || isThere("gang-0") || isThere("gang-1")).isFalse();
  }

  @Test
  void whatWorksAgainStays() {
    time.runFor(Duration.ofMinutes(8));
    assertThat(isTold(gang(), "Idle")).isTrue();
    percent = 80;
    time.runFor(Duration.ofMinutes(20));
    assertThat(isTold(gang(), "Idle") || isTold(pod("alone"), "berth.dev/Idle")).isFalse();
    assertThat(isThere("alone") && isThere("gang-0") && isThere("gang-1")).isTrue();
  }

  @Test
  void whatIsOnlyReportedStaysUntilTheRuleIsToEvict() {
    queue("Report");
    time.runFor(Duration.ofHours(2));
    assertThat(isTold(gang(), "Idle") && isTold(pod("alone"), "berth.dev/Idle")).isTrue();
    assertThat(isThere("alone") && isThere("gang-0")).isTrue();
    queue("Evict");
    time.runFor(Duration.ofMinutes(4));
    assertThat(isThere("alone") && isThere("gang-0")).as("they are warned first").isTrue();
    time.runFor(Duration.ofMinutes(5));
    assertThat(isThere("alone") || isThere("gang-0")).isFalse();
  }

  private void queue(String action) {
    cluster.put(
        Kind.QUEUE,
        "{metadata: {name: strict}, spec: {quota: {gpu: 8}, idle: {after: 10m, warning: 5m, action: %s}}}"
            .formatted(action));
  }

  private static ObjectRef pod(String name) {
    return VirtualCluster.pod(name);
  }

  private static ObjectRef gang() {
    return new ObjectRef(Kind.POD_GROUP, "default", "gang");
  }

  private boolean isThere(String pod) {
    return cluster.isThere(pod);
  }

  private boolean isTold(ObjectRef object, String condition) {
    return !cluster.trueSince(object, condition).equals(Instant.MAX);
  }
}
