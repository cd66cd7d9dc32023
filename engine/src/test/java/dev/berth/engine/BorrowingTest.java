package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static java.time.Duration.ofSeconds;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.BorrowingBackoff;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.VolumesOverdue;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.util.Map;
import java.util.Set;
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
  void whoKeptRoomInVainDoesNot() {
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
  void whatNobodyElseAsksForItGets() {
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

  private static Cluster besideOverdueVolumes(Set<String> namespaces, String queue) {
    return contested()
        .waiting("has-its-volume", "borrower", pods(1))
        .waiting("comes", "borrower", pods(1).volumeLacks("data", VolumeLack.TO_COME))
        .overdue(namespaces, Set.of(new QueueName(queue)));
  }

  private static VolumesOverdue overdue(String namespace) {
    return new VolumesOverdue(new QueueName("borrower"), Resource.GPU, 1_000, 1_000, 0, namespace);
  }

  @Test
  void whoHasAVolumeToComeBorrowsNothingWhileOneOfItsQueueIsOverdue() {
    besideOverdueVolumes(Set.of("other"), "borrower")
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .reserves("has-its-volume", 1)
        .waits("comes", overdue(""))
        .andNothingElse();
  }

  @Test
  void norWhileOneOfItsNamespaceIs() {
    besideOverdueVolumes(Set.of("default"), "other")
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .reserves("has-its-volume", 1)
        .waits("comes", overdue("default"))
        .andNothingElse();
  }

  @Test
  void overdueVolumesOfOthersAreNothingToIt() {
    besideOverdueVolumes(Set.of("other"), "other")
        .plan()
        .waits("all", FairShareReached.class)
        .reserves("borrows", 1)
        .reserves("has-its-volume", 1)
        .reserves("comes", 1)
        .andNothingElse();
  }

  @Test
  void besideOverdueVolumesItsQueueGetsWhatItIsOwed() {
    cluster()
        .node("n1", gpus(2))
        .queue("owner", quota(1))
        .queue("borrower", quota(1))
        .waiting("other", "owner", gang(2))
        .waiting("comes", "borrower", pods(1).volumeLacks("data", VolumeLack.TO_COME))
        .overdue(Set.of("default"), Set.of(new QueueName("borrower")))
        .plan()
        .waits("other", FairShareReached.class)
        .reserves("comes", 1)
        .andNothingElse();
  }
}
