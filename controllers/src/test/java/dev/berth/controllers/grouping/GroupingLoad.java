package dev.berth.controllers.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How much time of its processor a watch thread takes for a JobSet of so many Jobs, each of one
/// pod: until all pods are grouped, until all are bound and run, and until all have finished.
///
/// Not part of `verify`: `./mvnw -pl controllers -am test -Dtest=GroupingLoad`.
final class GroupingLoad {
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  private final OneJobSet objects = new OneJobSet();
  private final GroupingWorld world = new GroupingWorld(objects);
  private final HandCranked workers = world.workers;
  private final Ledger ledger = world.ledger;
  private final Intake intake = world.intake;

  /// @param grouped milliseconds until all are grouped, as the page tells it
  /// @param runs until all run
  /// @param over until all are over
  @ParameterizedTest
  @CsvSource({
    "500,  250,  130,  1200",
    "500,  250,  130,  1200",
    "1000, 470,  290,  550",
    "2000, 930,  570,  1160",
    "4000, 2070, 1240, 2210",
  })
  void jobsOfAJobSet(int jobs, int grouped, int runs, int over) {
    objects.jobSet =
        GroupingWorld.tree(
            "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: set, namespace:"
                + " default, uid: uid-set}, spec: {replicatedJobs: [{name: w, replicas: %d,"
                    .formatted(jobs)
                + " template: {spec: {parallelism: 1}}}]}}");
    long began = CPU.getCurrentThreadCpuTime();
    for (int i = 0; i < jobs; i++) {
      world.seen(Kind.JOB, job(i, ""));
      world.seen(Kind.POD, pod(i, "", "Pending"));
    }
    workers.turn(Duration.ofSeconds(2));
    long areGrouped = CPU.getCurrentThreadCpuTime();
    assertThat(ledger.groupOf(new PodUid("uid-p-0")).orElseThrow().spec().required())
        .isEqualTo(jobs);
    for (int i = 0; i < jobs; i++) {
      world.seen(Kind.POD, pod(i, "nodeName: n, ", "Running"));
    }
    workers.turn(Duration.ofSeconds(2));
    long run = CPU.getCurrentThreadCpuTime();
    for (int i = 0; i < jobs; i++) {
      world.seen(Kind.POD, pod(i, "nodeName: n, ", "Succeeded"));
      world.seen(Kind.JOB, job(i, "succeeded: 1, conditions: [{type: Complete, status: 'True'}]"));
    }
    workers.turn(Duration.ofSeconds(2));
    long areOver = CPU.getCurrentThreadCpuTime();
    System.out.printf(
        "%d Jobs: grouped after %.2f s, run after %.2f s, over after %.2f s%n",
        jobs, (areGrouped - began) / 1e9, (run - areGrouped) / 1e9, (areOver - run) / 1e9);
    assertThat(areGrouped - began).as("until all are grouped").isLessThan(bound(grouped));
    assertThat(run - areGrouped).as("until all run").isLessThan(bound(runs));
    assertThat(areOver - run).as("until all are over").isLessThan(bound(over));
  }

  /// Nanoseconds: ten times what was measured on two idle cores is allowed, and five seconds in any
  /// case.
  private static long bound(int millis) {
    return Math.max(Duration.ofSeconds(5).toNanos(), Duration.ofMillis(10L * millis).toNanos());
  }

  private static Map<String, Object> job(int index, String status) {
    return GroupingWorld.tree(
        "{metadata: {name: set-w-%d, namespace: default, uid: uid-job-%d, ownerReferences:"
                .formatted(index, index)
            + " [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set, uid: uid-set,"
            + " controller: true}]}, spec: {parallelism: 1}, status: {%s}}".formatted(status));
  }

  private static Map<String, Object> pod(int index, String node, String phase) {
    return GroupingWorld.tree(
        "{metadata: {name: p-%d, namespace: default, uid: uid-p-%d, labels:".formatted(index, index)
            + " {jobset.sigs.k8s.io/replicatedjob-name: w, jobset.sigs.k8s.io/job-index: '%d'},"
                .formatted(index)
            + " ownerReferences: [{apiVersion: batch/v1, kind: Job, name: set-w-%d, uid:"
                .formatted(index)
            + " uid-job-%d, controller: true}]}, spec: {schedulerName: berth, %s"
                .formatted(index, node)
            + "containers: [{name: main}]}, status: {phase: %s}}".formatted(phase));
  }

  private static final class OneJobSet implements OwnerClient, PodGroupClient {
    Map<String, Object> jobSet = Map.of();

    @Override
    public Found recall(Wanted wanted) {
      return new Present(wanted.apiVersion(), jobSet);
    }

    @Override
    public Found read(Wanted wanted) {
      return recall(wanted);
    }

    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner) {}

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits edits) {}

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after) {}

    @Override
    public void delete(GroupKey key, String uid) {}
  }
}
