package dev.berth.controllers.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.PodGroupSpec;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Origin;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// From pods and owners to groups in the ledger and their objects.
final class GroupingTest {
  private final Objects objects = new Objects();
  private final GroupingWorld world = new GroupingWorld(objects);
  private final HandCranked workers = world.workers;
  private final Ledger ledger = world.ledger;
  private final Intake intake = world.intake;
  private final InMemoryEvents events = world.events;
  private final Grouping grouping = world.grouping;

  @Test
  void aPodWaitsUntilItsOwnersAreReadThenItsGangIsKnown() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    assertThat(group("train-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    assertThat(grouping.isCaughtUp()).as("it has looked at all owners").isFalse();
    world.soon();
    assertThat(group("train-0").spec().minMember()).isEqualTo(2);
    assertThat(group("train-0").origin()).isEqualTo(Origin.OWNERS);
    assertThat(grouping.isCaughtUp()).as("it has looked at all owners").isTrue();
  }

  @Test
  void whatIsKnownIsToldAtOnce() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    world.seen(Kind.POD, pod("train-1", "TFJob", "train"));
    assertThat(group("train-1").members()).hasSize(2);
  }

  @Test
  void eachGangGetsAnObjectThatItsWorkloadOwns() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.seen(Kind.POD, pod("train-1", "TFJob", "train"));
    world.soon();
    assertThat(objects.kept).containsExactly("train {queue=research, minMember=2} of TFJob train");
  }

  @Test
  void anObjectThatExistsWhenAProcessBeginsToLeadIsNotMadeAgain() {
    grouping.holdUntilListed();
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    workers.turn(Duration.ofMinutes(1));
    assertThat(objects.kept).as("before the list").isEmpty();
    world.seen(Kind.POD_GROUP, object("minMember: 2"));
    grouping.listed(Kind.POD_GROUP);
    world.soon();
    assertThat(objects.kept).as("it is there").isEmpty();
  }

  @Test
  void anObjectThatIsNotListedIsMade() {
    grouping.holdUntilListed();
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    grouping.listed(Kind.POD_GROUP);
    world.soon();
    assertThat(objects.kept).hasSize(1);
  }

  @Test
  void noObjectIsMadeInANamespaceThatIsBeingDeleted() {
    objects.has(TRAIN);
    world.seen(Kind.NAMESPACE, "{metadata: {name: default}, status: {phase: Terminating}}");
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    assertThat(group("train-0").namespaceTerminates()).as("its namespace is deleted").isTrue();
    assertThat(objects.kept).isEmpty();
  }

  @Test
  void aGangThatLostItsObjectGetsAnother() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    grouping.gone(
        Kind.POD_GROUP,
        GroupingWorld.tree(
            "{metadata: {name: %s, namespace: default}}".formatted(group("train-0").key().name())));
    world.soon();
    assertThat(objects.kept).as("it may have gone before its pods").hasSize(1);
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept).hasSize(2);
  }

  @Test
  void anObjectThatSaysOtherwiseForAWhileIsPutRight() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    world.seen(Kind.POD_GROUP, object("minMember: 4"));
    world.soon();
    assertThat(objects.kept).as("a later write may be under way").hasSize(1);
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept)
        .containsExactly(
            "train {queue=research, minMember=2} of TFJob train",
            "train {queue=research, minMember=2} of TFJob train");
    world.seen(Kind.POD_GROUP, object("minMember: 2"));
    workers.turn(Duration.ofMinutes(1));
    assertThat(objects.kept).as("it is right").hasSize(2);
  }

  @Test
  void anObjectIsPutRightOnceInAWhileThoughAnotherClientWantsItOtherwise() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    for (int i = 0; i < 100; i++) {
      world.seen(Kind.POD_GROUP, object("minMember: " + (i % 2 + 3)));
      workers.turn(Duration.ofMillis(100));
    }
    assertThat(objects.kept).as("made, and put right twice in ten seconds").hasSize(3);
  }

  @Test
  void whatElseStandsInAnObjectStays() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    String late = world.lastSeen(object("minMember: 4"));
    world.seen(
        Kind.POD_GROUP,
        object("minMember: 2, queue: product, topology: {name: fabric, required: rack}"));
    seenAgain(Kind.POD_GROUP, late);
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept).hasSize(1);
  }

  /// Users put right what they wrote where they wrote it: on the workload.
  @Test
  void anObjectFollowsItsWorkloadWhereItSaysWhatThatSaid() {
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("research", "reserach"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    world.seen(Kind.POD_GROUP, objectOf("sweep-0", "minMember: 4, queue: reserach"));
    world.soon();
    assertThat(objects.edits).as("it is so").containsExactly(Edits.NONE);
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    workers.turn(Duration.ofSeconds(1));
    assertThat(objects.edits).element(1).isEqualTo(edits(Map.of("queue", "research")));
    world.seen(Kind.POD_GROUP, objectOf("sweep-0", "minMember: 4, queue: research"));
    workers.turn(Duration.ofMinutes(1));
    assertThat(objects.edits).as("once").hasSize(2);
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("berth.dev/queue: research", ""));
    workers.turn(Duration.ofSeconds(1));
    assertThat(objects.edits)
        .element(2)
        .as("said no more")
        .isEqualTo(new Edits(Map.of(), List.of("queue")));
  }

  @Test
  void whatPeopleWroteIntoAnObjectDoesNotFollowItsWorkload() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    world.seen(Kind.POD_GROUP, objectOf("sweep-0", "minMember: 4, queue: product"));
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("research", "vision"));
    workers.turn(Duration.ofMinutes(1));
    assertThat(objects.edits).hasSize(1);
  }

  @Test
  void theQueueThatPodsNameComesBeforeThatOfTheirWorkload() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    world.seen(
        Kind.POD,
        pod("sweep-0", "Job", "sweep")
            .replace(
                "uid: uid-sweep-0,", "uid: uid-sweep-0, labels: {berth.dev/queue: research},"));
    world.soon();
    world.seen(Kind.POD_GROUP, objectOf("sweep-0", "minMember: 4, queue: research"));
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("research", "vision"));
    workers.turn(Duration.ofMinutes(1));
    assertThat(group("sweep-0").queue()).isEqualTo(new QueueName("research"));
    assertThat(objects.edits).hasSize(1);
  }

  private static Edits edits(Map<String, Object> set) {
    return new Edits(set, List.of());
  }

  @Test
  void aTreeThatAnObjectHasNoRoomForIsThereAsItsNumber() {
    objects.has(
        "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: train, namespace:"
            + " default, uid: uid-train}, spec: {replicatedJobs: [{name: w, replicas: 100,"
            + " template: {spec: {parallelism: 2}}}]}}");
    world.seen(
        Kind.POD,
        pod("train-0", "JobSet", "train")
            .replace("kubeflow.org/v1", "jobset.x-k8s.io/v1alpha2")
            .replace(
                "metadata: {",
                "metadata: {labels: {jobset.sigs.k8s.io/replicatedjob-name: w,"
                    + " jobset.sigs.k8s.io/job-index: '0'}, "));
    world.soon();
    assertThat(objects.kept).containsExactly("train {minMember=200} of JobSet train");
    world.seen(Kind.POD_GROUP, object("minMember: 200"));
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept).hasSize(1);
  }

  @Test
  void theObjectOfAReplicaThatWasScaledAwayGoes() {
    objects.has(SERVE);
    world.seen(Kind.POD, replica(0));
    world.seen(Kind.POD, replica(1));
    world.soon();
    String kept = seenObjectOf("serve-0");
    String away = seenObjectOf("serve-1");
    assertThat(kept).isNotEqualTo(away);
    world.gone("serve-1");
    workers.turn(Duration.ofSeconds(410));
    assertThat(objects.deleted).as("it may begin anew").isEmpty();
    workers.turn(Duration.ofSeconds(20));
    assertThat(objects.deleted).containsExactly(away + " uid-of-" + away);
    workers.turn(Duration.ofMinutes(10));
    assertThat(objects.deleted).as("the other has members").hasSize(1);
  }

  @Test
  void theObjectOfAReplicaThatBeginsAnewStays() {
    objects.has(SERVE);
    world.seen(Kind.POD, replica(1));
    world.soon();
    seenObjectOf("serve-1");
    String next = replica(1).replace("uid-serve-1", "uid-of-the-next");
    world.gone("serve-1");
    workers.turn(Duration.ofSeconds(410));
    world.seen(Kind.POD, next);
    workers.turn(Duration.ofMinutes(15));
    assertThat(objects.deleted).isEmpty();
  }

  @Test
  void theTimeWithoutMembersBeginsAnewWithTheLastOfThem() {
    objects.has(SERVE);
    world.seen(Kind.POD, replica(1));
    world.soon();
    seenObjectOf("serve-1");
    world.gone("serve-1");
    workers.turn(Duration.ofSeconds(410));
    world.seen(Kind.POD, replica(1).replace("serve-1", "serve-1b"));
    world.gone("serve-1b");
    workers.turn(Duration.ofSeconds(410));
    assertThat(objects.deleted).isEmpty();
    workers.turn(Duration.ofSeconds(20));
    assertThat(objects.deleted).hasSize(1);
  }

  @Test
  void theObjectOfAWholeWorkloadGoesWithIt() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    seenObjectOf("train-0");
    world.gone("train-0");
    workers.turn(Duration.ofMinutes(10));
    assertThat(objects.deleted).as("what was written into it stays").isEmpty();
  }

  /// Its pods are evicted, and made anew by its owner: for a replica some minutes later.
  @Test
  void aGangThatIsRestartedKeepsItsPlaceInLine() {
    objects.has(TRAIN);
    objects.has(SERVE);
    for (String pod : List.of("train-0", "serve-0")) {
      String yaml = pod.equals("train-0") ? pod(pod, "TFJob", "train") : replica(0);
      world.seen(Kind.POD, created(1, yaml));
      world.soon();
      world.seen(
          Kind.POD_GROUP,
          created(
              1,
              "{metadata: {name: %s, namespace: default, uid: uid-of-%s}}"
                  .formatted(group(pod).key().name(), group(pod).key().name())));
      world.gone(pod);
      workers.turn(Duration.ofMinutes(6));
      world.seen(Kind.POD, created(5, yaml.replace("uid-" + pod, "uid-next-" + pod)));
      world.soon();
      assertThat(ledger.groupOf(new PodUid("uid-next-" + pod)).orElseThrow().created())
          .isEqualTo("2026-01-01T01:00:00Z");
    }
    assertThat(objects.deleted).isEmpty();
  }

  private static final String SERVE =
      "{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: serve,"
          + " namespace: default, uid: uid-serve}, spec: {replicas: 2, leaderWorkerTemplate: {size:"
          + " 2}}}";

  private static String replica(int index) {
    return pod("serve-" + index, "LeaderWorkerSet", "serve")
        .replace("kubeflow.org/v1", "leaderworkerset.x-k8s.io/v1")
        .replace(
            "metadata: {",
            "metadata: {labels: {leaderworkerset.sigs.k8s.io/group-index: '%d',".formatted(index)
                + " leaderworkerset.sigs.k8s.io/worker-index: '0'}, ");
  }

  /// The watch shows the object of a pod's group.
  private String seenObjectOf(String pod) {
    String name = group(pod).key().name();
    world.seen(
        Kind.POD_GROUP,
        "{metadata: {name: %s, namespace: default, uid: uid-of-%s}}".formatted(name, name));
    return name;
  }

  /// The object of the group of `train-0`.
  private String object(String spec) {
    return objectOf("train-0", spec);
  }

  private String objectOf(String pod, String spec) {
    return "{metadata: {name: %s, namespace: default, uid: uid-object}, spec: {%s}}"
        .formatted(group(pod).key().name(), spec);
  }

  @Test
  void whatAnOwnerChangesIsReadAgainWhileAPodWaits() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    objects.has(TRAIN.replace("replicas: 2", "replicas: 3"));
    workers.turn(Duration.ofSeconds(40));
    assertThat(group("train-0").spec().minMember()).isEqualTo(3);
    assertThat(objects.kept)
        .containsExactly(
            "train {queue=research, minMember=2} of TFJob train",
            "train {queue=research, minMember=3} of TFJob train");
  }

  /// Of kinds whose spec no rule reads, too: their labels and annotations count.
  @ParameterizedTest
  @CsvSource({
    "apps/v1, Deployment",
    "apps/v1, ReplicaSet",
    "apps/v1, StatefulSet",
    "kubeflow.org/v1beta1, Notebook",
    "run.ai/v1, RunaiJob",
    "sparkoperator.k8s.io/v1beta2, SparkApplication",
    "example.com/v1, Unknown"
  })
  void labelsOfAnyKindOfOwnerAreReadAgainWhileAPodWaits(String apiVersion, String kind) {
    String typo = owner(apiVersion, kind, "opne", "");
    objects.has(typo);
    String pod = pod("web-0", kind, "web").replace("kubeflow.org/v1", apiVersion);
    world.seen(Kind.POD, pod);
    world.soon();
    assertThat(group("web-0").queue()).isEqualTo(new QueueName("opne"));
    objects.has(owner(apiVersion, kind, "open", ", berth.dev/preemptibility: preemptible"));
    workers.turn(Duration.ofSeconds(40));
    assertThat(group("web-0").queue()).isEqualTo(new QueueName("open"));
    assertThat(group("web-0").spec().preemptibility()).isEqualTo(Preemptibility.PREEMPTIBLE);
    objects.has(owner(apiVersion, kind, "third", ""));
    world.seen(Kind.POD, pod.replace("web-0", "web-1"));
    workers.turn(Duration.ofSeconds(2));
    assertThat(group("web-1").queue()).as("queue of a pod that came later").isEqualTo(third());
    objects.has(owner(apiVersion, kind, "open", ""));
    world.seen(
        Kind.POD, pod.replace("uid: uid-web-0", "uid: uid-web-0, annotations: {look: again}"));
    workers.turn(Duration.ofSeconds(2));
    assertThat(group("web-0").queue())
        .as("queue after an edit of a pod that waits")
        .isEqualTo(new QueueName("open"));
  }

  private static QueueName third() {
    return new QueueName("third");
  }

  private static String owner(String apiVersion, String kind, String queue, String more) {
    return "{apiVersion: %s, kind: %s, metadata: {name: web, namespace: default, uid: uid-web,"
            .formatted(apiVersion, kind)
        + " labels: {berth.dev/queue: %s%s}}}".formatted(queue, more);
  }

  /// A Deployment above a ReplicaSet: each of the chain is read.
  @Test
  void labelsOfTheOwnerOfAnOwnerAreReadAgain() {
    objects.has(owner("apps/v1", "Deployment", "opne", ""));
    objects.has(
        "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: web-1, namespace: default, uid:"
            + " uid-web-1, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web,"
            + " uid: uid-web, controller: true}]}}");
    world.seen(Kind.POD, pod("web-0", "ReplicaSet", "web-1").replace("kubeflow.org/v1", "apps/v1"));
    world.soon();
    assertThat(group("web-0").queue()).isEqualTo(new QueueName("opne"));
    objects.has(owner("apps/v1", "Deployment", "third", ""));
    workers.turn(Duration.ofSeconds(40));
    assertThat(group("web-0").queue()).isEqualTo(third());
  }

  @Test
  void whereNoPodWaitsNoOwnerIsReadAgain() {
    objects.has(TRAIN);
    world.seen(
        Kind.POD, pod("train-0", "TFJob", "train").replace("spec: {", "spec: {nodeName: n1, "));
    workers.turn(Duration.ofMinutes(10));
    assertThat(objects.reads).as("the climb, and what may have changed since").isEqualTo(2);
  }

  @Test
  void anOwnerThatMayNotBeReadEndsTheChain() {
    objects.barred.add("TFJob");
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    assertThat(group("train-0").origin()).isEqualTo(Origin.POD);
  }

  @Test
  void theChainEndsAtTheLastOwnerThatMayBeRead() {
    objects.barred.add("Fleet");
    objects.has(
        "{apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: train, namespace: default,"
            + " uid: uid-train, ownerReferences: [{apiVersion: example.com/v1, kind: Fleet, name:"
            + " f, uid: uid-f}]}, spec: {tfReplicaSpecs: {Worker: {replicas: 2}}}}");
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    assertThat(group("train-0").spec().minMember()).isEqualTo(2);
  }

  @Test
  void anOwnerOfThatNameButAnotherUidIsAnotherObject() {
    objects.has(TRAIN.replace("uid-train", "uid-of-the-next"));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    assertThat(group("train-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    objects.has(TRAIN);
    workers.turn(Duration.ofSeconds(40));
    assertThat(group("train-0").origin()).isEqualTo(Origin.OWNERS);
  }

  @Test
  void aPodThatLeavesNeedsNoOwner() {
    world.seen(
        Kind.POD,
        pod("train-0", "TFJob", "train")
            .replace("metadata: {", "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z', "));
    world.soon();
    assertThat(group("train-0").origin()).isEqualTo(Origin.POD);
  }

  /// Its grace is a year: it runs on, and belongs where it belonged.
  @Test
  void aPodThatIsDeletedAndRunsOnStaysInItsGang() {
    world.seen(
        Kind.POD,
        pod("sweep-0", "Job", "sweep")
            .replace(
                "metadata: {",
                "metadata: {deletionTimestamp: '2027-01-01T00:00:00Z', deletionGracePeriodSeconds:"
                    + " 31536000, ")
            .replace("spec: {", "spec: {nodeName: n1, "));
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", ""));
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(4);
  }

  @Test
  void aPodThatGetsOtherOwnersBelongsToTheirs() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("sweep", "other"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.seen(Kind.POD, pod("sweep-1", "Job", "sweep"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "other"));
    assertThat(group("sweep-0").key()).isNotEqualTo(group("sweep-1").key());
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(4);
    world.seen(Kind.POD, pod("sweep-0", "Job", "ghost"));
    assertThat(group("sweep-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    assertThat(group("sweep-1").members()).hasSize(1);
  }

  @Test
  void aPodThatNamesAGroupLaterLeavesThatOfItsOwners() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.seen(
        Kind.POD,
        pod("sweep-0", "Job", "sweep")
            .replace("metadata: {", "metadata: {labels: {berth.dev/pod-group: mine}, "));
    assertThat(group("sweep-0").key().name()).isEqualTo("mine");
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(4);
  }

  @Test
  void jobsAreKnownByTheirWatchAndNeverRead() {
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    assertThat(group("sweep-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", ""));
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(4);
    assertThat(group("sweep-0").queue()).isEqualTo(new QueueName("research"));
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", "succeeded: 4"));
    assertThat(group("sweep-0").spec().minMember()).as("the last wave").isEqualTo(2);
    world.soon();
    assertThat(objects.reads).isZero();
  }

  /// A tenant may name any UID as the owner of its pods.
  @Test
  void aJobOfAnotherNamespaceSaysNothing() {
    String stray = pod("stray-0", "Job", "sweep").replace("default", "other");
    world.seen(Kind.POD, stray);
    world.soon();
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    world.soon();
    assertThat(group("stray-0").origin()).as("before").isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.seen(Kind.POD, stray.replace("stray", "late"));
    world.seen(Kind.JOB, job("parallelism: 3", ""));
    world.soon();
    assertThat(group("late-0").origin()).as("after").isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    assertThat(group("stray-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
    assertThat(group("stray-0").queue()).isNotEqualTo(new QueueName("research"));
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(3);
    assertThat(objects.kept).as("none elsewhere").hasSize(1);
  }

  @Test
  void anOwnerWithoutANamespaceIsOneForPodsOfAll() {
    String train = TRAIN.replace("namespace: default, ", "");
    assertThat(train).isNotEqualTo(TRAIN);
    objects.has(train);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.seen(Kind.POD, pod("train-1", "TFJob", "train").replace("default", "other"));
    world.soon();
    assertThat(group("train-0").members()).hasSize(1);
    assertThat(group("train-0").spec().minMember()).isEqualTo(2);
    assertThat(group("train-1").spec().minMember()).isEqualTo(2);
    objects.has(train.replace("replicas: 2", "replicas: 3"));
    workers.turn(Duration.ofSeconds(30));
    assertThat(group("train-0").spec().minMember()).isEqualTo(3);
    assertThat(group("train-1").spec().minMember()).isEqualTo(3);
  }

  @Test
  void whatIsSeenLateOfAJobSaysNothing() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    String late = world.lastSeen(job("parallelism: 4", ""));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.seen(Kind.JOB, job("parallelism: 6", "").replace("'4'", "'6'"));
    seenAgain(Kind.JOB, late);
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(6);
    world.seen(Kind.POD, pod("sweep-1", "Job", "sweep"));
    assertThat(group("sweep-1").spec().minMember()).as("for who comes next").isEqualTo(6);
  }

  @Test
  void aMinimumThatIsNoneIsToldOfTheJobOnWhichItStands() {
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("min-member: '4'", "min-member: 'abc'"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    assertThat(group("sweep-0").spec().problems().getFirst().on("PodGroup default/sweep-0"))
        .isEqualTo(
            "berth.dev/min-member is \"abc\" on Job default/sweep, but it is a whole number from 1"
                + " to 2147483647.");
  }

  @Test
  void aMinimumThatIsNoneOnAPodOfAWorkloadIsToldOfThatPod() {
    objects.has(
        "{apiVersion: example.com/v1, kind: Ring, metadata: {name: ring, namespace: default, uid:"
            + " uid-ring}, spec: {}}");
    world.seen(
        Kind.POD,
        pod("ring-0", "Ring", "ring")
            .replace("metadata: {", "metadata: {annotations: {berth.dev/min-member: abc}, "));
    world.soon();
    assertThat(group("ring-0").spec().problems().getFirst().on("PodGroup default/ring-0"))
        .startsWith("berth.dev/min-member is \"abc\" on pod default/ring-0, but");
  }

  @Test
  void aJobThatIsSeenAfterItIsGoneIsNotThere() {
    world.seen(Kind.JOB, job("parallelism: 4", ""));
    String late = world.lastSeen(job("parallelism: 4", ""));
    grouping.gone(
        Kind.JOB,
        GroupingWorld.tree("{metadata: {name: sweep, namespace: default, uid: uid-sweep}}"));
    seenAgain(Kind.JOB, late);
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    assertThat(group("sweep-0").origin()).isEqualTo(Origin.POD_OF_UNKNOWN_OWNER);
  }

  @Test
  void aJobThatMovesToAnotherQueueTakesItsPodsAlong() {
    String alone = job("parallelism: 4", "").replace("min-member: '4'", "min-member: '1'");
    world.seen(Kind.JOB, alone);
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    assertThat(group("sweep-0").queue()).isEqualTo(new QueueName("research"));
    world.seen(Kind.JOB, alone.replace("research", "product"));
    assertThat(group("sweep-0").queue()).isEqualTo(new QueueName("product"));
    assertThat(group("sweep-0").single()).as("a group of one").isTrue();
  }

  @Test
  void aGroupThatGoesWithItsLastPodsIsNotMadeAnew() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    world.seen(
        Kind.POD,
        pod("train-0", "TFJob", "train")
            .replace("metadata: {", "metadata: {deletionTimestamp: '2026-01-01T00:00:00Z', "));
    grouping.gone(
        Kind.POD_GROUP,
        GroupingWorld.tree(
            "{metadata: {name: %s, namespace: default}}".formatted(group("train-0").key().name())));
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept).hasSize(1);
  }

  @Test
  void aLauncherThatComesLaterChangesWhatMustStart() {
    objects.has(
        "{apiVersion: kubeflow.org/v2beta1, kind: MPIJob, metadata: {name: mpi, namespace: default,"
            + " uid: uid-mpi}, spec: {launcherCreationPolicy: WaitForWorkersReady, mpiReplicaSpecs:"
            + " {Launcher: {replicas: 1}, Worker: {replicas: 2}}}}");
    world.seen(Kind.POD, pod("mpi-worker-0", "MPIJob", "mpi"));
    world.seen(Kind.POD, pod("mpi-worker-1", "MPIJob", "mpi"));
    world.soon();
    assertThat(group("mpi-worker-0").spec().minMember()).isEqualTo(2);
    String launcher =
        pod("mpi-launcher", "MPIJob", "mpi")
            .replace(
                "metadata: {", "metadata: {labels: {training.kubeflow.org/job-role: launcher}, ");
    world.seen(Kind.POD, launcher);
    assertThat(group("mpi-worker-0").spec().minMember()).isEqualTo(3);
    assertThat(group("mpi-worker-0").members().getFirst().pod().key().name())
        .as("the first member")
        .isEqualTo("mpi-launcher");
    world.gone("mpi-launcher");
    assertThat(group("mpi-worker-0").spec().minMember()).as("it is gone again").isEqualTo(2);
  }

  @Test
  void podSeenAfterItIsGoneIsNotThere() {
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", ""));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    String late = world.lastSeen(pod("sweep-0", "Job", "sweep"));
    world.seen(Kind.POD, pod("sweep-1", "Job", "sweep"));
    world.gone("sweep-0");
    seenAgain(Kind.POD, late);
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", "succeeded: 4"));
    assertThat(group("sweep-1").spec().minMember()).as("whoever tells it").isEqualTo(2);
    String object =
        "{metadata: {name: %s, namespace: default}}".formatted(group("sweep-1").key().name());
    world.soon();
    world.gone("sweep-1");
    int before = objects.kept.size();
    grouping.gone(Kind.POD_GROUP, GroupingWorld.tree(object));
    workers.turn(Duration.ofSeconds(10));
    assertThat(objects.kept).as("nobody is left").hasSize(before);
  }

  @Test
  void whatIsSeenLateOfAPodSaysNothing() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    String late = world.lastSeen(pod("train-0", "TFJob", "train"));
    world.seen(
        Kind.POD, pod("train-0", "TFJob", "train").replace("spec: {", "spec: {nodeName: n1, "));
    seenAgain(Kind.POD, late);
    workers.turn(Duration.ofMinutes(10));
    assertThat(objects.reads).as("the climb, and what may have changed: it waits not").isEqualTo(2);
  }

  private void seenAgain(Kind kind, String object) {
    intake.seen(kind, GroupingWorld.tree(object));
    grouping.seen(kind, GroupingWorld.tree(object));
  }

  @Test
  void aJobOfASetIsNotItsTop() {
    objects.has(
        "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: set, namespace:"
            + " default, uid: uid-set}, spec: {replicatedJobs: [{name: w, template: {spec:"
            + " {parallelism: 2}}}]}}");
    world.seen(
        Kind.JOB,
        job("parallelism: 2", "")
            .replace(
                "annotations:",
                "ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set,"
                    + " uid: uid-set}], annotations:"));
    world.seen(
        Kind.POD,
        pod("sweep-0", "Job", "sweep")
            .replace(
                "metadata: {",
                "metadata: {labels: {jobset.sigs.k8s.io/replicatedjob-name: w,"
                    + " jobset.sigs.k8s.io/job-index: '0'}, "));
    world.soon();
    var group = group("sweep-0");
    assertThat(group.key().name()).startsWith("set-");
    assertThat(group.members().getFirst().pod().belonging().subGroup()).isEqualTo("w-replica-0");
    assertThat(objects.kept)
        .containsExactly(
            "set {queue=research, subGroups=[{name=w, minSubGroup=1}, {name=w-replica-0, parent=w,"
                + " minMember=2}]} of JobSet set");
  }

  /// KAI's pod grouper wrote the annotation; what runs since then has no pod grouper any more.
  @Test
  void aLaterPodJoinsTheGroupThatOlderPodsOfItsOwnerName() {
    objects.has(TRAIN);
    world.seen(
        Kind.POD_GROUP, "{metadata: {name: pg-train, namespace: default}, spec: {minMember: 2}}");
    String later = created(2, pod("train-1", "TFJob", "train"));
    world.seen(Kind.POD, created(1, named(pod("train-0", "TFJob", "train"))));
    world.seen(Kind.POD, later);
    world.soon();
    assertThat(group("train-1").key().name()).isEqualTo("pg-train");
    assertThat(group("train-1").members()).hasSize(2);
    assertThat(group("train-1").spec().minMember()).as("as its object says").isEqualTo(2);
    assertThat(objects.kept).as("of its own there is none").isEmpty();
    world.gone("train-0");
    assertThat(group("train-1").spec().minMember()).as("nothing names it now").isEqualTo(2);
    assertThat(group("train-1").key().name()).startsWith("train-");
  }

  @Test
  void theOrderInWhichPodsAreSeenDoesNotMatter() {
    objects.has(TRAIN);
    world.seen(Kind.POD, created(2, pod("train-1", "TFJob", "train")));
    world.soon();
    String own = seenObjectOf("train-1");
    world.seen(Kind.POD, created(1, named(pod("train-0", "TFJob", "train"))));
    assertThat(group("train-1").key().name()).isEqualTo("pg-train");
    assertThat(group("train-1").spec().minMember()).as("without an object").isEqualTo(2);
    workers.turn(Duration.ofMinutes(8));
    assertThat(objects.deleted).containsExactly(own + " uid-of-" + own);
  }

  @Test
  void aPodThatIsAsOldAsThoseThatNameAGroupStaysWithItsOwners() {
    objects.has(TRAIN);
    world.seen(Kind.POD, created(1, pod("train-1", "TFJob", "train")));
    world.seen(Kind.POD, created(1, named(pod("train-0", "TFJob", "train"))));
    world.soon();
    assertThat(group("train-1").key().name()).startsWith("train-");
  }

  /// A Job of the set was made anew, so that the pods have only the set in common.
  @Test
  void podsOfTheSameSetAreOfOneWorkload() {
    objects.has(JOB_SET.formatted(2));
    for (int i = 0; i < 2; i++) {
      world.seen(Kind.JOB, jobOfSet(i, ""));
    }
    world.seen(Kind.POD, created(1, named(podOfSet(0, ""))));
    world.seen(Kind.POD, created(2, podOfSet(1, "")));
    world.soon();
    assertThat(group("p-1").key().name()).isEqualTo("pg-train");
    assertThat(group("p-1").members()).hasSize(2);
  }

  /// Owners of a pod may be edited, so a pod that Berth placed takes no other pod into its group.
  @Test
  void aPodThatBerthPlacedNamesItsGroupForItselfAlone() {
    objects.has(TRAIN);
    String forged = created(1, named(pod("thief-0", "TFJob", "train")));
    world.seen(Kind.POD, forged.replace("nodeName: n1", "priority: 0"));
    world.seen(Kind.POD, created(2, pod("train-1", "TFJob", "train")));
    world.soon();
    assertThat(group("train-1").key().name()).as("not bound yet").startsWith("train-");
    world.seen(
        Kind.POD,
        forged.replace(
            "annotations: {",
            "annotations: {berth.dev/plan: 'node=n1 until=2026-01-01T00:01:00Z', "));
    assertThat(group("train-1").key().name()).as("bound by Berth").startsWith("train-");
    world.seen(Kind.POD, forged);
    assertThat(group("train-1").key().name()).as("bound by another").isEqualTo("pg-train");
  }

  /// As another scheduler bound it, without a plan of Berth's.
  private static String named(String pod) {
    String bound = pod.replace("spec: {", "spec: {nodeName: n1, ");
    return bound.contains("labels: {")
        ? bound.replace("labels: {", "annotations: {pod-group-name: pg-train}, labels: {")
        : bound.replace("metadata: {", "metadata: {annotations: {pod-group-name: pg-train}, ");
  }

  private static String created(int hour, String pod) {
    return pod.replace(
        "metadata: {", "metadata: {creationTimestamp: '2026-01-01T0%d:00:00Z', ".formatted(hour));
  }

  /// A tenant that changes a wrong value in a loop must not make Berth write as often.
  @Test
  void warningsOfANamespaceAreBounded() {
    objects.has(TRAIN);
    for (int i = 0; i < 100; i++) {
      String wrong = "labels: {berth.dev/preemptibility: x" + i + "}, ownerReferences";
      world.seen(Kind.POD, pod("train-0", "TFJob", "train").replace("ownerReferences", wrong));
    }
    assertThat(events.told).hasSize(20);
    workers.turn(Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      String wrong = "labels: {berth.dev/preemptibility: y" + i + "}, ownerReferences";
      world.seen(Kind.POD, pod("train-0", "TFJob", "train").replace("ownerReferences", wrong));
    }
    assertThat(events.told).as("one a second more").hasSize(30);
  }

  @Test
  void aPreemptibilityOrDelayThatIsNoneIsIgnoredAndTold() {
    objects.has(
        TRAIN.replace(
            "labels: {",
            "annotations: {kai.scheduler/preemption-delay: soon}, labels:"
                + " {berth.dev/preemptibility: perhaps, "));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.seen(Kind.POD, pod("train-1", "TFJob", "train"));
    workers.turn(Duration.ofMinutes(2));
    assertThat(group("train-0").spec().problems()).isEmpty();
    assertThat(events.told)
        .containsExactly(
            "uid-train InvalidValueIgnored: berth.dev/preemptibility is \"perhaps\" on TFJob"
                + " default/train, but it is preemptible, semi-preemptible or non-preemptible. The"
                + " value is ignored.",
            "uid-train InvalidValueIgnored: kai.scheduler/preemption-delay is \"soon\" on TFJob"
                + " default/train, but a duration looks like \"90s\", \"10m\" or \"1h30m\"."
                + " The value is ignored.");
    assertThat(events.warnings).containsOnly(true);
  }

  @Test
  void whatIsIgnoredOnThePodsOfAWorkloadIsToldOnOneOfThem() {
    objects.has(TRAIN);
    for (int i = 0; i < 2; i++) {
      world.seen(
          Kind.POD,
          pod("train-" + i, "TFJob", "train")
              .replace("metadata: {", "metadata: {labels: {berth.dev/preemptibility: perhaps}, "));
    }
    world.seen(
        Kind.POD,
        "{metadata: {name: bare, namespace: default, uid: uid-bare, labels:"
            + " {kai.scheduler/preemptibility: perhaps}}, spec: {schedulerName: berth}}");
    world.soon();
    assertThat(ledger.pod(new PodUid("uid-train-0")).orElseThrow().problems()).isEmpty();
    assertThat(events.told).hasSize(2);
    assertThat(events.told.getFirst()).contains("on pod default/train-0");
    assertThat(events.told.getLast()).contains("on pod default/bare");
  }

  @Test
  void aDelayOfAPodThatIsNoneIsIgnoredAndTold() {
    world.seen(
        Kind.POD,
        "{metadata: {name: bare, namespace: default, uid: uid-bare, annotations:"
            + " {berth.dev/preemption-delay: soon}}, spec: {schedulerName: berth}}");
    workers.turn(Duration.ofMinutes(2));
    var pod = ledger.pod(new PodUid("uid-bare")).orElseThrow();
    assertThat(pod.problems()).isEmpty();
    assertThat(group("bare").spec().patience().preemptionDelay()).isEqualTo(Duration.ZERO);
    assertThat(events.told)
        .containsExactly(
            "uid-bare InvalidValueIgnored: berth.dev/preemption-delay is \"soon\" on pod"
                + " default/bare, but a duration looks like \"90s\", \"10m\" or \"1h30m\"."
                + " The value is ignored.");
    assertThat(events.warnings).containsOnly(true);
  }

  @Test
  void aClassThatDoesNotExistIsTold() {
    objects.has(TRAIN.replace("labels: {", "labels: {priorityClassName: urgent, "));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    assertThat(events.told).as("it may be seen later").isEmpty();
    workers.turn(Duration.ofMinutes(1));
    assertThat(events.told)
        .containsExactly(
            "uid-train PriorityClassNotFound: priorityClassName is \"urgent\" on TFJob"
                + " default/train, but there is no PriorityClass of this name. Create it, or name"
                + " one that exists. The label is ignored.");
  }

  @Test
  void aClassThatWouldRaiseThePriorityIsToldOnce() {
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: train}, value: 50}");
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: urgent}, value: 80}");
    objects.has(TRAIN.replace("labels: {", "labels: {priorityClassName: urgent, "));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.seen(Kind.POD, pod("train-1", "TFJob", "train"));
    world.soon();
    workers.turn(Duration.ofMinutes(1));
    assertThat(events.told)
        .containsExactly(
            "uid-train InvalidValueIgnored: priorityClassName is \"urgent\" on TFJob default/train,"
                + " but that is 80, its pods were admitted with 50, and the label only lowers a"
                + " priority. Set spec.priorityClassName of the pods. The value is ignored.");
  }

  @Test
  void aClassThatLowersThePriorityIsNotTold() {
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: train}, value: 50}");
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: urgent}, value: 80}");
    world.seen(
        Kind.POD,
        "{metadata: {name: bare, namespace: default, uid: uid-bare, labels: {priorityClassName:"
            + " urgent}}, spec: {schedulerName: berth, priority: 80}}");
    world.soon();
    workers.turn(Duration.ofMinutes(1));
    assertThat(events.told).isEmpty();
  }

  @Test
  void aClassOfAPodAloneThatWouldRaiseItIsTold() {
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: urgent}, value: 80}");
    world.seen(
        Kind.POD,
        "{metadata: {name: bare, namespace: default, uid: uid-bare, labels: {priorityClassName:"
            + " urgent}}, spec: {schedulerName: berth, priority: 10}}");
    world.soon();
    assertThat(events.told)
        .containsExactly(
            "uid-bare InvalidValueIgnored: priorityClassName is \"urgent\" on pod default/bare,"
                + " but that is 80, its pods were admitted with 10, and the label only lowers a"
                + " priority. Set spec.priorityClassName of the pods. The value is ignored.");
  }

  @Test
  void aClassThatIsSeenLaterIsNotTold() {
    objects.has(TRAIN.replace("labels: {", "labels: {priorityClassName: urgent, "));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    world.seen(Kind.PRIORITY_CLASS, "{metadata: {name: urgent}, value: 80}");
    workers.turn(Duration.ofMinutes(1));
    assertThat(events.told).isEmpty();
  }

  @Test
  void aGangOfAStatefulSetInOrderGrowsPodByPodAndIsTold() {
    objects.has(
        "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: ring, namespace: default, uid:"
            + " uid-ring, annotations: {berth.dev/min-member: '3'}}, spec: {}}");
    String first = inOrder("ring-0");
    world.seen(Kind.POD, first);
    world.soon();
    assertThat(group("ring-0").spec().minMember()).isEqualTo(1);
    world.seen(Kind.POD, first.replace("spec: {", "spec: {nodeName: n, "));
    world.seen(Kind.POD, inOrder("ring-1"));
    assertThat(group("ring-1").spec().minMember()).as("one runs").isEqualTo(1);
    world.seen(Kind.POD, inOrder("ring-1").replace("spec: {", "spec: {nodeName: n, "));
    assertThat(group("ring-1").spec().minMember()).as("two run").isEqualTo(2);
    assertThat(events.told).hasSize(1);
    assertThat(events.told.getFirst())
        .startsWith("uid-ring GangNotPossible: spec.podManagementPolicy is \"OrderedReady\" on")
        .contains("StatefulSet default/ring")
        .endsWith("with podManagementPolicy: Parallel for a gang.");
  }

  @Test
  void aMinimumThatAJobCanNeverHaveAtOnceIsTold() {
    world.seen(Kind.JOB, job("parallelism: 3", ""));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(3);
    assertThat(events.told)
        .containsExactly(
            "uid-sweep GangNotPossible: berth.dev/min-member is \"4\" on Job default/sweep, but"
                + " spec.parallelism is 3, so 3 pods start together. Raise spec.parallelism, or"
                + " lower berth.dev/min-member.");
  }

  @Test
  void aLastWaveThatIsSmallerIsNotTold() {
    world.seen(Kind.JOB, job("parallelism: 4, completions: 6", "succeeded: 4"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(2);
    assertThat(events.told).isEmpty();
  }

  private static String inOrder(String name) {
    return pod(name, "StatefulSet", "ring").replace("kubeflow.org/v1", "apps/v1");
  }

  /// Counts work, not time: shaping costs what the tree is large.
  @Test
  void aGangIsShapedAgainOnlyIfWhatItsShapeDependsOnChanges() {
    int jobs = 600;
    objects.has(JOB_SET.formatted(jobs));
    for (int i = 0; i < jobs; i++) {
      world.seen(Kind.JOB, jobOfSet(i, ""));
      world.seen(Kind.POD, podOfSet(i, ""));
    }
    world.soon();
    assertThat(group("p-0").spec().required()).isEqualTo(jobs);
    for (int i = 0; i < jobs; i++) {
      world.seen(Kind.POD, podOfSet(i, "nodeName: n, "));
    }
    assertThat(grouping.shapes()).as("first members by UID come late now and then").isLessThan(20);
    long before = grouping.shapes();
    for (int i = 0; i < jobs - 1; i++) {
      world.seen(Kind.JOB, jobOfSet(i, "conditions: [{type: Complete, status: 'True'}]"));
    }
    workers.turn(Duration.ofSeconds(1));
    assertThat(group("p-0").spec().required()).as("the last Job").isEqualTo(1);
    assertThat(grouping.shapes() - before).as("many changes at once count once").isLessThan(5);
  }

  private static final String JOB_SET =
      "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: set, namespace:"
          + " default, uid: uid-set}, spec: {replicatedJobs: [{name: w, replicas: %d, template:"
          + " {spec: {parallelism: 1}}}]}}";

  private static String jobOfSet(int index, String status) {
    return "{metadata: {name: set-w-%d, namespace: default, uid: uid-set-w-%d, ownerReferences:"
            .formatted(index, index)
        + " [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: set, uid: uid-set,"
        + " controller: true}]}, spec: {parallelism: 1}, status: {%s}}".formatted(status);
  }

  private static String podOfSet(int index, String spec) {
    return pod("p-" + index, "Job", "set-w-" + index)
        .replace(
            "metadata: {",
            "metadata: {labels: {jobset.sigs.k8s.io/replicatedjob-name: w,"
                + " jobset.sigs.k8s.io/job-index: '%d'}, ".formatted(index))
        .replace("spec: {", "spec: {" + spec);
  }

  @Test
  void podThatNamesAGroupOfBerthIsLeftToIt() {
    objects.has(TRAIN);
    world.seen(
        Kind.POD,
        pod("train-0", "TFJob", "train")
            .replace("metadata: {", "metadata: {labels: {berth.dev/pod-group: mine}, "));
    world.soon();
    assertThat(group("train-0").key().name()).isEqualTo("mine");
    assertThat(objects.reads).isZero();
  }

  @Test
  void podsOfOtherSchedulersAreLeftAlone() {
    world.seen(
        Kind.POD,
        pod("train-0", "TFJob", "train").replace("schedulerName: berth", "schedulerName: other"));
    world.soon();
    assertThat(objects.reads).isZero();
  }

  @Test
  void aNativeGroupSaysMinimumAndTopology() {
    intake.seen(
        Kind.TOPOLOGY,
        GroupingWorld.tree(
            "{metadata: {name: fabric}, spec: {levels: [{nodeLabel: example.com/rack}]}}"));
    objects.has(
        "{apiVersion: scheduling.k8s.io/, kind: PodGroup, metadata: {name: native, namespace:"
            + " default, uid: uid-native}, spec: {schedulingPolicy: {gang: {minCount: 2}},"
            + " schedulingConstraints: {topology: [{key: example.com/rack}]}}}");
    world.seen(
        Kind.POD,
        "{metadata: {name: m-0, namespace: default, uid: uid-m-0}, spec: {schedulerName: berth,"
            + " schedulingGroup: {podGroupName: native}, containers: [{name: main}]}}");
    assertThat(group("m-0").origin()).isEqualTo(Origin.NAME_ONLY);
    world.soon();
    assertThat(group("m-0").key()).isEqualTo(new GroupKey("default", "native"));
    assertThat(group("m-0").spec().minMember()).isEqualTo(2);
    assertThat(group("m-0").spec().topology().topology()).isEqualTo("fabric");
  }

  @Test
  void aJobThatChangesWhileItsOwnerIsReadIsTakenAsItIsByThen() {
    objects.has("{kind: CronJob, metadata: {name: nightly, namespace: default, uid: uid-nightly}}");
    String ofNightly =
        "{metadata: {ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: nightly, uid:"
            + " uid-nightly, controller: true}],";
    world.seen(Kind.JOB, job("parallelism: 4", "").replace("{metadata: {", ofNightly));
    objects.whileReading =
        () ->
            world.seen(
                Kind.JOB,
                job("parallelism: 6", "").replace("{metadata: {", ofNightly).replace("'4'", "'6'"));
    world.seen(Kind.POD, pod("sweep-0", "Job", "sweep"));
    world.soon();
    assertThat(objects.reads).isEqualTo(1);
    assertThat(group("sweep-0").spec().minMember()).isEqualTo(6);
  }

  /// The watch delivers the Job after the climb has missed it, and before what the climb found is
  /// recorded: no pod is listed under it yet.
  @Test
  void aJobThatComesBetweenTheLookForItAndWhatIsMadeOfThatIsNotMissed() throws Exception {
    objects.has(
        TRAIN.replace(
            "uid-train,",
            "uid-train, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: sweep, uid:"
                + " uid-sweep, controller: true}],"));
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    var isReading = new CountDownLatch(1);
    var mayGoOn = new CountDownLatch(1);
    objects.whileReading =
        () -> {
          isReading.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
          }
        };
    var climbing = Thread.ofPlatform().start(world::soon);
    isReading.await();
    synchronized (grouping) {
      mayGoOn.countDown();
      while (climbing.getState() != Thread.State.BLOCKED) { // it has missed the Job
        Thread.onSpinWait();
      }
      world.seen(Kind.JOB, job("parallelism: 4", ""));
    }
    climbing.join();
    world.soon();
    assertThat(group("train-0").spec().minMember()).isEqualTo(4);
  }

  @Test
  void aGangWithoutMembersIsForgotten() {
    objects.has(TRAIN);
    world.seen(Kind.POD, pod("train-0", "TFJob", "train"));
    world.soon();
    world.gone("train-0");
    assertThat(ledger.snapshot(workers.time().instant()).groups()).isEmpty();
    int before = objects.reads;
    workers.turn(Duration.ofMinutes(5));
    assertThat(objects.reads).as("reads of an owner that nobody has").isEqualTo(before);
  }

  private static final String TRAIN =
      "{apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: train, namespace: default, uid:"
          + " uid-train, labels: {berth.dev/queue: research}}, spec: {tfReplicaSpecs: {Worker:"
          + " {replicas: 2}}}}";

  private static String pod(String name, String kind, String owner) {
    return "{metadata: {name: %s, namespace: default, uid: uid-%s, ownerReferences: [{apiVersion:"
            .formatted(name, name)
        + " %s, kind: %s, name: %s, uid: uid-%s, controller: true}]}, spec: {schedulerName: berth,"
            .formatted(kind.equals("Job") ? "batch/v1" : "kubeflow.org/v1", kind, owner, owner)
        + " containers: [{name: main}]}}";
  }

  private static String job(String spec, String status) {
    return "{metadata: {name: sweep, namespace: default, uid: uid-sweep, labels:"
        + " {berth.dev/queue: research}, annotations:"
        + " {berth.dev/min-member: '4'}}, spec: {%s}, status: {%s}}".formatted(spec, status);
  }

  private PodGroup group(String pod) {
    return ledger.groupOf(new PodUid("uid-" + pod)).orElseThrow();
  }

  /// The API server, as far as this goes.
  private static final class Objects implements OwnerClient, PodGroupClient {
    final TreeSet<String> barred = new TreeSet<>();
    final List<String> kept = new ArrayList<>();
    final List<Edits> edits = new ArrayList<>();
    final List<String> deleted = new ArrayList<>();
    int reads;
    Runnable whileReading = () -> {};
    private final TreeMap<String, Map<String, Object>> objects = new TreeMap<>();
    private final TreeMap<String, Found> known = new TreeMap<>();

    void has(String yaml) {
      var object = GroupingWorld.tree(yaml);
      if (object.get("metadata") instanceof Map<?, ?> metadata) {
        objects.put(object.get("kind") + "/" + metadata.get("name"), object);
      }
    }

    @Override
    public Found recall(Wanted wanted) {
      return known.getOrDefault(wanted.toString(), new Unread());
    }

    @Override
    public Found read(Wanted wanted) {
      reads++;
      whileReading.run();
      if (barred.contains(wanted.kind())) {
        return new Barred();
      }
      var object = objects.get(wanted.kind() + "/" + wanted.name());
      if (object == null
          || !(object.get("metadata") instanceof Map<?, ?> metadata)
          || !wanted.uid().isEmpty() && !wanted.uid().equals(metadata.get("uid"))) {
        return new Missing();
      }
      var found = new Present(wanted.apiVersion(), object);
      known.put(wanted.toString(), found);
      return found;
    }

    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner)
        throws ClientException {
      throw new AssertionError("nobody asked for a group by its size");
    }

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits change) {
      edits.add(change);
      kept.add(
          spec.key().name().replaceAll("-[0-9a-f]{8}$", "")
              + " "
              + PodGroupSpec.tree(spec, queue.value().equals("default") ? QueueName.NONE : queue)
              + " of "
              + owner.kind()
              + " "
              + owner.name());
    }

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after) {}

    @Override
    public void delete(GroupKey key, String uid) {
      deleted.add(key.name() + " " + uid);
    }
  }
}
