package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Workloads of a queue with a max-runtime of two hours, of which they are warned half an hour
/// before, in the shipped wiring on virtual time.
class MaxRuntimeWarningTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final VirtualCluster cluster = new VirtualCluster();
  private final VirtualTime time = cluster.time;

  @BeforeEach
  void oneNodeAndAQueue() throws Exception {
    cluster.put(
        Kind.NODE,
        "{metadata: {name: n1}, status: {allocatable: {cpu: '64', memory: 64Gi, pods: '99',"
            + " nvidia.com/gpu: '8'}, conditions: [{type: Ready, status: 'True'}]}}");
    queue("2h");
    cluster.put(
        Kind.POD_GROUP,
        "{metadata: {namespace: default, name: gang, uid: gang-uid}, spec: {queue: bounded,"
            + " minMember: 2}}");
    cluster.start(SchedulerSettings.BERTH);
    cluster.gated("alone", "bounded", "");
    cluster.gated("gang-0", "bounded", ", berth.dev/pod-group: gang");
    cluster.gated("gang-1", "bounded", ", berth.dev/pod-group: gang");
    time.runFor(Duration.ofMinutes(5));
    assertThat(cluster.isBound("alone") && cluster.isBound("gang-1")).as("both run").isTrue();
  }

  @Test
  void theyAreWarnedHalfAnHourBeforeAndEvictedAfterTwoHours() {
    time.runFor(Duration.ofMinutes(84));
    assertThat(cluster.trueSince(pod("alone"), "berth.dev/EndsSoon")).isEqualTo(Instant.MAX);
    assertThat(cluster.trueSince(gang(), "EndsSoon")).isEqualTo(Instant.MAX);
    time.runFor(Duration.ofMinutes(2));
    var due = Instant.parse("2026-01-01T01:30:00Z");
    assertThat(cluster.trueSince(pod("alone"), "berth.dev/EndsSoon"))
        .isBetween(due, due.plusSeconds(20));
    assertThat(cluster.trueSince(gang(), "EndsSoon")).isBetween(due, due.plusSeconds(20));
    time.runFor(Duration.ofMinutes(28));
    assertThat(isThere("alone") && isThere("gang-0")).as("after 1:59").isTrue();
    time.runFor(Duration.ofMinutes(2));
    assertThat(isThere("alone") || isThere("gang-0") || isThere("gang-1")).isFalse();
  }

  @Test
  void aRuleThatIsShortenedWhileTheyRunLeavesThemTheWholeTimeOfTheWarning() {
    time.runFor(Duration.ofMinutes(79)); // they run for 84 minutes
    queue("1h");
    time.runFor(Duration.ofMinutes(29));
    assertThat(isThere("alone") && isThere("gang-0")).as("warned for 29 minutes").isTrue();
    time.runFor(Duration.ofMinutes(2));
    assertThat(isThere("alone") || isThere("gang-0")).isFalse();
  }

  @Test
  void aRuleThatIsLengthenedTakesTheWarningBack() {
    time.runFor(Duration.ofMinutes(90));
    queue("10h");
    time.runFor(Duration.ofMinutes(1));
    assertThat(cluster.trueSince(pod("alone"), "berth.dev/EndsSoon")).isEqualTo(Instant.MAX);
    assertThat(cluster.trueSince(gang(), "EndsSoon")).isEqualTo(Instant.MAX);
    time.runFor(HOUR);
    assertThat(isThere("alone") && isThere("gang-0")).isTrue();
    queue("2h");
    time.runFor(Duration.ofMinutes(29));
    assertThat(isThere("alone") && isThere("gang-0")).as("they are warned anew").isTrue();
    time.runFor(Duration.ofMinutes(2));
    assertThat(isThere("alone") || isThere("gang-0")).isFalse();
  }

  private void queue(String maxRuntime) {
    cluster.put(
        Kind.QUEUE,
        "{metadata: {name: bounded}, spec: {quota: {gpu: 8}, maxRuntime: %s}}"
            .formatted(maxRuntime));
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
}
