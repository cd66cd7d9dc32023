package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;

import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import org.junit.jupiter.api.Test;

/// Which of several pods is charged for the GPUs of a claim that they share, so that none starts by
/// what another pays and keeps the claim when that one has left.
class ClaimPayersTest {
  private static final String GPU = "gpu.nvidia.com";

  /// A claim that says it is of queue b, and that has all GPUs of a node.
  private static Cluster twoNodes() {
    return cluster()
        .queue("a", quota(4))
        .queue("b", quota(4).limit(4))
        .node("n1", noGpus())
        .node("n2", noGpus())
        .devices("n1", GPU, 4)
        .devices("n2", GPU, 4)
        .claimOn("n1", "c", "b", GPU, 4);
  }

  private static PodSketch user() {
    return pod().noGpu().claims("c");
  }

  private static Reason chargedToA(String user) {
    return new Reason.ClaimOfOtherQueue(
        new ClaimKey("default", "c"),
        new QueueName("a"),
        new QueueName("b"),
        new PodKey("default", user));
  }

  @Test
  void aClaimThatIsUsedStaysInTheQueueOfItsUsers() {
    twoNodes()
        .running("pays", "a", user())
        .waiting("rides", "b", user())
        .plan()
        .waits("rides", chargedToA("pays"))
        .andNothingElse();
  }

  @Test
  void theLabelSaysNothingAsLongAsPodsUseTheClaim() {
    twoNodes()
        .running("pays", "b", user())
        .claimOn("n2", "relabelled", "a", GPU, 4)
        .running("other", "b", pod().noGpu().claims("relabelled"))
        .waiting("rides", "b", user())
        .plan()
        .reserves("rides", "n1")
        .andNothingElse();
  }

  /// One by a template, the other by the name of the claim that was made from it.
  @Test
  void twoThatWaitDoNotStartWithOneClaimInTwoQueues() {
    cluster()
        .queue("a", quota(4))
        .queue("b", quota(4))
        .node("n1", noGpus())
        .devices("n1", GPU, 4)
        .waiting("first", "a", pod().noGpu().claimsEach(GPU, 1).minutesOld(9))
        .waiting("second", "b", pod().noGpu().claims("first-own").minutesOld(8))
        .claimQueue("first-own", "b")
        .plan()
        .reserves("first", "n1")
        .waits("second", Reason.NothingToTakeBack.class)
        .andNothingElse();
  }

  @Test
  void aPodThatIsNotPreemptibleIsChargedBesideOneThatIs() {
    twoNodes()
        .queue("b", quota(2))
        .running("pays", "b", user())
        .waiting("stays", "b", user().nonPreemptible())
        .plan()
        .waits(
            "stays",
            new Reason.NonPreemptibleOverQuota(new QueueName("b"), Resource.GPU, 0, 4000, 2000))
        .andNothingElse();
  }

  @Test
  void aGroupOfWhichAMinimumStaysIsChargedByItself() {
    twoNodes()
        .queue("b", quota(2))
        .running("pays", "b", user())
        .waiting("stays", "b", user().semiPreemptible())
        .plan()
        .waits("stays", Reason.NonPreemptibleOverQuota.class)
        .andNothingElse();
  }

  @Test
  void othersRideWithOneThatIsNotPreemptible() {
    twoNodes()
        .running("pays", "b", user().nonPreemptible())
        .waiting("leaves", "b", user())
        .waiting("stays", "b", user().nonPreemptible())
        .plan()
        .reserves("leaves", "n1")
        .reserves("stays", "n1")
        .andNothingElse();
  }

  /// Whichever of them came first.
  @Test
  void aClaimIsChargedOnceWhereOneOfItsUsersIsNotPreemptible() {
    twoNodes()
        .queue("b", quota(8).limit(8))
        .running("leaves", "b", user())
        .running("stays", "b", user().nonPreemptible())
        .waiting("more", "b", pod().noGpu().claimsEach(GPU, 4))
        .plan()
        .reserves("more", "n2")
        .andNothingElse();
  }
}
