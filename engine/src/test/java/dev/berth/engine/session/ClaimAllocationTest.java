package dev.berth.engine.session;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.PodSketch;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// Devices that pods claim (DRA): counted, charged, and left to kube-scheduler to choose.
class ClaimAllocationTest {
  private static final String GPU = "gpu.nvidia.com";
  private static final String MIG = "mig.nvidia.com";
  private static final String NIC = "nic.example.com";

  private static Cluster twoNodes() {
    return cluster()
        .queue("a", quota(4))
        .node("n1", noGpus())
        .node("n2", noGpus())
        .devices("n1", GPU, 2)
        .devices("n2", GPU, 2);
  }

  private static PodSketch claiming(int members, int devices) {
    return gang(members).noGpu().claimsEach(GPU, devices);
  }

  @Test
  void eachMemberGetsDevicesOfItsNode() {
    twoNodes()
        .waiting("train", "a", claiming(4, 1))
        .plan()
        .reserves("train", "n1", "n1", "n2", "n2")
        .andNothingElse();
  }

  @Test
  void moreThanANodeHasIsNowhere() {
    twoNodes()
        .queue("a", quota(8))
        .waiting("train", "a", claiming(1, 3))
        .plan()
        .waitsFor("train", Obstacle.CLAIMS)
        .andNothingElse();
  }

  @Test
  void claimedGpusCountInTheQueue() {
    twoNodes()
        .queue("a", quota(2).limit(2))
        .waiting("first", "a", claiming(1, 2).minutesOld(9))
        .waiting("second", "a", claiming(1, 1).minutesOld(8))
        .plan()
        .reserves("first", 1)
        .waits("second", new Reason.OverLimit(new QueueName("a"), Resource.GPU, 2000, 1000, 2000))
        .andNothingElse();
  }

  @Test
  void otherDevicesDoNotCountInTheQueue() {
    twoNodes()
        .queue("a", quota(0).limit(0))
        .devices("n1", NIC, 2)
        .waiting("net", "a", gang(2).noGpu().claimsEach(NIC, 1))
        .plan()
        .reserves("net", "n1", "n1")
        .andNothingElse();
  }

  @Test
  void podsThatShareAClaimGoToOneNodeAndPayOnce() {
    twoNodes()
        .queue("a", quota(2).limit(2))
        .claim("ours", "a", GPU, 2)
        .waiting("train", "a", gang(3).noGpu().claims("ours"))
        .plan()
        .reservesOnOneNode("train", 3)
        .andNothingElse();
  }

  @Test
  void anAllocatedClaimBindsItsUsersToItsNode() {
    twoNodes()
        .claimOn("n2", "ours", "a", GPU, 2)
        .waiting("train", "a", gang(2).noGpu().claims("ours"))
        .plan()
        .reserves("train", "n2", "n2")
        .andNothingElse();
  }

  @Test
  void devicesOfOtherClaimsAreTaken() {
    twoNodes()
        .claimOn("n1", "theirs", "b", GPU, 2)
        .waiting("train", "a", claiming(1, 1))
        .plan()
        .reserves("train", "n2")
        .andNothingElse();
  }

  @Test
  void aClaimOnGpusThatMayBeSharedSaysWhoseItIs() {
    twoNodes()
        .claim("nobodys", "", GPU, 1)
        .claim("theirs", "b", GPU, 1)
        .waiting("one", "a", gang(1).noGpu().claims("nobodys"))
        .waiting("two", "a", gang(1).noGpu().claims("theirs"))
        .plan()
        .waits("one", otherQueue("nobodys", QueueName.NONE))
        .waits("two", otherQueue("theirs", new QueueName("b")))
        .andNothingElse();
  }

  /// Whatever its annotations and owners say, which a tenant may write.
  @Test
  void aClaimThatWasMadeForAnotherPodIsNobodys() {
    twoNodes()
        .waiting("one", "a", claiming(1, 1))
        .waiting("two", "a", gang(1).noGpu().claims("one-100000-own"))
        .plan()
        .reservesOnOneNode("one", 1)
        .waits("two", otherQueue("one-100000-own", QueueName.NONE))
        .andNothingElse();
  }

  private static Reason otherQueue(String claim, QueueName labelled) {
    return new Reason.ClaimOfOtherQueue(
        new ClaimKey("default", claim), labelled, new QueueName("a"), PodKey.NONE);
  }

  @Test
  void aClaimOnOtherDevicesNeedNotSayWhoseItIs() {
    twoNodes()
        .devices("n2", NIC, 1)
        .claim("nobodys", "", NIC, 1)
        .waiting("net", "a", gang(1).noGpu().claims("nobodys"))
        .plan()
        .reserves("net", "n2")
        .andNothingElse();
  }

  private static Cluster oneGpuInHalves() {
    return cluster()
        .queue("a", quota(1).limit(1))
        .node("n1", noGpus())
        .partitionedDevice("n1", GPU, MIG, 80_000);
  }

  @Test
  void partitionsOfAGpuGoToSeveralPodsAndTheWholeGpuToNone() {
    oneGpuInHalves()
        .queue("a", quota(2).limit(2))
        .waiting("one", "a", pod().noGpu().claimsEach(MIG, 1).minutesOld(9))
        .waiting("two", "a", pod().noGpu().claimsEach(MIG, 1).minutesOld(8))
        .waiting("whole", "a", pod().noGpu().claimsEach(GPU, 1).minutesOld(7))
        .plan()
        .reserves("one", "n1")
        .reserves("two", "n1")
        .waitsFor("whole", Obstacle.CLAIMS)
        .andNothingElse();
  }

  @Test
  void aGpuThatIsAllocatedAsAWholeHasNoPartitionLeft() {
    oneGpuInHalves()
        .claimOn("n1", "theirs", "b", GPU, 1)
        .waiting("half", "a", pod().noGpu().claimsEach(MIG, 1))
        .plan()
        .waitsFor("half", Obstacle.CLAIMS)
        .andNothingElse();
  }

  /// Not as three GPUs, and not for nothing.
  @Test
  void aPartitionCountsByItsMemoryInTheQueue() {
    oneGpuInHalves()
        .queue("a", quota(1).limit(0.7))
        .waiting("one", "a", pod().noGpu().claimsEach(MIG, 1).minutesOld(9))
        .waiting("two", "a", pod().noGpu().claimsEach(MIG, 1).minutesOld(8))
        .plan()
        .reserves("one", "n1")
        .waits("two", new Reason.OverLimit(new QueueName("a"), Resource.GPU, 500, 500, 700))
        .andNothingElse();
  }

  @Test
  void aClaimThatDoesNotExistIsNamed() {
    twoNodes()
        .waiting("train", "a", pod().noGpu().claims("gone"))
        .plan()
        .waits("train", new Reason.NoSuchClaim(new PodKey("default", "train"), "gone", ""))
        .andNothingElse();
  }

  @Test
  void aClassThatNoNodeOffersIsNamed() {
    twoNodes()
        .claim("odd", "a", "fpga.example.com", 1)
        .waiting("train", "a", gang(1).noGpu().claims("odd"))
        .plan()
        .waits(
            "train", new Reason.NoSuchDevices(new ClaimKey("default", "odd"), "fpga.example.com"))
        .andNothingElse();
  }

  @Test
  void claimedGpusAreTakenBack() {
    cluster()
        .queue("a", quota(1))
        .queue("b", quota(1))
        .node("n1", noGpus())
        .devices("n1", GPU, 2)
        .running("borrows", "b", pods(2).noGpu().claimsEach(GPU, 1))
        .waiting("owns", "a", claiming(1, 1))
        .plan()
        .reservesByTaking("owns", "borrows")
        .andNothingElse();
  }

  // ---- what kube-scheduler may choose is charged until it has chosen

  private static Choice some(String deviceClass, int count, DeviceMatch... matches) {
    return new Choice(deviceClass, count, false, false, List.of(matches));
  }

  private static Choice all(String deviceClass) {
    return new Choice(deviceClass, 1, true, false, List.of());
  }

  private static DeviceMatch nothing() {
    return new DeviceMatch("no-such-driver", new TreeMap<>());
  }

  /// Two nodes with two GPUs each, in a queue that may have one.
  private static Cluster limitOfOne() {
    return twoNodes().queue("a", quota(1).limit(1)).devices("n1", NIC, 2);
  }

  private static PodSketch user(String claim) {
    return pod().noGpu().claims(claim);
  }

  private static Reason overLimit(long asked) {
    return new Reason.OverLimit(new QueueName("a"), Resource.GPU, 0, asked, 1000);
  }

  private static Reason overLimit(String claim, int count, int alternatives, boolean all) {
    var counted =
        new Reason.CountedClaim(new ClaimKey("default", claim), GPU, count, alternatives, all);
    return new Reason.OverLimit(new QueueName("a"), Resource.GPU, 0, 1000L * count, 1000)
        .counting(List.of(counted));
  }

  @Test
  void theDearestAlternativeIsCharged() {
    limitOfOne()
        .claim("nic", "a", some("nic.example.org", 1), some(GPU, 2))
        .claim("late", "a", some(NIC, 1), some(GPU, 2))
        .claim("unmet", "a", some(GPU, 1, nothing()), some(GPU, 2))
        .queue("b", quota(1).limit(1))
        .claim("honest", "b", some(GPU, 1), some(NIC, 2))
        .waiting("one", "a", user("nic"))
        .waiting("two", "a", user("late"))
        .waiting("three", "a", user("unmet"))
        .waiting("four", "b", user("honest"))
        .plan()
        .waits("one", overLimit("nic", 2, 2, false))
        .waits("two", overLimit("late", 2, 2, false))
        .waits("three", overLimit("unmet", 2, 2, false))
        .reserves("four", 1)
        .andNothingElse();
  }

  @Test
  void anAlternativeThatNoNodeCanGiveIsNotCharged() {
    limitOfOne()
        .claim("vain", "a", some(GPU, 3), some(GPU, 1))
        .waiting("one", "a", user("vain"))
        .plan()
        .reserves("one", 1)
        .andNothingElse();
  }

  @Test
  void allDevicesAreThoseOfTheLargestNode() {
    limitOfOne()
        .node("n3", noGpus())
        .devices("n3", GPU, 4)
        .claim("all", "a", all(GPU))
        .waiting("one", "a", user("all"))
        .plan()
        .waits("one", overLimit("all", 4, 1, true))
        .andNothingElse();
  }

  @Test
  void aClassThatMayMeanGpusCountsAsGpus() {
    limitOfOne()
        .classOfAll("any.example.com")
        .claim("any", "a", some("any.example.com", 2))
        .claim("net", "a", some("any.example.com", 2, new DeviceMatch(NIC, new TreeMap<>())))
        .waiting("one", "a", user("any"))
        .waiting("two", "a", user("net"))
        .plan()
        .waits("one", overLimit(2000))
        .reserves("two", "n1")
        .andNothingElse();
  }

  @Test
  void whatIsAllocatedIsChargedAndNothingElse() {
    var gpus = List.of(new DeviceId(GPU, "n2", "device-0"), new DeviceId(GPU, "n2", "device-1"));
    var nic = List.of(new DeviceId(NIC, "n1", "device-0"));
    limitOfOne()
        .claimOn("n2", gpus, "dear", "a", some(NIC, 1), some(GPU, 2))
        .claimOn("n1", nic, "cheap", "a", some(NIC, 1), some(GPU, 2))
        .claimOn("n2", gpus, "all", "a", all(GPU))
        .waiting("one", "a", user("dear"))
        .waiting("two", "a", user("cheap"))
        .waiting("three", "a", user("all"))
        .plan()
        .waits("one", overLimit(2000))
        .reserves("two", "n1")
        .waits("three", overLimit(2000))
        .andNothingElse();
  }

  @Test
  void anAllocatedDeviceThatNoSliceNamesIsWhatWasAsked() {
    var gone = List.of(new DeviceId("dra.example.com", "n2", "gone-0"));
    limitOfOne()
        .queue("a", quota(0).limit(0))
        .claimOn("n2", gone, "lost", "a", some(GPU, 1))
        .waiting("one", "a", user("lost"))
        .plan()
        .waits("one", new Reason.OverLimit(new QueueName("a"), Resource.GPU, 0, 1000, 0))
        .andNothingElse();
  }

  // ---- what it costs

  /// Devices that are looked at to find out which of two nodes take all members of a group.
  private static long looks(Cluster cluster) {
    var session = Session.over(cluster.snapshot());
    long before = session.claims().looks();
    for (int turn = 0; turn < 3; turn++) {
      for (Group group : session.groups()) {
        group
            .seats()
            .forEach(seat -> {
              session.claims().fits(seat, 0);
              session.claims().fits(seat, 1);
            });
      }
    }
    return session.claims().looks() - before;
  }

  @Test
  void whatFitsANodeIsFoundOutOnceAsLongAsNothingIsTakenThere() {
    long one = looks(twoNodes().waiting("one", "a", claiming(1, 3)));
    long many = looks(twoNodes().waiting("many", "a", claiming(50, 3)));
    assertThat(one > 0).as("somebody looks").isTrue();
    assertThat(many).isEqualTo(one);
  }

  @Test
  void aClaimIsFollowedToTheFirstRequestThatIsNotMet() {
    long one =
        looks(twoNodes().claimOfMany("c", "a", 1, some(GPU, 3)).waiting("one", "a", user("c")));
    long many =
        looks(twoNodes().claimOfMany("c", "a", 32, some(GPU, 3)).waiting("one", "a", user("c")));
    assertThat(many).isEqualTo(one);
  }

  /// Beside a request that is never met, a claim of so many parts.
  @Test
  void noMoreIsLookedForThanAClaimMayBeAllocated() {
    var parts = new TreeMap<>(Map.of("memory", 1L << 20));
    long looks =
        looks(
            twoNodes()
                .sharedDevices("n1", GPU, 8, 16_384)
                .claimOfAll(
                    "c",
                    "a",
                    new Choice(GPU, 7_000, false, false, List.of(), parts),
                    some(GPU, 1, nothing()))
                .waiting("one", "a", user("c")));
    assertThat(looks <= 32 * 10 + 10).as(looks + " looks").isTrue();
  }

  /// It took most of a minute: for each candidate of each device the others were added up.
  @Test
  @Timeout(value = 8, threadMode = ThreadMode.SEPARATE_THREAD)
  void partitionsAreLookedForInStepsAsManyAsThereAre() {
    var world = cluster().queue("a", quota(4));
    for (int n = 0; n < 40; n++) {
      world.node("n" + n, noGpus()).partitionedDevices("n" + n, MIG, 24, 8);
    }
    world
        .claimOfAll("c", "a", some(MIG, 28), some(MIG, 4), some(MIG, 1, nothing()))
        .waiting("one", "a", user("c"));
    looks(world);
  }

  /// Kube-scheduler refuses more for one claim, also where the devices are there.
  @Test
  void aClaimGetsNoMoreThanThirtyTwoDevices() {
    twoNodes()
        .queue("a", quota(99))
        .devices("n1", GPU, 40)
        .claim("all", "a", all(GPU), some(GPU, 33), some(GPU, 32))
        .claimOfMany("many", "a", 33, some(GPU, 1))
        .claim("rest", "a", some(GPU, 8))
        .waiting("one", "a", user("many").minutesOld(10))
        .waiting("two", "a", user("all").minutesOld(9))
        .waiting("three", "a", user("rest").minutesOld(8))
        .plan()
        .waitsFor("one", Obstacle.CLAIMS)
        .reserves("two", "n1")
        .reserves("three", "n1")
        .andNothingElse();
  }

  @Test
  void noPodIsMovedForAClaimThatNoNodeHasEnoughDevicesFor() {
    var told = new Reason.Shortfall(Obstacle.CLAIMS, Reason.Shortfall.EVEN_IF_FREE, 2);
    assertThat(new Reason.NoRoom(1, 0, 2, List.of(told)).mayBeMade())
        .as("whoever leaves")
        .isFalse();
    twoNodes()
        .waiting("one", "a", claiming(1, 3))
        .plan()
        .waits("one", new Reason.NoRoom(1, 0, 2, List.of(told)))
        .andNothingElse();
  }

  /// A choice that takes some hundred steps to compare with a device, as no other does.
  private static Choice heavy(int number) {
    var attributes = new TreeMap<String, String>();
    for (int i = 0; i < 98; i++) {
      attributes.put(GPU + "/a" + i, "v" + number);
    }
    return new Choice(GPU, 1, false, false, List.of(new DeviceMatch(GPU, attributes)));
  }

  /// Claims of one namespace that all ask for something else are looked for up to a bound; those of
  /// others, and those that ask alike, do not mind.
  @Test
  void whatIsLookedForIsBoundedInAll() {
    int most = 25; // of 100 steps each, for 2,000 devices
    var world = cluster().queue("a", quota(4)).node("n1", noGpus()).devices("n1", GPU, 2_000);
    for (int i = 0; i < most + 5; i++) {
      world.claim("c" + (1000 + i), "a", heavy(i)).waiting("w" + i, "a", user("c" + (1000 + i)));
    }
    world.claim("d", "a", heavy(0)).waiting("same", "a", user("d"));
    var plan = new Planner(PlannerSettings.DEFAULT).plan(world.snapshot());
    var beyond = new TreeSet<String>();
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Wait wait && wait.reason() instanceof Reason.BadRequest) {
        beyond.add(wait.group().name());
      }
    }
    assertThat(beyond).isEqualTo(new TreeSet<>(List.of("w25", "w26", "w27", "w28", "w29")));
  }

  private static Cluster besideHeavyClaims() {
    var world = cluster().queue("a", quota(9)).node("n1", noGpus()).devices("n1", GPU, 2_000);
    for (int i = 0; i < 40; i++) {
      world.claim("c" + (1000 + i), "a", heavy(i));
    }
    return world;
  }

  @Test
  void claimsThatNoPodNamesAreNotLookedFor() {
    besideHeavyClaims()
        .claim("d", "a", heavy(99))
        .waiting("one", "a", user("d"))
        .plan()
        .waits("one", new Reason.NoSuchDevices(new ClaimKey("default", "d"), GPU))
        .andNothingElse();
  }

  @Test
  void claimsOfPodsThatTheirQueueDoesNotTakeAreNotLookedFor() {
    var world = besideHeavyClaims();
    for (int i = 0; i < 40; i++) {
      world.waiting("w" + i, "nowhere", user("c" + (1000 + i)));
    }
    var plan =
        new Planner(PlannerSettings.DEFAULT)
            .plan(world.claim("d", "a", heavy(99)).waiting("one", "a", user("d")).snapshot());
    assertThat(plan.waits().get(new GroupKey("default", "one")).reason())
        .isEqualTo(new Reason.NoSuchDevices(new ClaimKey("default", "d"), GPU));
  }

  /// It was charged one GPU as soon as there were enough others.
  @Test
  void aPlannedClaimIsChargedAsItWasWhateverElseIsAskedFor() {
    var world =
        besideHeavyClaims()
            .queue("team", quota(8).limit(2_000))
            .claim("z", "team", all(GPU))
            .planned("first", "team", user("z").on("n1"));
    for (int i = 0; i < 40; i++) {
      world.waiting("w" + i, "a", user("c" + (1000 + i)).minutesOld(2));
    }
    var plan =
        new Planner(PlannerSettings.DEFAULT)
            .plan(
                world.claim("e", "team", some(GPU, 1)).waiting("x", "team", user("e")).snapshot());
    assertThat(plan.waits().get(new GroupKey("default", "x")).reason())
        .isInstanceOf(Reason.OverLimit.class);
  }

  /// Kube-scheduler finds no second device where another claim has it.
  @Test
  void distinctDevicesAreNotChosenTwiceWhereAllAreMeant() {
    var part = new TreeMap<>(Map.of("memory", 1L << 30));
    var one = new Choice(GPU, 1, false, false, List.of(), part);
    var all = new Choice(GPU, 1, true, false, List.of(), part);
    cluster()
        .queue("a", quota(4))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 2, 16_384)
        .foreignShare("n1", GPU, 1, 16_384)
        .distinctClaim("c", "a", List.of(List.of(one), List.of(all, one)))
        .waiting("one", "a", user("c"))
        .plan()
        .waitsFor("one", Obstacle.CLAIMS)
        .andNothingElse();
  }
}
