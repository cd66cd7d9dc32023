package dev.berth.engine.fairness;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.anything;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Session;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The shares of queues in small clusters.
class SharesTest {
  private static final FairShareSettings OVER_TIME = new FairShareSettings(1, Duration.ofHours(1));

  /// What the division says, in GPUs unless another resource is named.
  private record Said(Session session, Shares shares) {
    static Said of(Cluster cluster) {
      return of(cluster, FairShareSettings.DEFAULT);
    }

    static Said of(Cluster cluster, FairShareSettings settings) {
      var session = Session.over(cluster.snapshot());
      return new Said(session, Shares.of(session, settings));
    }

    Said total(double gpus) {
      assertThat(shares.total(number(Resource.GPU)) / 1000.0).as("total").isEqualTo(gpus);
      return this;
    }

    Said total(Resource resource, long amount) {
      assertThat(shares.total(number(resource))).as("total of " + resource).isEqualTo(amount);
      return this;
    }

    Said requested(String queue, double gpus) {
      assertThat(shares.requested(number(queue), number(Resource.GPU)) / 1000.0)
          .as(queue + " requests")
          .isEqualTo(gpus);
      return this;
    }

    Said requested(String queue, Resource resource, long amount) {
      assertThat(shares.requested(number(queue), number(resource)))
          .as(queue + " requests " + resource)
          .isEqualTo(amount);
      return this;
    }

    Said share(String queue, double gpus) {
      assertThat(shares.share(number(queue), number(Resource.GPU)) / 1000.0)
          .as(queue)
          .isEqualTo(gpus);
      return this;
    }

    Said share(String queue, Resource resource, long amount) {
      assertThat(shares.share(number(queue), number(resource)))
          .as(queue + " " + resource)
          .isEqualTo(amount);
      return this;
    }

    Said allocatable(String queue, double gpus) {
      assertThat(shares.allocatable(number(queue), number(Resource.GPU)) / 1000.0)
          .as(queue + " may have")
          .isEqualTo(gpus);
      return this;
    }

    Said unbounded(String queue) {
      assertThat(shares.allocatable(number(queue), number(Resource.GPU)))
          .as(queue + " may have")
          .isEqualTo(Queue.UNLIMITED);
      return this;
    }

    private int number(String queue) {
      return session.queues().find(new QueueName(queue));
    }

    private int number(Resource resource) {
      for (int r = 0; r < session.queues().width(); r++) {
        if (session.queues().resource(r).equals(resource)) {
          return r;
        }
      }
      throw new AssertionError("nobody counts " + resource);
    }
  }

  // ---- the total

  @Test
  void onlyReadyAndSchedulableNodesCount() {
    Said.of(
            cluster()
                .node("a", gpus(4))
                .node("b", gpus(8).cordoned())
                .node("c", gpus(8).notReady())
                .node("d", noGpus())
                .queue("q", anything()))
        .total(4)
        .total(Resource.CPU, 128_000);
  }

  /// Any user can write the name of another team's queue on pods that it does not admit.
  @Test
  void whatAQueueDoesNotTakeIsNoDemandOfIt() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("ours", quota(0))
                .queue("theirs", quota(0).namespacesWith("team", "ml"))
                .waiting("w", "ours", pods(8).gpus(1))
                .waiting("phantom", "theirs", pods(40).gpus(1)))
        .requested("theirs", 0)
        .share("ours", 8);
  }

  @Test
  void whatOtherSchedulersUseIsNotDivided() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .node("b", gpus(8).cordoned())
                .stranger("a", pods(1).gpus(3))
                .stranger("b", pods(1).gpus(3))
                .queue("q", anything()))
        .total(5)
        .total(Resource.CPU, 63_000);
  }

  @Test
  void whatOursUseIsDividedAlsoOnItsWayOut() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .running("r", "q", pods(2))
                .leaving("l", "q", pods(3))
                .planned("p", "q", pods(1)))
        .total(8);
  }

  @Test
  void podsOutsideTheTreeOfQueuesAreNotDivided() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .queue("orphan", quota(8).below("nobody"))
                .running("r", "no-such-queue", pods(2))
                .running("o", "orphan", pods(1))
                .leaving("l", "no-such-queue", pods(1))
                .waiting("w", "q", pods(9)))
        .total(5)
        .share("q", 5)
        .share("orphan", 0);
  }

  @Test
  void podThatUsesSickDevicesTakesNoneOfTheHealthyOnes() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .node("b", gpus(16).sick("XIDErrors=True"))
                .stranger("b", pods(1).gpus(8))
                .running("r", "no-such-queue", pods(3).on("a"))
                .running("s", "no-such-queue", pods(8).on("b"))
                .queue("q", anything()))
        .total(5)
        .total(Resource.CPU, 2 * 64_000 - 12_000);
  }

  @Test
  void claimedDevicesCountAlsoWhereTheOthersAreSick() {
    Said.of(
            cluster()
                .node("a", gpus(8).sick("XIDErrors=True"))
                .devices("a", "gpu.nvidia.com", 4)
                .running("c", "no-such-queue", pods(1).noGpu().claimsEach("gpu.nvidia.com", 1))
                .queue("q", anything()))
        .total(3);
  }

  @Test
  void migInstancesCountBySlices() {
    var slices = new Resource("nvidia.com/mig-3g.40gb");
    Said.of(
            cluster()
                .node("a", gpus(1).with(slices, 2))
                .queue("q", anything())
                .waiting("w", "q", pods(1).noGpu().asks(slices, 1)))
        .total(7)
        .requested("q", 3)
        .share("q", 3);
  }

  @Test
  void aModelIsDividedOnItsOwn() {
    var h100 = Resource.gpuOfModel("H100");
    Said.of(
            cluster()
                .node("a", gpus(4).model("H100"))
                .node("b", gpus(2).model("T4"))
                .node("c", gpus(2).model("H100").deviceMemory(96_000))
                .queue("a", anything().quota(h100, 5000))
                .queue("b", anything())
                .running("r", "b", pods(5)))
        .total(8)
        .total(h100, 6000)
        .requested("b", h100, 4000)
        .share("a", h100, 0)
        .share("b", h100, 4000)
        .share("b", 5);
  }

  // ---- the request

  @Test
  void allThatRunsAndAllThatWaitsIsRequested() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .running("runs", "q", pods(2))
                .planned("planned", "q", pods(1))
                .partly("partly", "q", 1, pods(3))
                .waiting("waits", "q", gang(20))
                .waiting("lacks", "q", pods(2).atLeast(3))
                .waiting("foreign", "q", pod().gate("another.dev/gate"))
                .waiting("ungated", "q", pod().ungated())
                .waiting("cannot", "q", pods(1).gpus(16))
                .waiting("bad", "q", pods(1).problem("a", "b", "c")))
        .requested("q", 2 + 1 + 3 + 20 + 2 + 1 + 1 + 16 + 1);
  }

  @Test
  void whatTerminatesIsNotRequested() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .leaving("leaves", "q", pods(3))
                .partlyOver("over", "q", 2, true, pods(3)))
        .requested("q", 1)
        .requested("q", Resource.CPU, 1000);
  }

  /// Otherwise shares would fall while a pod leaves, and others would take what it is still owed.
  @Test
  void victimIsRequestedAllTheSame() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .queue("other", anything())
                .makingWay("leaves", "q", pods(3))
                .waiting("claims", "other", pods(8)))
        .requested("q", 3)
        .requested("q", Resource.CPU, 3000)
        .share("q", 3)
        .share("other", 5);
  }

  @Test
  void sharesCountInPartsAndMemoryByTheSmallestDevice() {
    Said.of(
            cluster()
                .node("a", gpus(2).deviceMemory(80_000))
                .node("b", gpus(2).deviceMemory(40_000))
                .queue("q", anything())
                .queue("m", anything())
                .running("half", "q", pods(1).share(500))
                .waiting("two", "q", pods(3).share(250, 2))
                .running("runs", "m", pods(1).memory(20_000).on("a"))
                .waiting("waits", "m", pods(1).memory(20_000)))
        .requested("q", 2)
        .share("q", 2)
        .requested("m", 0.25 + 0.5)
        .share("m", 0.75);
  }

  @Test
  void ancestorsSumUpWhateverTheLimitsBelow() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("ml", quota(4))
                .queue("vision", anything().limit(1).below("ml"))
                .queue("speech", anything().below("ml"))
                .waiting("v", "vision", pods(5))
                .waiting("s", "speech", pods(1)))
        .requested("vision", 5)
        .requested("ml", 6)
        .share("ml", 6)
        .share("vision", 1)
        .share("speech", 1);
  }

  // ---- the division

  @Test
  void quotaFirstThenByWeight() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("a", quota(2))
                .queue("b", quota(2).weight(3))
                .waiting("wa", "a", pods(9))
                .waiting("wb", "b", pods(9)))
        .share("a", 3)
        .share("b", 5);
  }

  @Test
  void childrenDivideWhatTheirParentGot() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("one", quota(6))
                .queue("other", quota(2))
                .queue("one-a", quota(1).below("one"))
                .queue("one-b", quota(9).below("one"))
                .queue("one-c", anything().below("one"))
                .queue("deep", anything().quota(Resource.GPU, Queue.UNLIMITED).below("one-a"))
                .waiting("wa", "deep", pods(9))
                .waiting("wb", "one-b", pods(3))
                .waiting("wc", "one-c", pods(9))
                .waiting("wo", "other", pods(9)))
        .share("one", 6)
        .share("other", 2)
        .share("one-a", 2)
        .share("deep", 2)
        .share("one-b", 3)
        .share("one-c", 1);
  }

  @Test
  void aLimitAboveBoundsWhatIsBelow() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("top", anything().limit(3))
                .queue("leaf", anything().below("top"))
                .waiting("w", "leaf", pods(8)))
        .share("top", 3)
        .share("leaf", 3);
  }

  @Test
  void higherPriorityComesFirstAndOlderQueuesGetTheLeftovers() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("high", anything().priority(200))
                .queue("a", anything())
                .queue("b", anything().daysOld(1))
                .waiting("wh", "high", pods(5))
                .waiting("wa", "a", pods(9))
                .waiting("wb", "b", pods(9)))
        .share("high", 5)
        .share("a", 1)
        .share("b", 2);
  }

  @Test
  void everyResourceIsDividedOnItsOwn() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("a", quota(0).weight(0))
                .queue("b", quota(0))
                .waiting("wa", "a", pods(4).asks(Resource.CPU, 1500))
                .waiting("wb", "b", pods(20).asks(Resource.CPU, 20_000)))
        .share("a", 0)
        .share("a", Resource.CPU, 6000)
        .share("b", 8)
        .share("b", Resource.CPU, 64_000);
  }

  @Test
  void cpuAndMemoryAreGivenToTheLastUnit() {
    Said.of(
            cluster()
                .node("a", noGpus().with(Resource.CPU, 1001))
                .queue("a", anything())
                .queue("b", anything())
                .waiting("wa", "a", pods(9).noGpu())
                .waiting("wb", "b", pods(9).noGpu()))
        .share("a", Resource.CPU, 501)
        .share("b", Resource.CPU, 500);
  }

  @Test
  void anExtendedResourceThatAQueueNamesIsDivided() {
    var nic = new Resource("example.com/nic");
    Said.of(
            cluster()
                .node("a", noGpus().with(nic, 5))
                .queue("a", anything().quota(nic, 1))
                .queue("b", anything())
                .waiting("wa", "a", pods(9).noGpu().asks(nic, 1))
                .waiting("wb", "b", pods(9).noGpu().asks(nic, 1)))
        .total(nic, 5)
        .share("a", nic, 3)
        .share("b", nic, 2);
  }

  @Test
  void brokenQueuesGetNothingAndDisturbNoOther() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("q", anything())
                .queue("x", quota(4).below("y"))
                .queue("y", quota(4).below("x"))
                .queue("below-x", quota(4).below("x"))
                .queue("self", quota(4).below("self"))
                .queue("orphan", quota(4).below("nobody"))
                .queue("below-orphan", quota(4).below("orphan"))
                .waiting("wq", "q", pods(8))
                .waiting("wx", "below-x", pods(8))
                .waiting("ws", "self", pods(8))
                .waiting("wo", "below-orphan", pods(8)))
        .share("q", 8)
        .share("x", 0)
        .share("y", 0)
        .share("below-x", 0)
        .share("self", 0)
        .share("orphan", 0)
        .share("below-orphan", 0)
        .requested("below-orphan", 8);
  }

  @Test
  void whatAQueueMayHaveIsItsQuotaOrShareUpToItsLimit() {
    Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("idle", quota(4))
                .queue("busy", quota(1))
                .queue("bound", quota(4).limit(2))
                .queue("free", anything().quota(Resource.GPU, Queue.UNLIMITED).limit(7))
                .queue("all", anything().quota(Resource.GPU, Queue.UNLIMITED))
                .waiting("w", "busy", pods(5)))
        .share("idle", 0)
        .allocatable("idle", 4)
        .share("busy", 5)
        .allocatable("busy", 5)
        .allocatable("bound", 2)
        .allocatable("free", 7)
        .unbounded("all");
  }

  @Test
  void sharesStandStillDuringTheRound() {
    var said =
        Said.of(
            cluster()
                .node("a", gpus(8))
                .queue("a", anything())
                .queue("b", anything())
                .running("r", "a", pods(8))
                .waiting("w", "b", pods(8)));
    try (var statement = said.session.open()) {
      for (var seat : said.session.groups().getFirst().seats()) {
        statement.evict(seat, Cause.RECLAIM, new GroupKey("default", "w"));
      }
      said.share("a", 4).share("b", 4).requested("a", 8).total(8);
    }
  }

  // ---- over time

  @Test
  void withAFactorTheQueueThatUsedLessGetsMore() {
    var cluster =
        cluster()
            .node("a", gpus(6))
            .queue("a", anything())
            .queue("b", anything())
            .past("a", 0.5)
            .waiting("wa", "a", pods(9))
            .waiting("wb", "b", pods(9));
    Said.of(cluster).share("a", 3).share("b", 3);
    Said.of(cluster, OVER_TIME).share("a", 2).share("b", 4);
  }
}
