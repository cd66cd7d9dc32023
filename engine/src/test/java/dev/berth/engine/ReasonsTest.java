package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.Expectations.byTaking;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static dev.berth.engine.model.Decision.Cause.RECLAIM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NoSuchQueue;
import dev.berth.engine.model.Reason.NothingToTakeBack;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Reason.PreemptionDelayed;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Reason.TooFewMembers;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Why a group waits, with the numbers, and which groups are ahead of it.
class ReasonsTest {
  /// No pod need leave where a closed node would take all that lack a place.
  @Test
  void aNodeThatIsClosedForOneThingAloneIsTold() {
    var world =
        cluster()
            .node("n1", gpus(4))
            .node("n2", gpus(4).cordoned())
            .node("n3", gpus(4).taint("dedicated", "vision", "NoSchedule"))
            .node("n4", gpus(4).cordoned())
            .running("low", "default", gang(1).gpus(2).on("n1"))
            .running("on-n4", "default", gang(1).gpus(4).on("n4"));
    assertThat(world.waiting("one", "default", gang(1).gpus(4)).plan().tells("one"))
        .endsWith(
            "of 4 nodes 2 cordoned, 1 tainted (dedicated=vision:NoSchedule), 1 without enough free"
                + " GPUs (nvidia.com/gpu). Helps: 2 GPUs released on a node with 2 free, or nodes"
                + " uncordoned, or a toleration of dedicated=vision:NoSchedule, or nodes without"
                + " that taint, or more nodes.");
  }

  @Test
  void aGangIsToldOfClosedNodesThatTakeAllThatLackAPlace() {
    var world =
        cluster()
            .node("n1", gpus(4))
            .node("n2", gpus(4).cordoned())
            .running("low", "default", gang(1).gpus(2).on("n1"));
    assertThat(world.waiting("three", "default", gang(3).gpus(2)).plan().tells("three"))
        .endsWith("or nodes uncordoned, a minimum smaller by 2, or more nodes.");
  }

  @Test
  void aGangThatNeedsAClosedNodeIsToldWhatOpensIt() {
    var world =
        cluster()
            .node("n1", gpus(4))
            .node("n2", gpus(4).taint("dedicated", "vision", "NoSchedule"))
            .node("n3", gpus(4).taint("others", "yes", "NoSchedule").taint("x", "y", "NoSchedule"));
    assertThat(world.waiting("two", "default", gang(2).gpus(4)).plan().tells("two"))
        .endsWith(
            "Helps: a minimum smaller by 1, pods that ask for less, a toleration of"
                + " dedicated=vision:NoSchedule, or nodes without that taint, or more nodes.");
  }

  /// No eviction would help, so no pod is asked to leave, and no message advises to wait for
  /// devices.
  @Test
  void aGangThatAllNodesTogetherCannotHoldIsToldSo() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .node("cpu", gpus(0))
        .running("low", "default", gang(2).priority(40))
        .waiting("wide", "default", gang(4).gpus(2))
        .waiting("shares", "default", gang(19).share(400).minutesOld(5))
        .plan()
        .waits("wide", NeverFits.class)
        .waits("shares", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void aGangThatWouldFitIfOthersLeftIsNotToldThatItNeverFits() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(2))
        .running("fixed", "default", gang(2).nonPreemptible())
        .waiting("wide", "default", gang(3).gpus(2))
        .plan()
        .waits("wide", NoRoom.class)
        .andNothingElse();
  }

  /// The first member is too large for every node; the next ones would do as the minimum.
  @Test
  void whereOtherMembersMayDoNothingIsToldNeverToFit() {
    cluster()
        .node("n1", gpus(4))
        .node("n2", gpus(4))
        .waiting("mixed", "default", gangOf(8, 1, 1).atLeast(2))
        .waiting("large", "default", gangOf(8, 1).atLeast(2))
        .plan()
        .waits("mixed", NoRoom.class)
        .waits("large", NeverFits.class)
        .andNothingElse();
  }

  /// What leaves, and what a smaller minimum would ask for, is not what the gang waits for.
  @Test
  void aMemberThatNoNodeTakesIsToldBeforeThoseThatFindNoRoomNow() {
    cluster()
        .node("n1", gpus(4).label("zone", "a"))
        .running("fixed", "default", gang(4).nonPreemptible())
        .waiting("disk", "default", gang(3).lastsVolumeIn("zone", "b"))
        .waiting("large", "default", gangOf(1, 8))
        .plan()
        .waits(
            "disk",
            new NoRoom(
                3,
                0,
                1,
                List.of(
                    new Shortfall(Obstacle.VOLUME, "zone in b", 1)
                        .besides(List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 1))))))
        .waits("large", NeverFits.class)
        .andNothingElse();
  }

  private static String asking(String resource) {
    return cluster()
        .node("n1", gpus(4).with(new Resource("nvidia.com/mig-1g.5gb"), 4))
        .node("n2", gpus(4).cordoned())
        .waiting(
            "pod", "default", gang(1).noGpu().asks(new Resource(resource), 1).selects("a", "b"))
        .plan()
        .tells("pod");
  }

  /// Nothing of it can be released. A node group that has no nodes now may offer it.
  @Test
  void aResourceThatNoNodeOffersIsToldWithTheNearestName() {
    var helps = ". Helps: a new pod with another resource name, or nodes that offer it.";
    assertThat(asking("nvidia.com/gpus"))
        .isEqualTo(
            "Waits: no node fits the pod; no node offers nvidia.com/gpus"
                + " (did you mean nvidia.com/gpu?)"
                + helps);
    assertThat(asking("nvidia.com/mig-1g.10gb"))
        .contains("mig-1g.10gb (did you mean nvidia.com/mig-1g.5gb?)" + helps);
    assertThat(asking("nvdia.com/gpu")).contains("(did you mean nvidia.com/gpu?)");
    assertThat(asking("nvidia.com/nic")).contains("no node offers nvidia.com/nic" + helps);
    assertThat(asking("amd.com/gpu")).contains("no node offers amd.com/gpu" + helps);
  }

  @Test
  void nodesWithoutGpusAreToldApartFromThoseWhoseGpusAreTaken() {
    assertThat(
            cluster()
                .node("n1", gpus(1))
                .node("cpu", gpus(0))
                .running("fixed", "default", gang(1).nonPreemptible())
                .waiting("pod", "default", gang(1))
                .plan()
                .tells("pod"))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 1 GPU (none is free); of 2 nodes 1 without"
                + " nvidia.com/gpu, 1 without enough free GPUs (nvidia.com/gpu). Helps: 1 GPU"
                + " released, or more nodes.");
  }

  /// Its device plugin may have stopped: the name is right.
  @Test
  void aDevicePluginThatIsGoneIsToldBeforeAResourceThatNoNodeOffers() {
    cluster()
        .node("n1", gpus(4).withoutPlugin())
        .waiting("pod", "default", gang(1))
        .plan()
        .waitsFor("pod", Obstacle.DEVICE_PLUGIN);
  }

  /// Else pods of namespaces that these exclude start by naming none.
  @Test
  void theDefaultQueueMustExistWhereOthersSayWhosePodsTheyTake() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(4).namespacesWith("gpus", "shared"))
        .running("runs", "default", gang(1))
        .waiting("train", "default", gang(1).nonPreemptible())
        .plan()
        .waits("train", new NoSuchQueue(new QueueName("default")))
        .andNothingElse();
  }

  @Test
  void theDefaultQueueNeedNotExistWhereTheOthersTakeThePodsOfAll() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(4))
        .waiting("train", "default", gang(1))
        .plan()
        .reserves("train", "n1")
        .andNothingElse();
  }

  /// What runs there was there first, and is on what others are owed.
  @Test
  void whatRunsInADefaultQueueWithoutAnObjectIsTakenBack() {
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(4))
        .running("runs", "default", gang(4))
        .waiting("train", "vision", gang(4))
        .plan()
        .reserves("train", 4, byTaking(RECLAIM, "runs", "runs", "runs", "runs"))
        .andNothingElse();
  }

  @Test
  void aQueueThatIsMisspeltIsToldTheNearOne() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(8))
        .waiting("train", "vison", gang(1))
        .waiting("eval", "speech", gang(1))
        .plan()
        .waits("train", new NoSuchQueue(new QueueName("vison"), new QueueName("vision")))
        .waits("eval", new NoSuchQueue(new QueueName("speech")))
        .andNothingElse();
  }

  @Test
  void allResourcesThatAreOverAQuotaAreTold() {
    var small =
        quota(1)
            .quota(Resource.CPU, 2_000)
            .quota(Resource.MEMORY, 1L << 30)
            .limit(Resource.CPU, 9_000);
    var fixed =
        gang(1).gpus(2).asks(Resource.CPU, 4_000).asks(Resource.MEMORY, 1L << 29).nonPreemptible();
    assertThat(
            cluster()
                .node("n1", gpus(8))
                .queue("vision", small)
                .waiting("fixed", "vision", fixed)
                .plan()
                .tells("fixed"))
        .contains("asks for 2 GPUs and 4 cores (cpu), more than the quota of queue vision")
        .contains("a quota of 2 GPUs and 4 cores (cpu) in vision");
  }

  /// A higher limit would not help.
  @Test
  void whatNoNodeEverHoldsIsToldBeforeALimit() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .queue("vision", quota(2).limit(3))
                .waiting("huge", "vision", gang(1).gpus(8))
                .plan()
                .tells("huge"))
        .isEqualTo(
            "Waits: no node fits the pod; of 1 node 1 too small (it has 4 GPUs, and 8 are asked"
                + " for); no node is large enough, even if it is empty; besides, this group asks"
                + " for 8 and queue vision never has more than its limit of 3 GPUs. Helps: a new"
                + " pod that asks for less; or larger nodes, together with a limit of 8 GPUs or"
                + " more in vision.");
    cluster()
        .node("n1", gpus(4))
        .queue("vision", quota(2).limit(3))
        .waiting("large", "vision", gang(1).gpus(4))
        .waiting("wide", "vision", gang(4))
        .plan()
        .waits("large", OverLimit.class)
        .waits("wide", OverLimit.class)
        .andNothingElse();
  }

  private static NoRoom noRoom(int members) {
    return new NoRoom(members, 0, 1, List.of(new Shortfall(Obstacle.DEVICES, "nvidia.com/gpu", 1)));
  }

  /// Where others have what they are owed, or may not be evicted, a larger quota takes nothing.
  @Test
  void aLargerQuotaIsToldWhereItLetsTheQueueTakeRoom() {
    var borrowed =
        cluster().node("n1", gpus(4)).queue("a", quota(1).weight(0)).queue("b", quota(1));
    assertThat(
            borrowed
                .running("ours", "a", gang(1))
                .running("theirs", "b", pods(3))
                .waiting("more", "a", gang(2))
                .plan()
                .tells("more"))
        .endsWith("or more nodes, or a quota of 3 GPUs in a.");
    var fixed = cluster().node("n1", gpus(4)).queue("a", quota(1).weight(0)).queue("b", quota(1));
    assertThat(
            fixed
                .running("ours", "a", gang(1))
                .running("theirs", "b", pods(2).nonPreemptible())
                .running("lent", "b", pods(1))
                .waiting("more", "a", gang(2))
                .plan()
                .tells("more"))
        .contains("queue a has 1 of its fair share of 1 GPU")
        .endsWith("GPUs released, or more nodes.");
  }

  /// It is asked anew in each round: with a thousand queues and 2,000 such groups that took 19 s.
  @Test
  void whetherALargerQuotaHelpsIsLookedForAsLongAsARoundHasTime() {
    var cluster = cluster().node("n1", gpus(4)).queue("a", quota(1).weight(0)).queue("b", quota(1));
    for (int i = 0; i < 1_100; i++) {
      cluster.queue("q" + i, quota(0));
    }
    var plan =
        cluster
            .running("ours", "a", gang(1))
            .running("theirs", "b", pods(3))
            .waiting("first", "a", gang(2))
            .waiting("second", "a", gang(2))
            .plan();
    assertThat(plan.tells("first")).endsWith("or more nodes, or a quota of 3 GPUs in a.");
    assertThat(plan.tells("second")).endsWith("released, or more nodes.");
  }

  @Test
  void queueWithItsFairShareIsToldSo() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(4))
        .queue("speech", quota(4))
        .running("ours", "vision", pods(4))
        .running("theirs", "speech", pods(4))
        .waiting("more", "vision", gang(2))
        .plan()
        .waits(
            "more",
            new FairShareReached(
                noRoom(2), new QueueName("vision"), Resource.GPU, 4_000, 2_000, 4_000, false))
        .andNothingElse();
  }

  @Test
  void whereOthersHaveNoMoreThanTheirsThereIsNothingToTakeBack() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(8))
        .queue("speech", quota(8))
        .running("ours", "vision", pods(2))
        .running("theirs", "speech", pods(6))
        .waiting("train", "vision", gang(2))
        .plan()
        .waits("train", new NothingToTakeBack(noRoom(2), new QueueName("vision")))
        .andNothingElse();
  }

  @Test
  void withoutOtherQueuesItIsRoomThatLacks() {
    cluster()
        .node("n1", gpus(8))
        .queue("vision", quota(4))
        .running("ours", "vision", pods(8))
        .waiting("more", "vision", gang(2))
        .plan()
        .waits("more", noRoom(2))
        .andNothingElse();
  }

  @Test
  void aPreemptionDelayIsToldAsLongAsItRuns() {
    var world =
        cluster()
            .node("n1", gpus(8))
            .queue("vision", quota(4))
            .queue("speech", quota(4))
            .running("theirs", "speech", pods(8));
    var patient = gang(2).minutesOld(3).takesVictimsAfter(Duration.ofMinutes(5));
    world
        .waiting("train", "vision", patient)
        .plan()
        .waits("train", new PreemptionDelayed(noRoom(2), Cluster.NOW.plus(Duration.ofMinutes(2))))
        .andNothingElse();
  }

  @Test
  void aheadAreThoseThatComeBeforeInTheOrdinaryOrder() {
    var world = cluster().node("n1", gpus(1)).running("runs", "default", pods(1));
    for (int i = 1; i <= 5; i++) {
      world.waiting("w" + i, "default", gang(1).minutesOld(100 - i));
    }
    world
        .waiting("lost", "nowhere", gang(1).minutesOld(1))
        .plan()
        .waitsBehind("w1", NoRoom.class, 0)
        .waitsBehind("w3", NoRoom.class, 2, "w1", "w2")
        .waitsBehind("w5", NoRoom.class, 4, "w1", "w2", "w3")
        .waitsBehind("w2", NoRoom.class, 1, "w1")
        .waitsBehind("w4", NoRoom.class, 3, "w1", "w2", "w3")
        .waitsBehind("lost", NoSuchQueue.class, 0)
        .andNothingElse();
  }

  @Test
  void atALimitOnlyThoseOfItsQueueAreAhead() {
    cluster()
        .node("n1", gpus(8))
        .queue("tight", quota(4).limit(2))
        .queue("wide", quota(4))
        .running("full", "tight", pods(2))
        .running("rest", "wide", pods(6))
        .waiting("other", "wide", gang(1).minutesOld(99))
        .waiting("first", "tight", gang(2).minutesOld(50))
        .waiting("second", "tight", gang(1).minutesOld(40))
        .plan()
        .waitsBehind("first", OverLimit.class, 0)
        .waitsBehind("second", OverLimit.class, 1, "first")
        .waits("other", FairShareReached.class)
        .andNothingElse();
  }

  /// What is to be mended is told at once, not one thing after the other.
  @Test
  void aSelectorThatChoosesNoNodeIsToldWithWhatElseStandsInTheWay() {
    var taken =
        cluster()
            .node("n1", gpus(4))
            .node("n2", gpus(4).cordoned())
            .running("runs", "default", pods(4).on("n1"))
            .waiting("misspelt", "default", gang(1).selects("disk", "sdd"))
            .plan()
            .tells("misspelt");
    assertThat(taken)
        .isEqualTo(
            "Waits: no node fits the pod; of 2 nodes 2 outside the node selector (disk=sdd), of"
                + " which 1 also cordoned and 1 also without enough free GPUs (nvidia.com/gpu)."
                + " Helps: nodes with the label disk=sdd, or a new pod with another nodeSelector,"
                + " and then nodes uncordoned.");
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .waiting("misspelt", "default", gang(1).gpus(8).selects("disk", "sdd"))
                .plan()
                .tells("misspelt"))
        .contains(", of which 1 also too small (it has 4 GPUs, and 8 are asked for)")
        .endsWith(
            "or a new pod with another nodeSelector, and then a new pod that asks for less, or"
                + " larger nodes.");
  }

  @Test
  void labelsThatNodesLackAreToldTogetherAndThoseThatLackFewerFirst() {
    var none = cluster().node("n1", gpus(4)).node("n2", gpus(4));
    assertThat(
            none.waiting("w", "default", gang(1).selects("disk", "nvme").selects("pool", "a"))
                .plan()
                .tells("w"))
        .endsWith(
            "Helps: nodes with the labels disk=nvme and pool=a, or a new pod with another"
                + " nodeSelector.");
    assertThat(
            none.node("n3", gpus(4).label("disk", "nvme"))
                .waiting("w", "default", gang(1).selects("disk", "nvme").selects("pool", "a"))
                .plan()
                .tells("w"))
        .endsWith("Helps: nodes with the label pool=a, or a new pod with another nodeSelector.");
  }

  @Test
  void whereANodeOutsideTheSelectorHasRoomNothingElseIsTold() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .running("runs", "default", pods(4).on("n1"))
                .waiting("misspelt", "default", gang(1).selects("disk", "sdd"))
                .plan()
                .tells("misspelt"))
        .endsWith(
            "outside the node selector (disk=sdd). Helps: nodes with the label disk=sdd, or a new"
                + " pod with another nodeSelector.");
  }

  /// The limit would let it in once others end.
  @Test
  void aLimitForNowIsToldWithNodesThatAreTooSmall() {
    var plan =
        cluster()
            .node("n1", gpus(4))
            .node("n2", gpus(4))
            .queue("tight", quota(4).limit(8))
            .running("runs", "tight", pods(4))
            .waiting("large", "tight", gang(1).gpus(6))
            .waiting("small", "tight", gang(5))
            .plan();
    assertThat(plan.reason("large"))
        .isInstanceOfSatisfying(
            NeverFits.class,
            never -> assertThat(never.besides()).hasOnlyElementsOfType(OverLimit.class));
    plan.waits("small", OverLimit.class).andNothingElse();
  }

  /// Whatever becomes of those, its room is not theirs.
  @Test
  void groupThatWaitsForSomethingElseIsNotAhead() {
    cluster()
        .node("n1", gpus(4))
        .queue("tight", quota(4).limit(1))
        .queue("wide", quota(4))
        .running("runs", "wide", pods(4))
        .waiting("lonely", "wide", gang(2).atLeast(3).minutesOld(99))
        .waiting("misspelt", "wide", gang(1).selects("disk", "sdd").minutesOld(90))
        .waiting("huge", "wide", gang(1).gpus(8).minutesOld(80))
        .waiting("limited", "tight", gang(2).minutesOld(70))
        .waiting("before", "wide", gang(1).minutesOld(60))
        .waiting("after", "wide", gang(1).minutesOld(50))
        .plan()
        .waitsBehind("lonely", TooFewMembers.class, 0)
        .waitsBehind("misspelt", NoRoom.class, 0)
        .waitsBehind("huge", NeverFits.class, 0)
        .waitsBehind("limited", OverLimit.class, 0)
        .waitsBehind("before", NoRoom.class, 0)
        .waitsBehind("after", NoRoom.class, 1, "before")
        .andNothingElse();
  }

  /// The member that finds no place is not all that lacks.
  @Test
  void ofUnlikeMembersAllThatMustBeReleasedIsTold() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .node("n2", gpus(4))
                .stranger("n1", gang(1).gpus(4))
                .stranger("n2", gang(1).gpus(3))
                .waiting("train", "default", gangOf(1, 1, 2))
                .plan()
                .tells("train"))
        .isEqualTo(
            "Waits: 1 of 3 pods fit together, and pod train-100001 asks for 1 GPU (none is left);"
                + " of 2 nodes 2 without enough free GPUs (nvidia.com/gpu). Helps: 3 GPUs released"
                + " on a node with 1 free, a smaller minimum, or more nodes.");
  }

  @Test
  void unlikeMembersThatNoPackingHoldsAreNotToldToHaveGpusReleased() {
    assertThat(
            cluster()
                .node("n1", gpus(3))
                .node("n2", gpus(3))
                .stranger("n1", gang(1).gpus(1))
                .waiting("odd", "default", gangOf(3, 2, 2))
                .plan()
                .tells("odd"))
        .endsWith(
            "; not all 3 pods fit, whatever is released. Helps: pods that ask for less, a smaller"
                + " minimum, or more nodes.");
  }

  /// More nodes of either kind would not help.
  @Test
  void aSelectorAndAVolumeThatMeetOnNoNodeAreToldTogether() {
    var told =
        cluster()
            .node("a", gpus(4).label("zone", "a"))
            .node("b", gpus(4).label("zone", "b"))
            .waiting("disk", "default", gang(1).volumeIn("zone", "b").selects("zone", "a"))
            .plan()
            .tells("disk");
    assertThat(told)
        .contains("1 out of reach of its volume (zone in b)")
        .contains("1 outside the node selector (zone=a)")
        .endsWith("Helps: a new pod with another nodeSelector, or with another volume.");
  }

  @Test
  void theMemberThatNoNodeTakesIsNamed() {
    assertThat(
            cluster()
                .node("n1", gpus(4).label("zone", "a"))
                .waiting("disk", "default", gang(3).lastsVolumeIn("zone", "b"))
                .plan()
                .tells("disk"))
        .startsWith(
            "Waits: 2 of 3 pods fit together, and pod disk-100002 finds no node; of 1 node 1 out of"
                + " reach of its volume (zone in b).");
  }

  private static String limited(PodSketch gang) {
    return cluster()
        .node("n1", gpus(8))
        .queue("tight", quota(4).limit(4))
        .running("runs", "tight", pods(2))
        .waiting("train", "tight", gang)
        .plan()
        .tells("train");
  }

  @Test
  void whichMembersALimitIsTooSmallForIsTold() {
    assertThat(limited(gangOf(2, 1, 1, 1).atLeast(2)))
        .isEqualTo(
            "Waits: queue tight has 2 of its limit of 4 GPUs in use and the first 2 of 4 members"
                + " ask for 3. Helps: 1 GPU released in tight, or a limit of 5 GPUs, or a smaller"
                + " minimum.");
    assertThat(limited(gangOf(4, 1, 1).atLeast(2)))
        .startsWith(
            "Waits: the first 2 of 3 members ask for 5 and queue tight never has more than its"
                + " limit of 4 GPUs.");
    assertThat(limited(gang(3))).contains("in use and this group asks for 3.");
    assertThat(limited(gang(3))).endsWith("or a limit of 5 GPUs, or a minimum smaller by 1.");
    assertThat(limited(gang(6))).endsWith("or pods that ask for less, or a minimum smaller by 4.");
    assertThat(limited(gang(2).gpus(5)))
        .as("not even one is within the limit")
        .endsWith("or pods that ask for less.");
    assertThat(limited(gang(1).gpus(3))).endsWith("1 GPU released in tight, or a limit of 5 GPUs.");
  }

  private static String asking(NodeSketch node, PodSketch pod) {
    return cluster().node("n1", node).waiting("pod", "default", pod).plan().tells("pod");
  }

  /// Two nodes lack cores, which a third has that lacks GPUs.
  @Test
  void whatIsAskedForAndFreeOfCoresAndMemoryIsTold() {
    var world =
        cluster()
            .node("n1", gpus(4).with(Resource.CPU, 8_000))
            .node("n2", gpus(4).with(Resource.CPU, 8_000))
            .node("n3", gpus(4).with(Resource.CPU, 16_000))
            .stranger("n1", pod().noGpu().asks(Resource.CPU, 7_500))
            .stranger("n2", pod().noGpu().asks(Resource.CPU, 5_500))
            .stranger("n3", pod().gpus(4));
    assertThat(world.waiting("w", "default", pod().asks(Resource.CPU, 4_000)).plan().tells("w"))
        .contains("of 3 nodes 2 short (cpu: 4 asked for, at most 2.5 free), 1 without enough free");
    var full = cluster().node("n1", gpus(4).with(Resource.MEMORY, 64L << 30));
    full.stranger("n1", pod().noGpu().asks(Resource.MEMORY, 64L << 30));
    assertThat(
            full.waiting("w", "default", pod().asks(Resource.MEMORY, 1L << 30)).plan().tells("w"))
        .contains("of 1 node 1 short (memory: 1 GiB asked for, none free).");
  }

  /// Some of very many nodes are looked at: the most that is free is told where all were.
  @Test
  void ofVeryManyNodesShortOfCoresTheMostIsNotTold() {
    var world = cluster();
    for (int i = 0; i < 300; i++) {
      world.node("n" + i, gpus(4).with(Resource.CPU, 8_000));
      world.stranger("n" + i, pod().noGpu().asks(Resource.CPU, 8_000));
    }
    assertThat(world.waiting("w", "default", pod().asks(Resource.CPU, 4_000)).plan().tells("w"))
        .contains("of 300 nodes 300 short (cpu: 4 asked for).");
  }

  /// What its own members would have there cannot be released.
  @Test
  void nothingIsReleasedWhereAGangHasItsOwnPlaces() {
    var world =
        cluster()
            .node("a1", gpus(4))
            .node("a2", gpus(4))
            .running("old", "default", gang(1).gpus(4).nonPreemptible().on("a1"));
    assertThat(world.waiting("train", "default", gang(4).gpus(2)).plan().tells("train"))
        .endsWith(
            "Helps: 4 GPUs released, so that each of 2 pods finds 2 on one node, a minimum smaller"
                + " by 2, or more nodes.");
    world
        .node("a3", gpus(4))
        .running("other", "default", gang(1).gpus(4).nonPreemptible().on("a3"));
    assertThat(world.waiting("train", "default", gang(4).gpus(2)).plan().tells("train"))
        .endsWith(
            "Helps: 4 GPUs released, 2 on each of 2 nodes, a minimum smaller by 2, or more nodes.");
  }

  @Test
  void nodesOfTheModelAreAskedForWhereOthersAreOfAnother() {
    var told =
        cluster()
            .node("h", gpus(1).model("NVIDIA-H100"))
            .node("a", gpus(1).model("NVIDIA-A100"))
            .stranger("a", pod().gpus(1))
            .waiting("pod", "default", gang(1).model("NVIDIA-A100"))
            .plan()
            .tells("pod");
    assertThat(told).endsWith("Helps: 1 GPU released where it may be, or more such nodes.");
  }

  @Test
  void aWiderLevelIsAskedForWhereThereIsOne() {
    var world =
        cluster()
            .topology("fabric", "zone", "rack")
            .node("a1", gpus(1).label("zone", "a").label("rack", "1"))
            .node("a2", gpus(1).label("zone", "a").label("rack", "2"))
            .node("b1", gpus(1).label("zone", "b").label("rack", "1"));
    assertThat(
            world.waiting("r", "default", gang(2).together("fabric", "rack", "")).plan().tells("r"))
        .endsWith("a larger rack, or a wider topology level.");
    assertThat(
            world.waiting("z", "default", gang(3).together("fabric", "zone", "")).plan().tells("z"))
        .endsWith("a larger zone, or a topology that is preferred and not required.");
  }

  @Test
  void whatHelpsOnNodesOfTwoModelsIsToldOnce() {
    var told =
        cluster()
            .node("h", gpus(1).model("NVIDIA-H100"))
            .node("a", gpus(1).model("NVIDIA-A100"))
            .waiting("full", "default", gang(1).model("NVIDIA-A100"))
            .waiting("pod", "default", gang(1).model("NVIDIA-B300"))
            .plan()
            .tells("pod");
    assertThat(told).containsOnlyOnce("nodes of model NVIDIA-B300");
  }

  @Test
  void aGpuModelThatNoNodeHasIsToldWithTheNearestOne() {
    var node = gpus(4).model("NVIDIA-H100-80GB-HBM3");
    assertThat(asking(node, gang(1).model("NVIDIA-H100-80GB-HMB3")))
        .isEqualTo(
            "Waits: no node fits the pod; of 1 node 1 of another GPU model (NVIDIA-H100-80GB-HBM3)."
                + " Helps: a new pod with a berth.dev/gpu-model that is here (did you mean"
                + " NVIDIA-H100-80GB-HBM3?), or nodes of model NVIDIA-H100-80GB-HMB3.");
    assertThat(asking(node, gang(1).model("h100")))
        .contains("(did you mean NVIDIA-H100-80GB-HBM3?)");
    assertThat(asking(node, gang(1).model("NVIDIA-B200")))
        .endsWith(
            "Helps: nodes of model NVIDIA-B200, or a new pod with a berth.dev/gpu-model that is"
                + " here.");
  }

  @Test
  void aNodeLabelThatNoNodeHasIsToldWithTheNearestOne() {
    var node = gpus(4).label("disk", "nvme");
    assertThat(asking(node, gang(1).selects("disk", "nmve")))
        .endsWith(
            "Helps: a new pod with another nodeSelector (did you mean disk=nvme?), or nodes with"
                + " the label disk=nmve.");
    assertThat(asking(node, gang(1).selects("disks", "nvme")))
        .contains("(did you mean disk=nvme?)");
    assertThat(asking(node, gang(1).selects("disk", "ssd"))).doesNotContain("did you mean");
    assertThat(asking(node, gang(1).selects("zone", "nvme"))).doesNotContain("did you mean");
  }

  @Test
  void theHostPortThatIsTakenIsNamed() {
    assertThat(
            cluster()
                .node("n1", gpus(4))
                .running("fixed", "default", gang(1).port("TCP:0.0.0.0:80").nonPreemptible())
                .waiting("pod", "default", gang(1).port("TCP:0.0.0.0:80"))
                .plan()
                .tells("pod"))
        .isEqualTo(
            "Waits: no node fits the pod, which asks for 1 GPU (3 are free); of 1 node 1 with the"
                + " host port taken (80/TCP). Helps: a pod that has this host port deleted, or a"
                + " new pod with another host port.");
  }
}
