package dev.berth.controllers.grouping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.client.PodGroupClient;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.PodGroupSpec.Edits;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.intake.Intake;
import dev.berth.controllers.loop.HandCranked;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Owners that a tenant wrote to harm others: their pods wait and say why, and those of others are
/// planned as ever.
final class HostileOwnersTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Owners owners = new Owners();
  private final GroupingWorld world = new GroupingWorld(owners);
  private final HandCranked workers = world.workers;
  private final Ledger ledger = world.ledger;
  private final Intake intake = world.intake;
  private final Grouping grouping = world.grouping;

  @BeforeEach
  void begin() {
    world.seen(
        Kind.NODE,
        "{metadata: {name: n}, status: {allocatable: {cpu: '8', pods: '10'}, conditions: [{type:"
            + " Ready, status: 'True'}]}}");
  }

  // ---- numbers

  @Test
  void aJobSetOfMoreJobsThanCanBePlannedIsTold() {
    for (int replicas : List.of(40_000, 300_000, 2_147_483_647)) {
      jobSet("s" + replicas, replicas, "");
      assertTimeoutPreemptively(SOON, () -> podOf("s" + replicas, 0));
      assertThat(spec("s" + replicas + "-0").subGroups()).isEmpty();
      assertThat(problem("s" + replicas + "-0").on(""))
          .isEqualTo(
              ("spec.replicatedJobs[0].replicas is \"%d\" on JobSet default/s%d, but it makes %d"
                      + " sub-groups, and a gang has 40000 at most. Lower it, or make several"
                      + " workloads of it.")
                  .formatted(replicas, replicas, replicas + 1L));
    }
    assertThat(planOfOther()).isInstanceOf(Decision.Reserve.class);
  }

  @Test
  void aLargeTreeComesWithItsPods() {
    jobSet("set", 1_112, "");
    int enough = 8; // a sub-group per Job and one above them: 113 beyond those that are free
    podOf("set", 0);
    for (int i = 1; i < enough; i++) {
      assertThat(spec("set-0").subGroups()).isEmpty();
      comes("set", i);
    }
    assertThat(spec("set-0").subGroups()).as("at once").hasSize(1_113);
    assertThat(spec("set-0").required()).isEqualTo(1_112);
    world.gone("set-0");
    workers.turn(Duration.ofSeconds(1));
    assertThat(spec("set-1").subGroups()).isEmpty();
    assertThat(spec("set-1").required()).isEqualTo(1_112);
    assertThat(waits("set")).isInstanceOf(Reason.TooFewMembers.class);
  }

  @Test
  void aLargeTreeThatNeedsFewPodsWaitsUntilItHasMore() {
    owners.has(
        "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: torch, namespace:"
            + " default, uid: uid-torch}, spec: {elasticPolicy: {minReplicas: 2},"
            + " pytorchReplicaSpecs: {Worker: {replicas: 4000, template: {metadata: {annotations:"
            + " {berth.dev/segment-size: '2'}}}}}}}");
    for (int i = 0; i < 2; i++) {
      world.seen(
          Kind.POD,
          pod(
              "torch-" + i,
              "kubeflow.org/v1 PyTorchJob torch",
              "training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index:"
                  + " '%d'".formatted(i)));
    }
    world.soon();
    workers.turn(Duration.ofSeconds(1));
    assertThat(spec("torch-0").subGroups()).isEmpty();
    assertThat(spec("torch-0").required()).isEqualTo(1);
    assertThat(problem("torch-0").on(""))
        .isEqualTo(
            "number of sub-groups is \"2001\" on PyTorchJob default/torch, but for so"
                + " many it has 63 pods, and there are 2. Lower it.");
  }

  // ---- names

  @Test
  void aConstraintGroupThatIsCalledLikeItsPodGroupIsTold() {
    podGang(
        "podgroups: [{name: a, minReplicas: 1}], topologyConstraintGroupConfigs: [{name: a,"
            + " podGroupNames: [a]}]");
    assertThat(spec("grove-0").subGroups()).hasSize(1);
    assertThat(problem("grove-0").on(""))
        .isEqualTo(
            "sub-group name is \"a\" on PodCliqueSet default/set, but another"
                + " sub-group is called so. Rename one of them.");
    assertThat(assertTimeoutPreemptively(SOON, this::planOfOther))
        .isInstanceOf(Decision.Reserve.class);
  }

  @Test
  void equalNamesOnEveryLevelOfAPodGangAreTold() {
    var groups = new StringBuilder();
    var configs = new StringBuilder();
    for (int level = 0; level < 9; level++) {
      configs.append("{name: l%d, podGroupNames: [l%d]},".formatted(level, level + 1));
      groups.append("{name: l%d, minReplicas: 1},".formatted(level + 1).repeat(9));
    }
    assertTimeoutPreemptively(
        SOON,
        () ->
            podGang(
                "podgroups: [%s], topologyConstraintGroupConfigs: [%s]"
                    .formatted(groups, configs)));
    assertTimeoutPreemptively(SOON, () -> spec("grove-0").required());
    assertThat(problem("grove-0").rule()).contains("another sub-group is called so");
    assertThat(assertTimeoutPreemptively(SOON, this::planOfOther))
        .isInstanceOf(Decision.Reserve.class);
  }

  // ---- memory and time

  @Test
  void anOwnerThatTakesTooMuchMemoryIsTold() {
    owners.has(
        "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: ray, namespace: default, uid:"
            + " uid-ray}, berth.dev/too-large: 3000000}");
    world.seen(Kind.POD, pod("ray-0", "ray.io/v1 RayCluster ray", "ray.io/group: headgroup"));
    world.soon();
    assertThat(waits("ray-0"))
        .isInstanceOfSatisfying(
            Reason.BadRequest.class,
            bad ->
                assertThat(bad.problem().on("pod"))
                    .isEqualTo(
                        "size of RayCluster default/ray is \"3000000\" on pod, but an owner takes"
                            + " 2 MiB of memory at most. Split it."));
    assertThat(planOfOther()).isInstanceOf(Decision.Reserve.class);
  }

  @Test
  void allOthersWaitForOwnersForSomeSecondsAtTheStart() {
    world.seen(Kind.POD, pod("slow-0", "ray.io/v1 RayCluster slow", "ray.io/group: headgroup"));
    assertThat(grouping.isCaughtUp()).isFalse();
    workers.takes(Duration.ofMillis(14_999)); // nothing is read meanwhile
    assertThat(grouping.isCaughtUp()).isFalse();
    workers.takes(Duration.ofMillis(1));
    assertThat(grouping.isCaughtUp()).isTrue();
    assertThat(waits("slow-0")).isInstanceOf(Reason.OwnerUnknown.class);
    assertThat(planOfOther()).isInstanceOf(Decision.Reserve.class);
  }

  // ---- the cluster

  private void podGang(String spec) {
    owners.has(
        "{apiVersion: grove.io/v1alpha1, kind: PodCliqueSet, metadata: {name: set, namespace:"
            + " default, uid: uid-set}, spec: {}}");
    owners.has(
        "{apiVersion: scheduler.grove.io/v1alpha1, kind: PodGang, metadata: {name: g, namespace:"
            + " default, uid: uid-g}, spec: {%s}}".formatted(spec));
    world.seen(
        Kind.POD,
        pod(
            "grove-0",
            "grove.io/v1alpha1 PodCliqueSet set",
            "grove.io/podgang: g, grove.io/podclique: a"));
    world.soon();
  }

  private void jobSet(String name, int replicas, String metadata) {
    owners.has(
        "{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: %s, %s namespace:"
                .formatted(name, metadata)
            + " default, uid: uid-%s}, spec: {replicatedJobs: [{name: w, replicas: %d,"
                .formatted(name, replicas)
            + " template: {spec: {parallelism: 1}}}]}}");
  }

  private void podOf(String set, int index) {
    comes(set, index);
    world.soon();
  }

  private void comes(String set, int index) {
    world.seen(
        Kind.POD,
        pod(
            set + "-" + index,
            "jobset.x-k8s.io/v1alpha2 JobSet " + set,
            "jobset.sigs.k8s.io/replicatedjob-name: w, jobset.sigs.k8s.io/job-index: '%d'"
                .formatted(index)));
  }

  private static String pod(String name, String owner, String labels) {
    String[] words = owner.split(" ");
    return "{metadata: {name: %s, namespace: default, uid: uid-%s, labels: {%s}, ownerReferences:"
            .formatted(name, name, labels)
        + " [{apiVersion: %s, kind: %s, name: %s, uid: uid-%s, controller: true}]}, spec:"
            .formatted(words[0], words[1], words[2], words[2])
        + " {schedulerName: berth, schedulingGates: [{name: berth.dev/queued}], containers: [{name:"
        + " main}]}}";
  }

  private GroupSpec spec(String pod) {
    return ledger.groupOf(new PodUid("uid-" + pod)).orElseThrow().spec();
  }

  private Problem problem(String pod) {
    return spec(pod).problems().getFirst();
  }

  private Plan plan() {
    return new Planner(PlannerSettings.DEFAULT)
        .plan(ledger.snapshot(Instant.parse("2026-01-01T00:01:00Z")));
  }

  private Reason waits(String name) {
    for (Decision each : plan().decisions()) {
      if (each instanceof Decision.Wait wait && wait.group().name().startsWith(name)) {
        return wait.reason();
      }
    }
    throw new AssertionError(name + " does not wait");
  }

  /// What is decided of a pod of another tenant.
  private Decision planOfOther() {
    world.seen(
        Kind.POD,
        "{metadata: {name: other, namespace: other, uid: uid-other}, spec: {schedulerName: berth,"
            + " schedulingGates: [{name: berth.dev/queued}], containers: [{name: main}]}}");
    for (Decision each : plan().decisions()) {
      if (each.group().namespace().equals("other")) {
        return each;
      }
    }
    throw new AssertionError("nothing is decided of it");
  }

  private static final class Owners implements OwnerClient, PodGroupClient {
    private final TreeMap<String, Found> objects = new TreeMap<>();
    private final TreeSet<String> read = new TreeSet<>();

    void has(String yaml) {
      var object = GroupingWorld.tree(yaml);
      if (object.get("metadata") instanceof Map<?, ?> metadata) {
        objects.put(
            object.get("kind") + "/" + metadata.get("name"),
            new Present(object.get("apiVersion").toString(), object));
      }
    }

    @Override
    public Found recall(Wanted wanted) {
      String name = wanted.kind() + "/" + wanted.name();
      return read.contains(name) ? objects.getOrDefault(name, new Missing()) : new Unread();
    }

    @Override
    public Found read(Wanted wanted) {
      read.add(wanted.kind() + "/" + wanted.name());
      return recall(wanted);
    }

    @Override
    public void create(GroupKey key, int minMember, QueueName queue, Owner owner) {}

    @Override
    public void keep(GroupSpec spec, QueueName queue, Owner owner, Edits change)
        throws ClientException {}

    @Override
    public void status(GroupKey key, PodGroupStatus before, PodGroupStatus after) {}

    @Override
    public void delete(GroupKey key, String uid) {}
  }
}
