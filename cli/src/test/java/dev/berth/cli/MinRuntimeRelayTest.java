package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Pods of 1 GPU that take turns, each gone before it has run for the min-runtime of its queue: the
/// one that follows takes its GPU, as the pod of 8 GPUs that is owed the node does not fit. How
/// long that keeps it waiting.
class MinRuntimeRelayTest {
  private static final Duration MIN_RUNTIME = Duration.ofSeconds(60);
  private static final int GPUS = 8;

  private final VirtualCluster cluster = new VirtualCluster();
  private final VirtualTime time = cluster.time;
  private final World world = cluster.world;
  private int borrowers;

  @Test
  void whatIsOwedComesOnceItHasWaitedForTheMinRuntime() throws Exception {
    cluster.put(
        Kind.NODE,
        "{metadata: {name: n1}, status: {allocatable: {cpu: '64', memory: 64Gi, pods: '99',"
            + " nvidia.com/gpu: '8'}, conditions: [{type: Ready, status: 'True'}]}}");
    cluster.put(Kind.QUEUE, "{metadata: {name: owner}, spec: {quota: {gpu: 8}}}");
    cluster.put(
        Kind.QUEUE,
        "{metadata: {name: borrower}, spec: {quota: {gpu: 0}, reclaimMinRuntime: 60s}}");
    cluster.start(SchedulerSettings.BERTH);
    for (int i = 0; i < GPUS; i++) {
      borrowOne();
    }
    time.runFor(Duration.ofSeconds(20));
    pod("owned", "owner", GPUS);
    var begin = time.instant();
    while (!cluster.isBound("owned")
        && time.instant().isBefore(begin.plus(Duration.ofMinutes(15)))) {
      borrowOne(); // each runs for 48 s
      time.runUntil(() -> cluster.isBound("owned"), Duration.ofMillis(500));
      world.delete(VirtualCluster.pod("borrows-" + (borrowers - GPUS - 1)));
      time.runUntil(() -> cluster.isBound("owned"), Duration.ofMillis(5500));
    }
    assertThat(Duration.between(begin, time.instant()))
        .isBetween(MIN_RUNTIME.minusSeconds(25), MIN_RUNTIME.plusSeconds(20));
  }

  private void borrowOne() {
    pod("borrows-" + borrowers++, "borrower", 1);
  }

  private void pod(String name, String queue, int gpus) {
    cluster.put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: %s-uid, labels: {berth.dev/queue: %s}},"
                + " spec: {schedulerName: berth, terminationGracePeriodSeconds: 1, schedulingGates:"
                + " [{name: berth.dev/queued}], containers: [{name: main, resources: {limits:"
                + " {nvidia.com/gpu: %d}}}]}, status: {phase: Pending}}")
            .formatted(name, name, queue, gpus));
  }
}
