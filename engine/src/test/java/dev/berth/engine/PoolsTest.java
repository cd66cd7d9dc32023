package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.ReceiptText;
import dev.berth.engine.explain.Receipts;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsForbid;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoSuchPool;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A label divides nodes and workloads into pools, each with its own capacity and fair shares.
class PoolsTest {
  private static final PlannerSettings POOLS = PlannerSettings.DEFAULT.withPools("pool");

  private static Cluster twoPools() {
    return cluster()
        .settings(POOLS)
        .node("a1", gpus(4).label("pool", "a"))
        .node("b1", gpus(4).label("pool", "b"));
  }

  @Test
  void aGroupHasOnlyTheRoomOfThePoolThatItSelects() {
    twoPools()
        .waiting("fits", "default", gang(4).selects("pool", "a"))
        .waiting("spans", "default", gang(5).selects("pool", "b"))
        .plan()
        .reserves("fits", "a1", "a1", "a1", "a1")
        .waits("spans", NeverFits.class)
        .andNothingElse();
  }

  @Test
  void anAffinityThatLeavesOneValueSelectsAsWell() {
    twoPools()
        .waiting("x", "default", gang(1).wants("pool", Operator.IN, "b"))
        .plan()
        .reserves("x", "b1")
        .andNothingElse();
  }

  @Test
  void nodesWithoutTheLabelAreThePoolOfThoseThatNameNone() {
    twoPools()
        .node("c1", gpus(4))
        .waiting("free", "default", gang(4))
        .plan()
        .reserves("free", "c1", "c1", "c1", "c1")
        .andNothingElse();
  }

  /// The nodes without the label are a pool, too, and have none.
  @Test
  void devicesThatOnlyOtherPoolsHaveAreTold() {
    twoPools()
        .node("c1", gpus(0))
        .waiting("whole", "default", gang(1))
        .waiting("share", "default", gang(1).share(500))
        .waiting("cores", "default", gang(1).noGpu())
        .plan()
        .waits("whole", new NoSuchPool("pool", "", List.of("a", "b")))
        .waits("share", new NoSuchPool("pool", "", List.of("a", "b")))
        .reserves("cores", "c1")
        .andNothingElse();
  }

  @Test
  void aPoolWithoutNodesIsTold() {
    twoPools()
        .waiting("wrong", "default", gang(1).selects("pool", "c"))
        .waiting("none", "default", gang(1))
        .plan()
        .waits("wrong", new NoSuchPool("pool", "c", List.of("a", "b")))
        .waits("none", new NoSuchPool("pool", "", List.of("a", "b")))
        .andNothingElse();
  }

  @Test
  void membersOfOneGroupSelectOnePool() {
    twoPools()
        .running("x", "default", pods(1).selects("pool", "a").on("a1"))
        .partly("y", "default", 1, pods(2).selects("pool", "b").on("a1"))
        .plan()
        .waits(
            "y",
            new Reason.BadRequest(
                "pod default/y-100001",
                new Problem(
                    "spec.nodeSelector[pool]",
                    "b",
                    "must be \"a\", the pool of the rest of its group")))
        .andNothingElse();
  }

  /// Its running member is charged, and its time passes.
  @Test
  void aGroupWithAStraySelectorRunsOnInItsPool() {
    twoPools()
        .queue("q", quota(0).limit(3))
        .partly("y", "q", 1, pods(2).gpus(2).selects("pool", "b").on("a1"))
        .waiting("more", "q", gang(1).gpus(2).selects("pool", "a"))
        .plan()
        .waits("y", Reason.BadRequest.class)
        .waits("more", Reason.OverLimit.class)
        .andNothingElse();
    twoPools()
        .partly(
            "y",
            "default",
            1,
            pods(2)
                .selects("pool", "b")
                .on("a1")
                .runningFor(Duration.ofHours(2))
                .mustRunAtMost(Duration.ofHours(1))
                .warnedFor(Duration.ofHours(1)))
        .plan()
        .evicts("y", Cause.MAX_RUNTIME, 1)
        .andNothingElse();
  }

  @Test
  void strangersAndClaimedDevicesAreInAPoolAsElsewhere() {
    twoPools()
        .node("a0", gpus(4).label("pool", "a").label("host", "a0"))
        .stranger("loner", "a0", pods(1).noGpu().label("app", "x"))
        .devices("a1", "gpu.example.com", 2)
        .waiting(
            "claims",
            "default",
            gang(1).noGpu().claimsEach("gpu.example.com", 2).selects("pool", "a"))
        .waiting("apart", "default", gang(1).gpus(4).selects("pool", "a").apart("host", "app", "x"))
        .plan()
        .reserves("claims", "a1")
        .reserves("apart", "a1")
        .andNothingElse();
  }

  /// In a, `lender` is owed half of four; what `borrower` has of b does not count there.
  @Test
  void sharesAreDividedInEachPoolOnItsOwn() {
    twoPools()
        .queue("lender", quota(0))
        .queue("borrower", quota(0))
        .running("far", "borrower", pods(4).selects("pool", "b").on("b1"))
        .running("near", "borrower", pods(2).selects("pool", "a").on("a1"))
        .running("own", "lender", pods(2).selects("pool", "a").on("a1"))
        .waiting("more", "lender", gang(1).selects("pool", "a"))
        .plan()
        .waits("more", Reason.FairShareReached.class)
        .andNothingElse();
    twoPools()
        .queue("lender", quota(0))
        .queue("borrower", quota(0))
        .running("near", "borrower", pods(3).selects("pool", "a").on("a1"))
        .running("own", "lender", pods(1).selects("pool", "a").on("a1"))
        .waiting("more", "lender", gang(1).selects("pool", "a"))
        .plan()
        .reservesByTaking("more", "near")
        .andNothingElse();
  }

  @Test
  void aLimitHoldsInEachPoolOnItsOwn() {
    twoPools()
        .queue("q", quota(0).limit(3))
        .running("there", "q", pods(3).selects("pool", "b").on("b1"))
        .waiting("here", "q", gang(3).selects("pool", "a"))
        .waiting("more", "q", gang(1).selects("pool", "b"))
        .plan()
        .reserves("here", 3)
        .waits("more", Reason.OverLimit.class)
        .andNothingElse();
  }

  /// A zone may be in many pools.
  @Test
  void podsOfOtherPoolsAreNeighbours() {
    zonesInTwoPools()
        .running("cache", "default", gang(1).on("b2").label("app", "cache"))
        .waiting("web", "default", gang(1).selects("pool", "a").near("zone", "app", "cache"))
        .plan()
        .reserves("web", "a2")
        .andNothingElse();
    zonesInTwoPools()
        .running("quiet", "default", gang(1).on("b1").apart("zone", "app", "loud"))
        .waiting("loud", "default", gang(1).selects("pool", "a").label("app", "loud"))
        .plan()
        .reserves("loud", "a2")
        .andNothingElse();
    zonesInTwoPools()
        .node("c1", gpus(4).label("zone", "east"))
        .node("c2", gpus(4).label("zone", "west"))
        .running("old", "default", gang(1).on("b1").label("app", "web"))
        .waiting("new", "default", gang(1).label("app", "web").evenly("zone", 1, "app", "web"))
        .plan()
        .reserves("new", "c2")
        .andNothingElse();
  }

  @Test
  void podsOfOthersAndLeavingPodsOfOtherPoolsAreNeighboursToo() {
    zonesInTwoPools()
        .stranger("quiet", "b1", gang(1).noGpu().apart("zone", "app", "loud"))
        .waiting("loud", "default", gang(1).selects("pool", "a").label("app", "loud"))
        .plan()
        .reserves("loud", "a2")
        .andNothingElse();
    zonesInTwoPools()
        .leaving("old", "default", gang(1).on("b1").label("app", "db"))
        .waiting("new", "default", gang(1).selects("pool", "a").apart("zone", "app", "db"))
        .plan()
        .reserves("new", "a2")
        .andNothingElse();
  }

  /// Planned in the same round; a pod that leaves in it still counts.
  @Test
  void whatIsPlannedInOnePoolIsSeenInTheNext() {
    zonesInTwoPools()
        .waiting(
            "cache",
            "default",
            gang(1).selects("pool", "a").selects("zone", "west").label("app", "cache"))
        .waiting("web", "default", gang(1).selects("pool", "b").near("zone", "app", "cache"))
        .plan()
        .reserves("cache", "a2")
        .reserves("web", "b2")
        .andNothingElse();
    zonesInTwoPools()
        .queue("own", quota(4))
        .queue("other", quota(0))
        .running("lent", "other", pods(4).on("a1").label("app", "db"))
        .queue("third", quota(4))
        .running("full", "third", gang(4).on("a2"))
        .waiting("back", "own", gang(4).selects("pool", "a"))
        .waiting("new", "own", gang(1).selects("pool", "b").apart("zone", "app", "db"))
        .plan()
        .reservesTaking("back", 4, Cause.RECLAIM, 4)
        .reserves("new", "b2")
        .andNothingElse();
  }

  private static Cluster zonesInTwoPools() {
    return cluster()
        .settings(POOLS)
        .node("a1", gpus(4).label("pool", "a").label("zone", "east"))
        .node("a2", gpus(4).label("pool", "a").label("zone", "west"))
        .node("b1", gpus(4).label("pool", "b").label("zone", "east"))
        .node("b2", gpus(4).label("pool", "b").label("zone", "west"));
  }

  @Test
  void aDisruptionBudgetCountsOverAllPools() {
    lentInBoth()
        .honouringBudgets()
        .budget("web", 2)
        .plan()
        .reservesTaking("back-a", 1, Cause.RECLAIM, 1)
        .reservesTaking("back-b", 1, Cause.RECLAIM, 1)
        .andNothingElse();
    lentInBoth()
        .honouringBudgets()
        .budget("web", 1)
        .plan()
        .reservesTaking("back-a", 1, Cause.RECLAIM, 1)
        .waits("back-b", BudgetsForbid.class)
        .andNothingElse();
  }

  /// Be it in a pool whose turn comes later.
  @Test
  void victimInAnotherPoolUsesABudgetUp() {
    lentInBoth()
        .honouringBudgets()
        .node("c1", gpus(1).label("pool", "c"))
        .asked("going", "other", pods(1).on("c1").label("app", "web"))
        .budget("web", 2)
        .plan()
        .reservesTaking("back-a", 1, Cause.RECLAIM, 1)
        .waits("back-b", BudgetsForbid.class)
        .andNothingElse();
  }

  private static Cluster lentInBoth() {
    return twoPools()
        .queue("own", quota(4))
        .queue("other", quota(0))
        .running("lent-a", "other", pods(4).on("a1").label("app", "web"))
        .running("lent-b", "other", pods(4).on("b1").label("app", "web"))
        .waiting("back-a", "own", gang(1).selects("pool", "a"))
        .waiting("back-b", "own", gang(1).selects("pool", "b"));
  }

  @Test
  void podThatRunsInAPoolBelongsToItWhateverItSelects() {
    twoPools()
        .queue("own", quota(4))
        .queue("other", quota(0))
        .running("unnamed", "other", pods(4).on("a1"))
        .waiting("back", "own", gang(4).selects("pool", "a"))
        .plan()
        .reservesTaking("back", 4, Cause.RECLAIM, 4)
        .andNothingElse();
  }

  @Test
  void withoutTheSettingThereIsOnePool() {
    twoPools()
        .settings(PlannerSettings.DEFAULT)
        .waiting("spans", "default", gang(8))
        .plan()
        .reserves("spans", 8)
        .andNothingElse();
  }

  @Test
  void aQueueHasAnotherLimitInOnePool() {
    twoPools()
        .queue("q", quota(0).limit(3).inPool("b", QueueSketch.anything().limit(1)))
        .waiting("a", "q", gang(3).selects("pool", "a"))
        .waiting("b", "q", gang(1).selects("pool", "b"))
        .waiting("more", "q", gang(1).selects("pool", "b"))
        .plan()
        .reserves("a", 3)
        .reserves("b", "b1")
        .waits(
            "more",
            new Reason.OverLimit(new QueueName("q"), Resource.GPU, 1000, 1000, 1000).in("b"))
        .andNothingElse();
  }

  /// Also where a queue above it has another amount in a pool, or the limit is another one's.
  @Test
  void reasonsNameThePoolWhereAmountsDiffer() {
    var deep =
        twoPools()
            .queue("top", QueueSketch.anything().limit(2).inPool("b", quota(1)))
            .queue("q", quota(0).limit(1).below("top"))
            .queue("alone", quota(0).limit(1));
    deep.waiting("a", "q", gang(3).selects("pool", "a"))
        .waiting("same", "alone", gang(2).selects("pool", "b"))
        .plan()
        .waits(
            "a",
            new Reason.OverLimit(new QueueName("q"), Resource.GPU, 0, 3000, 1000)
                .in("a")
                .besides(
                    List.of(
                        new Reason.OverLimit(new QueueName("top"), Resource.GPU, 0, 3000, 2000)
                            .in("a"))))
        .waits("same", new Reason.OverLimit(new QueueName("alone"), Resource.GPU, 0, 2000, 1000))
        .andNothingElse();
  }

  @Test
  void accountsAreOfEachPoolAndOfAllTogether() {
    var world =
        twoPools()
            .queue("q", quota(1).limit(3).inPool("b", quota(2)))
            .running("in-a", "q", pods(2).selects("pool", "a").on("a1"))
            .running("in-b", "q", pods(3).selects("pool", "b").on("b1"));
    var account =
        world.planner().incremental().accounts(world.snapshot()).queues().stream()
            .filter(each -> each.queue().name().value().equals("q"))
            .findFirst()
            .orElseThrow();
    assertThat(account.queue().quota().of(Resource.GPU)).as("as its object says").isEqualTo(1000);
    assertThat(account.allocated()).containsEntry(Resource.GPU, 5000L);
    assertThat(account.pools().keySet()).containsExactly("a", "b");
    var inB = account.in("b").orElseThrow();
    assertThat(inB.queue().quota().of(Resource.GPU)).isEqualTo(2000);
    assertThat(inB.allocated()).containsEntry(Resource.GPU, 3000L);
    assertThat(inB.overQuota().of(Resource.GPU)).isEqualTo(1000);
    assertThat(account.in("c")).isEmpty();
  }

  @Test
  void aReceiptTellsThePoolAndItsQuota() {
    var world =
        twoPools()
            .queue("owed", quota(0).weight(0).inPool("b", quota(4)))
            .queue("borrows", quota(0))
            .running("in-a", "borrows", pods(4).selects("pool", "a").on("a1"))
            .running("in-b", "borrows", pods(4).selects("pool", "b").on("b1"))
            .waiting("b", "owed", gang(4).selects("pool", "b"));
    var snapshot = world.snapshot();
    var planner = world.planner();
    var receipts =
        new Receipts(planner, snapshot, Collections.emptySortedMap(), planner.plan(snapshot))
            .of(_ -> true);
    assertThat(receipts).hasSize(4);
    assertThat(ReceiptText.of(receipts.getFirst()))
        .contains("  Before and after the plan, in pool b:")
        .contains("    borrows gpu: allocated 4 → 0, quota 0, fair share 0 → 0")
        .contains("    owed gpu: allocated 0 → 4, quota 4, fair share 4 → 4");
  }

  @Test
  void withoutALimitOfThePoolThatOfTheQueueHoldsThere() {
    twoPools()
        .queue("q", quota(0).limit(1).inPool("b", quota(2)))
        .running("one", "q", pods(1).selects("pool", "b").on("b1"))
        .waiting("two", "q", gang(1).selects("pool", "b"))
        .plan()
        .waits("two", Reason.OverLimit.class)
        .andNothingElse();
  }

  /// It lent what is its own in one pool, and is owed it there alone.
  @Test
  void aQueueIsOwedTheQuotaOfThePool() {
    twoPools()
        .queue("owed", quota(0).weight(0).inPool("b", quota(4)))
        .queue("borrows", quota(0))
        .running("in-a", "borrows", pods(4).selects("pool", "a").on("a1"))
        .running("in-b", "borrows", pods(4).selects("pool", "b").on("b1"))
        .waiting("a", "owed", gang(1).selects("pool", "a"))
        .waiting("b", "owed", gang(4).selects("pool", "b"))
        .plan()
        .waits("a", Reason.FairShareReached.class)
        .reservesTaking("b", 4, Cause.RECLAIM, 4)
        .andNothingElse();
  }

  /// In `b` three of four are its own part, in `a` two.
  @Test
  void theSpareOfAPoolIsDividedByTheWeightsThere() {
    twoPools()
        .queue("heavy", quota(0).inPool("b", QueueSketch.anything().weight(3)))
        .queue("light", quota(0))
        .running("in-a", "light", pods(4).selects("pool", "a").on("a1"))
        .running("in-b", "light", pods(4).selects("pool", "b").on("b1"))
        .waiting("a", "heavy", gang(3).selects("pool", "a"))
        .waiting("b", "heavy", gang(3).selects("pool", "b"))
        .plan()
        .waits("a", Reason.FairShareReached.class)
        .reservesTaking("b", 3, Cause.RECLAIM, 3)
        .andNothingElse();
  }

  /// Without a label all nodes are one pool, which has no name.
  @Test
  void whereNodesAreNotDividedQueuesHaveWhatTheySay() {
    cluster()
        .node("n1", gpus(4).label("pool", "b"))
        .queue("q", quota(0).limit(1).inPool("b", QueueSketch.anything().limit(4)))
        .waiting("x", "q", gang(2))
        .plan()
        .waits("x", Reason.OverLimit.class)
        .andNothingElse();
  }

  /// A session is kept from plan to plan only as long as each queue is the same object.
  @Test
  void aQueueThatHasNotChangedIsTheSameObjectInAPool() {
    var queues = new PoolQueues();
    var divided = quota(0).inPool("b", quota(2)).named("divided");
    var plain = quota(0).named("plain");
    var first = queues.in("b", List.of(divided, plain));
    var other = quota(1).named("other");
    var later = queues.in("b", List.of(divided, other, plain));
    assertThat(first.getFirst().quota()).isEqualTo(quota(2).named("divided").quota());
    assertThat(later)
        .usingElementComparator((a, b) -> a == b ? 0 : 1)
        .containsExactly(first.get(0), other, plain);
    assertThat(queues.in("a", List.of(divided, plain)))
        .usingElementComparator((a, b) -> a == b ? 0 : 1)
        .containsExactly(divided, plain);
  }
}
