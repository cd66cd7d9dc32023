package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.VolumeClaims;
import dev.berth.simulator.world.World;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A queue borrows all GPUs with pods whose volumes are never provisioned: kube-scheduler waits for
/// each for a minute, and Berth evicts no pod that is not bound. How long that keeps the room from
/// a queue that is owed it.
class AwaitedVolumesTest {
  private static final Duration BIND_TIMEOUT = Duration.ofSeconds(60);
  private static final int NODES = 8;

  private final VirtualCluster cluster = new VirtualCluster();
  private final VirtualTime time = cluster.time;
  private final World world = cluster.world;

  private int borrowers;
  private int turn;

  @BeforeEach
  void theClusterIsBorrowed() throws Exception {
    for (int i = 0; i < NODES; i++) {
      cluster.put(
          Kind.NODE,
          ("{metadata: {name: n%d}, status: {allocatable: {cpu: '8', memory: 8Gi, pods: '9',"
                  + " nvidia.com/gpu: '2'}, conditions: [{type: Ready, status: 'True'}]}}")
              .formatted(i));
    }
    cluster.put(Kind.QUEUE, "{metadata: {name: owner}, spec: {quota: {gpu: 16}}}");
    cluster.put(Kind.QUEUE, "{metadata: {name: borrower}, spec: {quota: {gpu: 0}}}");
    cluster.put(
        Kind.STORAGE_CLASS,
        "{metadata: {name: slow}, provisioner: example.com/none, volumeBindingMode:"
            + " WaitForFirstConsumer}");
    cluster.start(SchedulerSettings.BERTH.waitingForVolumes(BIND_TIMEOUT));
  }

  @Test
  void podsOfItsOwnerStartOnceKubeSchedulerHasWaited() throws Exception {
    borrow();
    own(false);
    assertThat(startAfter(() -> {})).isLessThan(BIND_TIMEOUT);
  }

  @Test
  void theyStartAsSoonAsTheBorrowerHasItWaitAnew() throws Exception {
    borrow();
    own(false);
    time.runFor(Duration.ofSeconds(10));
    deselectAll();
    assertThat(startAfter(() -> {})).isLessThan(Duration.ofSeconds(5));
  }

  /// It needs all GPUs at once; kube-scheduler lets go of one pod after the other.
  @Test
  void aGangOfItsOwnerStartsOnceKubeSchedulerHasWaited() throws Exception {
    borrow();
    own(true);
    assertThat(startAfter(() -> {})).isLessThan(BIND_TIMEOUT);
  }

  @Test
  void aGangStartsThoughTheBorrowerHasItWaitAnewAgainAndAgain() throws Exception {
    borrow();
    own(true);
    assertThat(startAfter(this::deselectOne)).isLessThan(Duration.ofSeconds(75));
  }

  @Test
  void aGangStartsThoughTheBorrowerMakesNewPodsAgainAndAgain() throws Exception {
    borrow();
    own(true);
    assertThat(startAfter(this::replaceOne)).isLessThan(Duration.ofSeconds(75));
  }

  /// One pod keeps the last node of the gang, and the next is there before its wait ends.
  @Test
  void aGangStartsThoughPodsOfTheBorrowerComeOneAfterTheOther() throws Exception {
    borrowOne();
    time.runFor(Duration.ofSeconds(20));
    own(true);
    turn = 4;
    assertThat(startAfter(() -> borrowEvery(9))).isLessThan(Duration.ofSeconds(75));
  }

  /// Each goes before it is overdue.
  @Test
  void aGangStartsThoughPodsOfTheBorrowerRelieveEachOther() throws Exception {
    borrowOne();
    own(true);
    assertThat(startAfter(this::relieve)).isLessThan(Duration.ofSeconds(150));
  }

  private void relieve() {
    turn++;
    if (turn % 2 == 0) { // every 10 s
      borrowOne();
    } else if (borrowers > 1) {
      world.delete(VirtualCluster.pod("borrows-" + (borrowers - 2)));
    }
  }

  private void borrowEvery(int turns) {
    if (turn++ % turns == 0) {
      borrowOne();
    }
  }

  private void borrow() throws Exception {
    for (int i = 0; i < NODES; i++) {
      borrowOne();
    }
    time.runFor(Duration.ofSeconds(20));
  }

  private void borrowOne() {
    cluster.put(
        Kind.VOLUME_CLAIM,
        "{metadata: {namespace: default, name: claim-%d}, spec: {storageClassName: slow}}"
            .formatted(borrowers));
    String volume = "{name: data, persistentVolumeClaim: {claimName: claim-" + borrowers + "}}";
    pod("borrows-" + borrowers++, "borrower", "", "volumes: [" + volume + "], ");
  }

  private void own(boolean isGang) {
    if (isGang) {
      cluster.put(
          Kind.POD_GROUP,
          "{metadata: {namespace: default, name: g}, spec: {minMember: %d, queue: owner}}"
              .formatted(NODES));
    }
    for (int i = 0; i < NODES; i++) {
      pod("owned-" + i, "owner", isGang ? ", berth.dev/pod-group: g" : "", "");
    }
  }

  /// How long it takes until all pods of the owner run, while something is done every 5 s.
  private Duration startAfter(Runnable attack) {
    var begin = time.instant();
    var end = begin.plus(Duration.ofMinutes(10));
    while (!isOwnersAll() && time.instant().isBefore(end)) {
      attack.run();
      time.runUntil(this::isOwnersAll, Duration.ofSeconds(5));
    }
    return Duration.between(begin, time.instant());
  }

  private boolean isOwnersAll() {
    for (int i = 0; i < NODES; i++) {
      if (!cluster.isBound("owned-" + i)) {
        return false;
      }
    }
    return true;
  }

  private void deselectAll() {
    for (int i = 0; i < borrowers; i++) {
      deselect(i);
    }
  }

  /// Each in turn.
  private void deselectOne() {
    deselect(turn++ % borrowers);
  }

  private void deselect(int claim) {
    world.patch(
        new ObjectRef(Kind.VOLUME_CLAIM, "default", "claim-" + claim),
        ObjectTree.of(
            "metadata",
            ObjectTree.of(
                "annotations", ObjectTree.of(VolumeClaims.SELECTED_NODE, ObjectTree.ABSENT))));
  }

  /// The oldest goes.
  private void replaceOne() {
    world.delete(VirtualCluster.pod("borrows-" + turn++));
    borrowOne();
  }

  private void pod(String name, String queue, String labels, String volumes) {
    cluster.put(
        Kind.POD,
        ("{metadata: {namespace: default, name: %s, uid: %s-uid, labels: {berth.dev/queue: %s%s}},"
                + " spec: {schedulerName: berth, %sschedulingGates: [{name: berth.dev/queued}],"
                + " containers: [{name: main, resources: {limits: {nvidia.com/gpu: 2}}}]}, status:"
                + " {phase: Pending}}")
            .formatted(name, name, queue, labels, volumes));
  }
}
