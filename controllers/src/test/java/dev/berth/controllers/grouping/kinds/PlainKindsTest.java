package dev.berth.controllers.grouping.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupSpec.Completions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the kinds of Kubernetes itself, and unknown kinds, say of their pods.
final class PlainKindsTest {
  @Test
  void aBarePodIsAlone() {
    assertThat(Workshop.with().pod("p", "").told()).containsExactly("p: alone");
  }

  @Test
  void podsOfADeploymentAreAloneWhateverIsAnnotated() {
    var shop =
        Workshop.of("deployment.yaml").but("metadata: {annotations: {berth.dev/min-member: '2'}}");
    var set = shop.owner("apps/v1 ReplicaSet", "chat-1");
    assertThat(shop.pod("chat-1-a", "", set, shop.object()).told())
        .containsExactly("chat-1-a: alone of product, inference");
  }

  @Test
  void podsOfAReplicaSetAreAlone() {
    var shop = Workshop.of("replicaset.yaml");
    assertThat(shop.pod("replica-a", "", shop.object()).told()).containsExactly("replica-a: alone");
  }

  @Test
  void aStatefulSetIsAGangIfItSaysSo() {
    var shop = Workshop.of("statefulset.yaml");
    shop.pod("mesh-0", "", shop.object());
    assertThat(shop.told()).containsExactly("mesh: 3 of research", "mesh-0: mesh");
    shop.but("metadata: {annotations: {berth.dev/min-member: '1'}}");
    assertThat(Workshop.with().pod("mesh-0", "", shop.object()).told())
        .containsExactly("mesh-0: alone of research");
  }

  @Test
  void aJobIsAGangIfItSaysSo() {
    var shop = Workshop.of("job.yaml");
    shop.pod("sweep-a", "", shop.object()).pod("sweep-b", "", shop.object());
    assertThat(shop.told())
        .containsExactly("sweep: 4 of research", "sweep-a: sweep", "sweep-b: sweep");
    assertThat(shop.gang().patience().preemptionDelay()).isEqualTo(Duration.ofMinutes(5));
    assertThat(shop.gang().key().name()).matches("sweep-[0-9a-f]{8}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parallelism: 8                   | 0  | 4",
        "parallelism: 2                   | 0  | 2",
        "parallelism: 8, completions: 10  | 4  | 4",
        "parallelism: 8, completions: 10  | 7  | 3",
        "parallelism: 8, completions: 10  | 10 | 4",
      })
  void theMinimumOfAJobIsAtMostWhatIsStillToRun(String spec, int succeeded, int minimum) {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: "
                + "{kai.scheduler/batch-min-member: '4'}}, spec: {%s}, status: {succeeded: %d}}"
                    .formatted(spec, succeeded));
    assertThat(shop.pod("j-a", "", job).gang().minMember()).isEqualTo(minimum);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parallelism: 4, completions: 10 | succeeded: 0  | 10 | 0",
        "parallelism: 4, completions: 10 | succeeded: 7  | 3  | 7",
        "parallelism: 4, completions: 10 | ''            | 10 | 0",
        "parallelism: 4, completions: 10 | succeeded: 11 | 0  | 11",
        "parallelism: 4, completions: 10, completionMode: Indexed, backoffLimitPerIndex: 1"
            + " | succeeded: 3, failedIndexes: '1,4-5' | 4 | 3",
        "parallelism: 4                  | succeeded: 0  | 2147483647 | 0",
        "parallelism: 4                  | succeeded: 2  | 2147483647 | 2",
        "parallelism: 4, completions: 10"
            + " | succeeded: 4, conditions: [{type: Failed, status: 'True'}] | 0 | 4",
        "parallelism: 4, completions: 10"
            + " | succeeded: 4, conditions: [{type: Complete, status: 'False'}] | 6 | 4",
        "parallelism: 4"
            + " | succeeded: 1, conditions: [{type: Complete, status: 'True'}] | 0 | 1",
      })
  void aJobSaysWhatIsStillToComplete(String spec, String status, int left, int told) {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: "
                + "{berth.dev/min-member: '4'}}, spec: {%s}, status: {%s}}"
                    .formatted(spec, status));
    assertThat(shop.pod("j-a", "", job.slimJob()).gang().completions())
        .isEqualTo(new Completions(left, told, 0));
  }

  @Test
  void aJobThatSaysItOnItsTemplateIsAGangToo() {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {parallelism: 8,"
                + " template: {metadata: {annotations: {berth.dev/min-member: '3'}}}}}");
    assertThat(shop.pod("j-a", "", job).told()).containsExactly("j: 3", "j-a: j");
  }

  @Test
  void aJobWhoseSizeCannotBeMeantSaysSo() {
    var shop = Workshop.of("job.yaml").but("metadata: {annotations: {berth.dev/min-member: many}}");
    assertThat(shop.pod("sweep-a", "", shop.object()).told())
        .containsExactly("sweep-a: alone of research, wrong: berth.dev/min-member");
  }

  @Test
  void eachJobOfACronJobIsAGangOfItsOwn() {
    var shop = Workshop.of("cronjob.yaml");
    for (String name : new String[] {"nightly-1", "nightly-2"}) {
      var job =
          shop.thing(
              "{apiVersion: batch/v1, kind: Job, metadata: {name: %s, annotations:".formatted(name)
                  + " {berth.dev/min-member: '2'}}, spec: {parallelism: 2}}");
      shop.pod(name + "-a", "", job, shop.object());
    }
    assertThat(shop.told())
        .containsExactly(
            "nightly-nightly-1: 2",
            "nightly-nightly-2: 2",
            "nightly-1-a: nightly-nightly-1",
            "nightly-2-a: nightly-nightly-2");
  }

  @Test
  void executorsOfSparkReadTheQueueFromTheirDriver() {
    var shop = Workshop.of("sparkapplication.yaml");
    String labels = "spark-app-selector: spark-1, spark-app-name: pi, spark-role: ";
    var driver = shop.thing("{apiVersion: v1, kind: Pod, metadata: {name: pi-driver}}");
    shop.pod("pi-driver", labels + "driver", shop.object());
    shop.pod("pi-exec-1", labels + "executor", driver, shop.object());
    var alone =
        shop.thing(
            "{apiVersion: v1, kind: Pod, metadata: {name: d, labels: {kai.scheduler/queue: q}}}");
    shop.pod("bare-exec-1", labels + "executor", alone);
    assertThat(shop.told())
        .containsExactly(
            "pi-driver: alone of research",
            "pi-exec-1: alone of research",
            "bare-exec-1: alone of q");
  }

  @Test
  void anUnknownKindIsAGangIfItSaysSo() {
    var shop = Workshop.with();
    var top =
        shop.thing(
            "{apiVersion: example.com/v1, kind: Fleet, metadata: {name: fleet, annotations:"
                + " {berth.dev/min-member: '3', berth.dev/topology: fabric,"
                + " berth.dev/topology-required: rack}}}");
    var between = shop.owner("example.com/v1 Squad", "squad");
    shop.pod("fleet-0", "", between, top).pod("fleet-1", "", between, top);
    assertThat(shop.told())
        .containsExactly("fleet: 3 in fabric/rack", "fleet-0: fleet", "fleet-1: fleet");
    var pods = Workshop.with();
    var quiet = pods.owner("example.com/v1 Fleet", "quiet");
    pods.pod("quiet-0", "annotations: {berth.dev/min-member: '2'}", "", "", quiet);
    assertThat(pods.told()).containsExactly("quiet: 2", "quiet-0: quiet");
  }

  @Test
  void anOwnerWithTwoOwnersIsAnErrorThatIsTold() {
    var shop = Workshop.with();
    var torn =
        shop.thing(
            "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: torn, ownerReferences:"
                + " [{kind: A, name: a, uid: a}, {kind: B, name: b, uid: b}]}}");
    assertThat(shop.pod("p", "", torn).told())
        .containsExactly("p: alone, wrong: metadata.ownerReferences of ReplicaSet default/torn");
  }

  @Test
  void podThatIsLeftAloneIsAloneWhateverItsOwnersSay() {
    var shop = Workshop.of("job.yaml");
    shop.pod("sweep-a", "kai.scheduler/skip-podgrouper: 'true'", shop.object());
    assertThat(shop.told()).containsExactly("sweep-a: alone of research");
  }

  @Test
  void theNearestOwnerThatNamesAQueueCounts() {
    var shop = Workshop.with();
    var near =
        shop.thing(
            "{apiVersion: example.com/v1, kind: A, metadata: {name: a, labels: {berth.dev/queue:"
                + " near}}}");
    var far =
        shop.thing(
            "{apiVersion: example.com/v1, kind: B, metadata: {name: b, labels: {berth.dev/queue:"
                + " far, berth.dev/preemptibility: non-preemptible}}}");
    shop.pod("p", "", near, far);
    assertThat(shop.told()).containsExactly("p: alone of near");
    assertThat(shop.alone().said().preemptibility().name()).isEqualTo("NON_PREEMPTIBLE");
  }

  @ParameterizedTest
  @CsvSource({
    "labels, kai.scheduler/skip-podgrouper",
    "annotations, kai.scheduler/skip-podgrouper",
    "labels, berth.dev/skip-grouping",
    "annotations, berth.dev/skip-grouping",
  })
  void aWorkloadThatIsLeftAloneHasNoGang(String where, String name) {
    var shop = Workshop.of("job.yaml").but("metadata: {%s: {%s: 'true'}}".formatted(where, name));
    assertThat(shop.pod("sweep-a", "", shop.object()).told())
        .containsExactly("sweep-a: alone of research");
    var pods = Workshop.of("job.yaml");
    pods.pod("sweep-a", "%s: {%s: 'true'}".formatted(where, name), "", "", pods.object());
    assertThat(pods.told()).containsExactly("sweep-a: alone of research");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "backoffLimitPerIndex: 1, | '1,3-4' | 3",
        "backoffLimitPerIndex: 0, | '0-5'   | 4",
        "backoffLimitPerIndex: 1, | x       | 4",
        "backoffLimitPerIndex: 1, | '9-2,'  | 4",
        "''                       | '1,3-4' | 4",
      })
  void anIndexThatFailedForGoodDoesNotCount(String limit, String failed, int minimum) {
    var shop = Workshop.with();
    var job =
        shop.thing(
            "{apiVersion: batch/v1, kind: Job, metadata: {name: j, annotations: "
                + "{berth.dev/min-member: '4'}}, spec: {%s completionMode: Indexed, parallelism: 6,"
                    .formatted(limit)
                + " completions: 6}, status: {failedIndexes: '%s'}}".formatted(failed));
    assertThat(shop.pod("j-a", "", job.slimJob()).gang().minMember()).isEqualTo(minimum);
  }
}
