package dev.berth.engine.action;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.PodSketch;
import dev.berth.engine.QueueSketch;
import dev.berth.engine.explain.NearGroups;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which groups get places, as a whole, and in which order.
class AllocateTest {
  @Test
  void aGangStartsWhole() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(8))
        .waiting("train", "default", gang(12))
        .plan()
        .reserves("train", 12, 0)
        .andNothingElse();
  }

  @Test
  void aGangThatDoesNotFitWholeTakesNothing() {
    cluster()
        .node("n1", gpus(8))
        .waiting("big", "default", gang(9).minutesOld(90))
        .waiting("small", "default", gang(8).minutesOld(5))
        .plan()
        .waits(
            "big",
            new NeverFits(
                new NoRoom(9, 8, 1, List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 1))),
                8))
        .reserves("small", 8)
        .andNothingElse();
  }

  /// Others come in the stead of those that completed.
  @Test
  void aGangThatHasCompletedMembersDoesNotStartInPart() {
    cluster()
        .node("n1", gpus(8))
        .completedInPart("waves", "default", 4, gang(7).atLeast(4).completing(8, 0))
        .completedInPart("counts", "default", 1, gang(4))
        .plan()
        .waits("waves", new Reason.TooFewMembers("", 3, 4, 0, List.of(), job("waves")))
        .reserves("counts", 3)
        .andNothingElse();
  }

  /// In their own order the small ones, which go where least is left, take what the large one
  /// needs.
  @Test
  void aGangOfDifferentMembersIsTriedWithTheLargestFirst() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(4))
        .waiting("train", "default", gangOf(2, 3, 4, 3))
        .plan()
        .reserves("train", "n1", "n1", "n2", "n1")
        .andNothingElse();
  }

  /// The small part goes where a device is free now, which is where the large one has to go.
  @Test
  void partsOfAGangAreTriedWithTheLargestFirst() {
    cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .running("other", "default", gang(1).on("n1"))
        .leaving("old", "default", gang(1).on("n1"))
        .leaving("older", "default", gang(1).on("n2"))
        .waiting("train", "default", gangOf(1, 2).role("a", "", 1, 1).role("b", "", 1, 1))
        .plan()
        .reserves("train", "n1", "n2")
        .andNothingElse();
  }

  @Test
  void surplusStartsOneByOneAsFarAsItFits() {
    cluster()
        .node("n1", gpus(8))
        .waiting("elastic", "default", pods(12).atLeast(4))
        .plan()
        .reserves("elastic", 4, 4)
        .andNothingElse();
  }

  @Test
  void minimumsComeBeforeSurplusOfTheSamePriority() {
    cluster()
        .node("n1", gpus(8))
        .waiting("elastic", "default", pods(8).atLeast(4).minutesOld(90))
        .waiting("train", "default", gang(4).minutesOld(5))
        .plan()
        .reserves("elastic", 4, 0)
        .reserves("train", 4)
        .andNothingElse();
  }

  @Test
  void higherPriorityComesFirstThenOlder() {
    cluster()
        .node("n1", gpus(2))
        .waiting("old", "default", gang(1).minutesOld(90))
        .waiting("young", "default", gang(1).minutesOld(5))
        .waiting("urgent", "default", gang(1).minutesOld(1).priority(70))
        .plan()
        .reserves("urgent", 1)
        .reserves("old", 1)
        .waits("young", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void membersThatRunCountTowardsTheMinimum() {
    cluster()
        .node("n1", gpus(4))
        .partly("train", "default", 3, gang(4))
        .plan()
        .reserves("train", "n1")
        .andNothingElse();
  }

  @Test
  void aGroupWithTooFewPodsIsNotTried() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(3).atLeast(4))
        .plan()
        .waits("train", new Reason.TooFewMembers("", 3, 4, 0, List.of(), job("train")))
        .andNothingElse();
  }

  /// Else others might leave for pods that kube-scheduler refuses.
  @Test
  void membersWhoseVolumeAnotherPodUsesDoNotCount() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(2))
        .sharesOnePodClaim("train", 1, "data")
        .waiting("elastic", "default", gang(3).atLeast(2))
        .sharesOnePodClaim("elastic", 1, "data")
        .partly("more", "default", 1, gang(2).atLeast(1))
        .sharesOnePodClaim("more", 1, "data")
        .plan()
        .waits("train", anotherPodUsesData("train-100001"))
        .reserves("elastic", "n1", "n1")
        .waits("more", anotherPodUsesData("more-100001"))
        .andNothingElse();
  }

  private static Reason anotherPodUsesData(String pod) {
    return new Reason.VolumeNotReady(
        new PodKey("default", pod),
        new Pod.VolumeRef("data", false).known("disks", VolumeLack.OTHER_POD));
  }

  private static Reason.Creator job(String name) {
    return new Reason.Creator("default", "job", name);
  }

  @Test
  void membersWithForeignGatesDoNotCountYet() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(4).gate("example.com/quota"))
        .plan()
        .waits(
            "train",
            new Reason.TooFewMembers("", 0, 4, 4, List.of("example.com/quota"), job("train")))
        .andNothingElse();
  }

  @Test
  void anUngatedPodOnItsOwnIsLeftToTheExtender() {
    cluster()
        .node("n1", gpus(8))
        .waiting("loose", "default", pod().ungated())
        .waiting("gated", "default", pod())
        .plan()
        .reserves("gated", 1)
        .andNothingElse();
  }

  @Test
  void aGroupMayBePlannedOntoRoomThatIsBeingLeft() {
    cluster()
        .node("n1", gpus(4))
        .leaving("gone", "default", pods(4))
        .waiting("train", "default", gang(4))
        .plan()
        .reserves("train", "n1", "n1", "n1", "n1")
        .andNothingElse();
  }

  @Test
  void roomThatIsBeingLeftIsPromisedOnce() {
    cluster()
        .node("n1", gpus(4))
        .leaving("gone", "default", pods(4))
        .planned("heir", "default", gang(2))
        .waiting("train", "default", gang(2).minutesOld(90))
        .waiting("late", "default", gang(1))
        .plan()
        .reserves("train", 2)
        .waits("late", NoRoom.class)
        .andNothingElse();
  }

  // ---- queues

  @Test
  void noLevelOfTheTreeIsPassedItsLimit() {
    cluster()
        .node("n1", gpus(8))
        .queue("ml", quota(8).limit(5))
        .queue("vision", quota(8).below("ml"))
        .queue("speech", quota(8).below("ml"))
        .running("there", "speech", pods(2))
        .waiting("train", "vision", gang(4))
        .plan()
        .waits("train", new Reason.OverLimit(new QueueName("ml"), Resource.GPU, 2000, 4000, 5000))
        .andNothingElse();
  }

  @Test
  void sharesCountAgainstLimitsAsShares() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(8).limit(1))
        .waiting("train", "vision", pods(4).share(300))
        .plan()
        .reserves("train", 1, 2)
        .andNothingElse();
  }

  @Test
  void aShareOfMemoryIsJudgedByTheNodeItIsTriedOn() {
    cluster()
        .node("n1", gpus(1).deviceMemory(10_000))
        .node("n2", gpus(1).deviceMemory(40_000))
        .queue("vision", quota(8).limit(0.3))
        .waiting("notebook", "vision", gang(1).memory(10_000))
        .plan()
        .reserves("notebook", "n2:0")
        .andNothingElse();
  }

  @Test
  void quotaOfOneModelIsJudgedByTheNodeItIsTriedOn() {
    cluster()
        .node("n1", gpus(8).model("H100"))
        .node("n2", gpus(8).model("A100"))
        .queue("vision", quota(8).limit(Resource.gpuOfModel("H100"), 1000))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", "n1", "n2", "n2", "n2")
        .andNothingElse();
  }

  @Test
  void nonPreemptibleWorkLivesWithinQuota() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(2))
        .waiting("fixed", "vision", gang(3).nonPreemptible())
        .waiting("loose", "vision", gang(3))
        .plan()
        .waits(
            "fixed",
            new Reason.NonPreemptibleOverQuota(
                new QueueName("vision"), Resource.GPU, 0, 3000, 2000))
        .reserves("loose", 3)
        .andNothingElse();
  }

  /// `quota: {gpu: 0}` alone is a quota; a queue without a word on quotas has none to live within.
  @Test
  void aQuotaOfZeroIsAQuota() {
    var h100 = Resource.gpuOfModel("H100");
    cluster()
        .node("n1", gpus(8).model("H100"))
        .queue("nothing", QueueSketch.anything().quota(Resource.GPU, 0))
        .queue("silent", QueueSketch.anything())
        .queue("old", quota(8).quota(h100, 0))
        .waiting("fixed", "nothing", gang(1).nonPreemptible())
        .waiting("loose", "nothing", gang(1))
        .waiting("free", "silent", gang(1).nonPreemptible())
        .waiting("model", "old", gang(1).nonPreemptible())
        .plan()
        .waits(
            "fixed",
            new Reason.NonPreemptibleOverQuota(
                new QueueName("nothing"),
                Resource.GPU,
                0,
                1000,
                0,
                List.of(
                    new Reason.ExceededResource(Resource.CPU, 0, 1000, 0),
                    new Reason.ExceededResource(Resource.MEMORY, 0, 1L << 30, 0))))
        .waits("model", new Reason.NonPreemptibleOverQuota(new QueueName("old"), h100, 0, 1000, 0))
        .reserves("loose", 1)
        .reserves("free", 1)
        .andNothingElse();
  }

  @Test
  void withoutAnyQueueObjectTheDefaultQueueHasNoLimits() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(4).nonPreemptible())
        .waiting("lost", "research", gang(1))
        .plan()
        .reserves("train", 4)
        .waits("lost", new Reason.NoSuchQueue(new QueueName("research")))
        .andNothingElse();
  }

  @Test
  void onlyALeafWithASoundLineOfAncestorsTakesWork() {
    cluster()
        .node("n1", gpus(8))
        .queue("ml", anything())
        .queue("vision", anything().below("ml"))
        .queue("orphan", anything().below("gone"))
        .queue("a", anything().below("b"))
        .queue("b", anything().below("a"))
        .queue("c", anything().below("a"))
        .waiting("inner", "ml", gang(1))
        .waiting("leaf", "vision", gang(1))
        .waiting("lost", "orphan", gang(1))
        .waiting("round", "c", gang(1))
        .plan()
        .waits("inner", new Reason.NotALeaf(new QueueName("ml"), new QueueName("vision")))
        .reserves("leaf", 1)
        .waits(
            "lost", new Reason.BrokenQueue(new QueueName("orphan"), new QueueName("gone"), false))
        .waits("round", new Reason.BrokenQueue(new QueueName("c"), new QueueName("a"), true))
        .andNothingElse();
  }

  // ---- what is invalid

  @Test
  void aPodThatNamesAGroupWithoutObjectWaits() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(2).withoutObject())
        .plan()
        .waits("train", new Reason.NoSuchGroup(new GroupKey("default", "train")))
        .andNothingElse();
  }

  /// Of its namespace; a pod without a PodGroup is a group, too, and none that could be meant.
  @Test
  void aPodThatMisspellsItsGroupIsToldTheNearOne() {
    var snapshot =
        cluster()
            .node("n1", gpus(8))
            .running("training", "default", gang(1))
            .waiting("trainign", "default", gang(2).withoutObject())
            .waiting("trainigh", "default", gang(2).withoutObject())
            .snapshot();
    assertThat(
            Sentences.of(
                NearGroups.told(new Reason.NoSuchGroup(Cluster.key("trainign")), snapshot)))
        .isEqualTo(
            "Waits: there is no PodGroup default/trainign (did you mean training?). Helps: name"
                + " PodGroup training, or create a PodGroup default/trainign.");
    var elsewhere = new GroupKey("other", "trainign");
    assertThat(NearGroups.told(new Reason.NoSuchGroup(elsewhere), snapshot))
        .isEqualTo(new Reason.NoSuchGroup(elsewhere));
  }

  @Test
  void aPodThatCannotBeMeantHoldsItsGroupBack() {
    cluster()
        .node("n1", gpus(8))
        .waiting("train", "default", gang(2).problem("gpu-fraction", "1.5", "less than 1"))
        .plan()
        .waits("train", Reason.BadRequest.class)
        .andNothingElse();
  }

  // ---- trees

  private static PodSketch prefillAndDecode() {
    return gang(6).role("prefill", "", 2, 2).role("decode", "", 4, 4);
  }

  private static PodSketch twoOfThreeReplicas() {
    return gang(6)
        .atLeastSubGroups(2)
        .role("r0", "", 2, 2)
        .role("r1", "", 2, 2)
        .role("r2", "", 2, 2);
  }

  @Test
  void everyRoleOfATreeStartsWithItsMinimumOrNone() {
    cluster()
        .node("n1", gpus(8))
        .waiting("serve", "default", prefillAndDecode())
        .waiting("too-large", "default", prefillAndDecode().minutesOld(5))
        .plan()
        .reserves("serve", 6, 0)
        .waits("too-large", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void enoughChildrenAreEnough() {
    cluster()
        .node("n1", gpus(5))
        .waiting("replicas", "default", twoOfThreeReplicas())
        .plan()
        .reserves("replicas", 4, 0)
        .andNothingElse();
  }

  @Test
  void aWholeChildMoreIsOneStepOfASatisfiedTree() {
    cluster()
        .node("n1", gpus(6))
        .waiting("replicas", "default", twoOfThreeReplicas())
        .plan()
        .reserves("replicas", 6, 0)
        .andNothingElse();
  }

  @Test
  void aPodOfAnUnknownRoleHoldsItsGroupBack() {
    cluster()
        .node("n1", gpus(8))
        .waiting("serve", "default", gang(3).role("prefill", "", 2, 2))
        .plan()
        .waits(
            "serve",
            new Reason.NoSuchSubGroup(
                new PodKey("default", "serve-100002"), "", List.of("prefill"), ""))
        .andNothingElse();
  }

  // ---- where

  @Test
  void podsWithoutDevicesStayAwayFromDevices() {
    cluster()
        .node("a-gpu", gpus(8))
        .node("b-cpu", noGpus())
        .waiting("web", "default", gang(1).noGpu())
        .plan()
        .reserves("web", "b-cpu")
        .andNothingElse();
  }

  @Test
  void theFullestNodeThatFitsIsTaken() {
    cluster()
        .node("n1", gpus(8))
        .node("n2", gpus(8))
        .node("n3", gpus(8))
        .running("there", "default", pods(3).on("n2"))
        .running("more", "default", pods(6).on("n3"))
        .waiting("train", "default", gang(4).gpus(1))
        .plan()
        .reserves("train", "n2", "n2", "n3", "n3")
        .andNothingElse();
  }

  @Test
  void roomThatIsFreeNowComesBeforeRoomThatIsBeingLeft() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(8))
        .leaving("gone", "default", pods(4).on("n1"))
        .waiting("train", "default", gang(1))
        .plan()
        .reserves("train", "n2")
        .andNothingElse();
  }
}
