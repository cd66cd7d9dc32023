package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.Overdue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.BorrowingBackoff;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.VolumesOverdue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Whose room kube-scheduler kept in vain borrows nothing for a while.
class BorrowingTest {
  private static final Backoff BACKOFF = new Backoff("", 1, "", Cluster.NOW.plusSeconds(10));

  /// The node is free again, but for one pod; the gang of its owner needs all of it.
  private static Cluster contested() {
    return cluster()
        .node("n1", gpus(4))
        .queue("owner", quota(4))
        .queue("borrower", quota(0))
        .running("leaves-later", "owner", pods(1))
        .waiting("all", "owner", gang(4))
        .waiting("borrows", "borrower", pods(1));
  }

  @Test
  void othersBorrowWhatAGangIsOwedAndDoesNotFind() {
    contested().plan().waits("all", FairShareReached.class).reserves("borrows", 1).andNothingElse();
  }

  @Test
  void groupThatKeptRoomInVainDoesNot() {
    contested()
        .borrowsNothing(Map.of("borrows", BACKOFF))
        .plan()
        .waits("all", NoRoom.class)
        .waits(
            "borrows",
            new BorrowingBackoff(new QueueName("borrower"), Resource.GPU, 0, 1_000, 0, BACKOFF))
        .looksAgainAfter(ofSeconds(10))
        .andNothingElse();
  }

  @Test
  void norDoesAQueueFromWhichWasReclaimedForAGroupWhoseRoomOthersTook() {
    var taken = new Backoff("", 1, "others took it", BACKOFF.until());
    contested()
        .reclaimed("borrower", 4, taken)
        .plan()
        .waits("all", NoRoom.class)
        .waits(
            "borrows",
            new BorrowingBackoff(new QueueName("borrower"), Resource.GPU, 0, 1_000, 0, taken))
        .looksAgainAfter(ofSeconds(10))
        .andNothingElse();
    contested()
        .reclaimed("another", 4, taken)
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .andNothingElse();
  }

  /// Else one GPU that others take could idle all that a queue borrows.
  @Test
  void whatIsFreeBesideThatRoomItBorrows() {
    contested().reclaimed("borrower", 2, BACKOFF).plan().reserves("borrows", 1);
    var cluster = contested().reclaimed("borrower", 3, BACKOFF);
    assertThat(cluster.plan().reason("borrows")).isInstanceOf(BorrowingBackoff.class);
    var notCounted = contested().reclaimed("borrower", 0, BACKOFF);
    assertThat(notCounted.plan().reason("borrows")).isInstanceOf(BorrowingBackoff.class);
  }

  @Test
  void itDoesAgainOnceThatIsOver() {
    var over = new Backoff("", 1, "", Cluster.NOW);
    contested()
        .borrowsNothing(Map.of("borrows", over))
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .andNothingElse();
  }

  @Test
  void whatItsQueueIsOwedItGets() {
    cluster()
        .node("n1", gpus(2))
        .queue("owner", quota(1))
        .queue("borrower", quota(1))
        .waiting("other", "owner", gang(2))
        .waiting("kept", "borrower", pods(1))
        .borrowsNothing(Map.of("kept", BACKOFF))
        .plan()
        .waits("other", FairShareReached.class)
        .reserves("kept", 1)
        .andNothingElse();
  }

  @Test
  void whatNoOtherQueueAsksForItGets() {
    cluster()
        .node("n1", gpus(4))
        .queue("owner", quota(4))
        .queue("borrower", quota(0))
        .waiting("borrows", "borrower", pods(1))
        .borrowsNothing(Map.of("borrows", BACKOFF))
        .plan()
        .reserves("borrows", 1)
        .andNothingElse();
  }

  private static Overdue wait(String namespace, String queue, Resource... resources) {
    return new Overdue(namespace, new QueueName(queue), new TreeSet<>(List.of(resources)));
  }

  /// A pod of the queue runs beyond its share.
  private static Cluster besideOverdueVolumes(Overdue wait) {
    return contested()
        .waiting("has-its-volume", "borrower", pods(1).volumeLacks("data", VolumeLack.NONE))
        .waiting("comes", "borrower", pods(1).volumeLacks("data", VolumeLack.TO_COME))
        .overdue(wait);
  }

  private static VolumesOverdue overdue(String namespace) {
    return new VolumesOverdue(new QueueName("borrower"), Resource.GPU, 1_000, 1_000, 0, namespace);
  }

  private static void keepsWhoseVolumeComes(Overdue wait, String namespace) {
    besideOverdueVolumes(wait)
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .reserves("has-its-volume", 1)
        .waits("comes", overdue(namespace))
        .andNothingElse();
  }

  private static void keepsNothing(Overdue wait) {
    besideOverdueVolumes(wait)
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .reserves("has-its-volume", 1)
        .reserves("comes", 1)
        .andNothingElse();
  }

  @Test
  void aVolumeToComeBorrowsNothingWhileOneOfItsQueueIsOverdue() {
    keepsWhoseVolumeComes(wait("other", "borrower", Resource.CPU, Resource.GPU), "");
  }

  @Test
  void norWhileOneOfItsNamespaceIs() {
    keepsWhoseVolumeComes(wait("default", "borrower", Resource.GPU), "default");
  }

  @Test
  void overdueVolumesOfOthersAreNothingToIt() {
    keepsNothing(wait("other", "other", Resource.GPU));
  }

  /// Else pods without GPUs, which nothing else holds back, would keep a shared queue from them.
  @Test
  void norAreThoseOfPodsThatKeepNoGpus() {
    keepsNothing(wait("default", "borrower", Resource.CPU, Resource.MEMORY));
  }

  @Test
  void norAreThoseWithinTheShareOfTheirQueue() {
    keepsNothing(wait("default", "owner", Resource.GPU));
  }

  @Test
  void besideOverdueVolumesItsQueueGetsWhatItIsOwed() {
    cluster()
        .node("n1", gpus(2))
        .queue("owner", quota(1))
        .queue("borrower", quota(1))
        .waiting("other", "owner", gang(2))
        .waiting("comes", "borrower", pods(1).volumeLacks("data", VolumeLack.TO_COME))
        .overdue(wait("default", "borrower", Resource.GPU))
        .plan()
        .waits("other", FairShareReached.class)
        .reserves("comes", 1)
        .andNothingElse();
  }
}
