package dev.berth.controllers.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.World;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EvictableJobsTest {
  private static final String IGNORE =
      "podFailurePolicy: {rules: [{action: 'Ignore', onPodConditions: [{type:"
          + " 'DisruptionTarget'}]}]}";

  private final World world = new World().node("n1", 8);
  private final InMemoryEvents events = new InMemoryEvents();
  private final EvictableJobs jobs = new EvictableJobs(world.ledger, events, world, world.workers);

  @BeforeEach
  void listen() {
    world.listener.add(jobs::seen);
  }

  @Test
  void aJobThatAReclaimWouldFailIsToldOnceAndHow() {
    world.job("sweep", "parallelism: 165, completions: 165, backoffLimit: 6", "");
    pod("sweep-0", "");
    pod("sweep-1", "");
    world.job("sweep", "parallelism: 165, completions: 165, backoffLimit: 6", "failed: 2");
    settle();
    assertThat(events.told)
        .containsExactly(
            "uid-sweep EvictionsCountAsFailures: Pods of this Job are preemptible, and each evicted"
                + " pod counts as failed. 165 pods run at once, 2 failed so far, and backoffLimit"
                + " is 6: a reclaim of all fails the Job, and Kubernetes then deletes its other"
                + " pods. Create the Job with podFailurePolicy: {rules: [{action: Ignore,"
                + " onPodConditions: [{type: DisruptionTarget, status: \"True\"}]}]}. A Job that"
                + " exists takes no such policy: raise its backoffLimit, or label it"
                + " berth.dev/preemptibility: non-preemptible.");
    assertThat(events.warnings).containsExactly(true);
  }

  @Test
  void oneWithThePolicyIsNot() {
    world.job("sweep", "parallelism: 165, " + IGNORE, "");
    pod("sweep-0", "");
    settle();
    assertThat(events.told).isEmpty();
  }

  @Test
  void theFirstRuleForTheConditionDecides() {
    world.job(
        "sweep",
        "parallelism: 165, podFailurePolicy: {rules: [{action: 'FailJob', onPodConditions: [{type:"
            + " 'DisruptionTarget', status: 'True'}]}, {action: 'Ignore', onPodConditions: [{type:"
            + " 'DisruptionTarget'}]}]}",
        "");
    pod("sweep-0", "");
    settle();
    assertThat(events.told).hasSize(1);
  }

  @Test
  void oneWhoseLimitIsEnoughIsToldWhenItIsNotAnyMore() {
    world.job("sweep", "parallelism: 4", "");
    pod("sweep-0", "");
    settle();
    assertThat(events.told).as("four of six").isEmpty();
    world.job("sweep", "parallelism: 4", "failed: 3");
    settle();
    assertThat(events.told).singleElement().asString().contains("4 pods run at once, 3 failed");
  }

  @Test
  void whatIsDoneRunsNoMore() {
    world.job("sweep", "parallelism: 8, completions: 10", "succeeded: 8");
    world.job("done", "parallelism: 8", "conditions: [{type: 'Complete', status: 'True'}]");
    pod("sweep-0", "");
    pod("done-0", "");
    settle();
    assertThat(events.told).isEmpty();
  }

  @Test
  void oneThatIsNotPreemptibleIsNotTold() {
    world.job("sweep", "parallelism: 165", "");
    pod("sweep-0", "labels: {'berth.dev/preemptibility': 'non-preemptible'}, ");
    settle();
    assertThat(events.told).isEmpty();
  }

  @Test
  void aLimitPerIndexCountsWhereItIsZero() {
    world.job("each", "parallelism: 8, backoffLimitPerIndex: 0, backoffLimit: 2147483647", "");
    world.job("twice", "parallelism: 8, backoffLimitPerIndex: 1, backoffLimit: 2147483647", "");
    pod("each-0", "");
    pod("twice-0", "");
    settle();
    assertThat(events.told)
        .singleElement()
        .asString()
        .contains("backoffLimitPerIndex is 0, so one eviction fails its index.")
        .doesNotContain("raise its backoffLimit");
  }

  @Test
  void oneThatRestartsContainersNeedsAnotherPolicyToo() {
    world.job("sweep", "parallelism: 165, template: {spec: {restartPolicy: 'OnFailure'}}", "");
    pod("sweep-0", "");
    settle();
    assertThat(events.told).singleElement().asString().contains("needs restartPolicy: Never");
  }

  @Test
  void theOrderOfWatchesDoesNotMatter() {
    pod("sweep-0", "");
    settle();
    world.job("sweep", "parallelism: 165", "");
    settle();
    assertThat(events.told).hasSize(1);
  }

  @Test
  void ownersThatAreNotReadYetAreWaitedFor() {
    world.job("sweep", "parallelism: 165", "");
    world.pod("sweep-0", owned("sweep"), "", "");
    world.workers.turn(Duration.ofSeconds(10));
    assertThat(events.told).isEmpty();
    grouped("sweep-0");
    settle();
    assertThat(events.told).hasSize(1);
  }

  @Test
  void manyJobsAreToldOneAfterTheOther() {
    for (int i = 0; i < 100; i++) {
      world.job("j" + i, "parallelism: 165", "");
      pod("j" + i + "-0", "");
    }
    world.workers.turn(Duration.ofMillis(100));
    assertThat(events.told).hasSizeBetween(20, 21);
    world.workers.turn(Duration.ofSeconds(1));
    assertThat(events.told).hasSizeBetween(24, 27);
    world.workers.turn(Duration.ofMinutes(2));
    assertThat(events.told).hasSize(100).doesNotHaveDuplicates();
  }

  @Test
  void nothingIsToldOnStaleData() {
    world.fresh = false;
    world.job("sweep", "parallelism: 165", "");
    pod("sweep-0", "");
    settle();
    assertThat(events.told).isEmpty();
    world.fresh = true;
    settle();
    assertThat(events.told).hasSize(1);
  }

  private void pod(String name, String labels) {
    String job = name.replaceAll("-[0-9]+$", "");
    world.pod(name, labels + owned(job), "", "");
    grouped(name);
  }

  private static String owned(String job) {
    return "ownerReferences: [{apiVersion: 'batch/v1', kind: 'Job', name: '%s', uid: 'uid-%s',"
            .formatted(job, job)
        + " controller: true}]";
  }

  private void grouped(String pod) {
    var alone = new Membership(Membership.UNTOLD.said(), "", false, Membership.USUAL_CLASS);
    world.ledger.record(new Fact.PodGrouped(new PodUid("uid-" + pod), alone));
  }

  private void settle() {
    world.workers.turn(Duration.ofSeconds(5));
  }
}
