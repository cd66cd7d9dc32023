package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Obstacle;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// GPU shares by claims on devices with consumable capacity (DRA): room is kept device by device.
class SharedClaimsTest {
  private static final String GPU = "gpu.nvidia.com";

  private static Cluster oneNode(int devices) {
    return cluster()
        .queue("a", quota(4))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, devices, 16_384);
  }

  private static PodSketch share(int members, long mib) {
    return gang(members).noGpu().claimsMib(GPU, 1, mib);
  }

  @Test
  void sharesFillADeviceAndNoMore() {
    oneNode(1)
        .waiting("fits", "a", share(2, 8192).minutesOld(9))
        .waiting("late", "a", share(1, 1).minutesOld(8))
        .plan()
        .reserves("fits", "n1", "n1")
        .waitsFor("late", Obstacle.CLAIMS)
        .andNothingElse();
  }

  @Test
  void memoryOfTwoDevicesIsNotOneRoom() {
    oneNode(2)
        .foreignShare("n1", GPU, 0, 10_240)
        .foreignShare("n1", GPU, 1, 12_288)
        .waiting("wide", "a", pod().noGpu().claimsMib(GPU, 1, 8192))
        .plan()
        .waits(
            "wide",
            new Reason.NoRoom(
                1,
                0,
                1,
                List.of(
                    new Shortfall(
                        Obstacle.CLAIMS,
                        "no GPU has 8192 MiB free, the freest has 6144 of 16384 MiB",
                        1))))
        .andNothingElse();
  }

  /// The first request would find room by itself.
  @Test
  void ofSeveralRequestsOneThatFindsNoRoomIsTold() {
    assertThat(
            oneNode(1)
                .claimOfAll("c", "a", mib(1), mib(20_480))
                .waiting("x", "a", pod().noGpu().claims("c"))
                .plan()
                .tells("x"))
        .contains("(no GPU has 20480 MiB free, the freest has 16384 of 16384 MiB)");
  }

  /// Each would by itself.
  @Test
  void ofRequestsThatLackRoomTogetherNoneIsTold() {
    assertThat(
            oneNode(1)
                .claimOfAll("c", "a", mib(10_240), mib(10_240))
                .waiting("x", "a", pod().noGpu().claims("c"))
                .plan()
                .tells("x"))
        .contains("without the devices that it claims")
        .doesNotContain("MiB");
  }

  private static Choice mib(long mib) {
    var memory = new TreeMap<>(Map.of("memory", mib << 20));
    return new Choice(GPU, 1, false, false, List.of(), memory);
  }

  @Test
  void theSentenceHasTheNumbers() {
    var room =
        new Reason.NoRoom(
            1,
            0,
            1,
            List.of(
                new Shortfall(
                    Obstacle.CLAIMS,
                    "no GPU has 8192 MiB free, the freest has 6144 of 16384 MiB",
                    1)));
    assertThat(Sentences.of(room))
        .isEqualTo(
            "Waits: no node fits the pod; of 1 node 1 without the devices that it claims (no GPU"
                + " has 8192 MiB free, the freest has 6144 of 16384 MiB). Helps: claimed devices"
                + " released, or more nodes.");
  }

  @Test
  void theFullestDeviceIsFilledFirst() {
    // 6 GiB go beside the 10 GiB of device 1, so that 16 GiB are free on device 0
    oneNode(2)
        .foreignShare("n1", GPU, 1, 10_240)
        .waiting("small", "a", share(1, 6144).minutesOld(9))
        .waiting("whole", "a", share(1, 16_384).minutesOld(8))
        .plan()
        .reserves("small", "n1")
        .reserves("whole", "n1")
        .andNothingElse();
  }

  @Test
  void aClaimThatNamesNoMemoryTakesTheWholeDevice() {
    oneNode(2)
        .foreignShare("n1", GPU, 0, 1024)
        .waiting("whole", "a", gang(1).noGpu().claimsEach(GPU, 1).minutesOld(9))
        .waiting("second", "a", gang(1).noGpu().claimsEach(GPU, 1).minutesOld(8))
        .waiting("share", "a", share(1, 15_360).minutesOld(7))
        .plan()
        .reserves("whole", "n1")
        .waitsFor("second", Obstacle.CLAIMS)
        .reserves("share", "n1")
        .andNothingElse();
  }

  @Test
  void sharesOfTwoDevicesAreOnTwo() {
    oneNode(2)
        .foreignShare("n1", GPU, 0, 12_288)
        .waiting("two", "a", gang(1).noGpu().claimsMib(GPU, 2, 4096).minutesOld(9))
        .waiting("wide", "a", gang(1).noGpu().claimsMib(GPU, 2, 5000).minutesOld(8))
        .plan()
        .reserves("two", "n1")
        .waitsFor("wide", Obstacle.CLAIMS)
        .andNothingElse();
  }

  @Test
  void aShareCountsThousandthsOfItsQueue() {
    // 5000 of 16384 MiB are ⌈305.2⌉ thousandths
    cluster()
        .queue("a", quota(1).limit(1))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 4, 16_384)
        .waiting("three", "a", share(3, 5000).minutesOld(9))
        .waiting("late", "a", share(1, 5000).minutesOld(8))
        .plan()
        .reserves("three", 3)
        .waits("late", new Reason.OverLimit(new QueueName("a"), Resource.GPU, 918, 306, 1000))
        .andNothingElse();
  }

  @Test
  void theMemoryOfTheNodesDevicesDecidesWhatItCounts() {
    // on n1 it would count 500, on n2 125: the limit leaves n2 alone
    cluster()
        .queue("a", quota(1).limit(0.4))
        .node("n1", noGpus())
        .node("n2", noGpus())
        .sharedDevices("n1", GPU, 1, 16_384)
        .sharedDevices("n2", GPU, 1, 65_536)
        .waiting("share", "a", share(1, 8192))
        .plan()
        .reserves("share", "n2")
        .andNothingElse();
  }

  @Test
  void sharesAreTakenBack() {
    cluster()
        .queue("a", quota(1))
        .queue("b", quota(0))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 1, 16_384)
        .running("borrows", "b", pods(2).noGpu().claimsMib(GPU, 1, 8192))
        .waiting("owns", "a", share(1, 8192))
        .plan()
        .reservesByTaking("owns", "borrows")
        .andNothingElse();
  }

  @Test
  void leavingPodHasItsMemoryUntilItIsGone() {
    oneNode(1)
        .leaving("old", "a", pod().noGpu().claimsMib(GPU, 1, 8192))
        .allocated("old", "n1", 0, 8192)
        .waiting("fits", "a", share(1, 8192).minutesOld(9))
        .waiting("late", "a", share(1, 4096).minutesOld(8))
        .plan()
        .reserves("fits", "n1")
        .waitsFor("late", Obstacle.CLAIMS)
        .andNothingElse();
  }

  @Test
  void whatIsAllocatedCountsAndNotWhatWasAsked() {
    // the driver rounded 4097 MiB up to 8192: half of the device, and of the queue's limit
    cluster()
        .queue("a", quota(1).limit(0.6))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 2, 16_384)
        .running("old", "a", pod().noGpu().claimsMib(GPU, 1, 4097))
        .allocated("old", "n1", 0, 8192)
        .waiting("late", "a", share(1, 2048))
        .plan()
        .waits("late", new Reason.OverLimit(new QueueName("a"), Resource.GPU, 500, 125, 600))
        .andNothingElse();
  }

  @Test
  void whatForeignSharesLeaveIsDivided() {
    // half of the GPU: a quarter for each queue
    cluster()
        .queue("a", quota(0))
        .queue("b", quota(0))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 1, 16_384)
        .foreignShare("n1", GPU, 0, 8192)
        .running("one", "b", gang(1).noGpu().claimsMib(GPU, 1, 4096).minutesOld(9))
        .running("two", "b", gang(1).noGpu().claimsMib(GPU, 1, 4096).minutesOld(8))
        .waiting("owed", "a", share(1, 4096))
        .plan()
        .reservesByTaking("owed", "two")
        .andNothingElse();
  }

  /// Which of the two costs more depends on the memory of the node's GPUs.
  @Test
  void ofPartsAndAWholeGpuTheDearerIsCharged() {
    var parts = new TreeMap<>(Map.of("memory", 6144L << 20));
    var three = new Choice(GPU, 3, false, false, List.of(), parts);
    var one = new Choice(GPU, 1, false, false, List.of());
    var counted = new Reason.CountedClaim(new ClaimKey("default", "either"), GPU, 3, 2, false);
    cluster()
        .queue("a", quota(1).limit(1))
        .queue("b", quota(1).limit(1))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 3, 16_384)
        .claim("either", "a", one, three)
        .waiting("small", "a", pod().noGpu().claims("either"))
        .plan()
        .waits(
            "small",
            new Reason.OverLimit(new QueueName("a"), Resource.GPU, 0, 1125, 1000)
                .counting(List.of(counted)))
        .andNothingElse();
    cluster()
        .queue("a", quota(1).limit(1))
        .queue("b", quota(1).limit(1))
        .node("n1", noGpus())
        .sharedDevices("n1", GPU, 3, 163_840)
        .claim("either", "a", one, three)
        .claim("late", "b", three, one)
        .waiting("large", "a", pod().noGpu().claims("either").minutesOld(9))
        .waiting("more", "b", pod().noGpu().claims("late").minutesOld(8))
        .plan()
        .reserves("large", "n1")
        .reserves("more", "n1")
        .andNothingElse();
  }
}
