package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.NodeSketch.noGpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsForbid;
import dev.berth.engine.model.Reason.EvictionBackoff;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.VictimsProtected;
import dev.berth.engine.model.Resource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That a wait is put down to pods that are not evicted only where their eviction could end it.
class EvictionReasonsTest {
  private static final String AMD = "amd.com/gpu";

  /// All that there is, borrowed by young groups.
  private static Cluster borrowed(NodeSketch node) {
    return cluster()
        .node("n1", node)
        .queue("product", quota(4))
        .queue("research", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .running("borrowed", "research", gang(4).runningFor(ofMinutes(1)));
  }

  private static PodSketch outsideTheSelector() {
    return gang(1).selects("disk", "ssd");
  }

  /// The room that either leaves is not enough: neither alone helps.
  @Test
  void aBudgetAndAMinRuntimeThatKeepTheSameNodeAreBothTold() {
    String told =
        cluster()
            .node("n1", gpus(4))
            .queue("product", quota(4))
            .queue("research", quota(0).reclaimMinRuntime(ofMinutes(10)))
            .honouringBudgets()
            .running("young", "research", gang(2).runningFor(ofMinutes(1)))
            .running("kept", "research", gang(2).label("app", "db").runningFor(ofMinutes(60)))
            .budget("db", 0)
            .waiting("train", "product", gang(1).gpus(4))
            .plan()
            .tells("train");
    assertThat(told)
        .contains(
            "1 group could make room, but disruption budgets keep its pods (default/db); besides,"
                + " a min-runtime protects 1 more until 2026-01-01T12:09:00Z. Helps: a budget that"
                + " allows a disruption and, where a min-runtime protects others, time, or");
  }

  @Test
  void aProtectedGroupIsNotToldWhereNoNodeIsSelected() {
    borrowed(gpus(4))
        .waiting("train", "product", gang(1))
        .plan()
        .waits("train", VictimsProtected.class);
    borrowed(gpus(4))
        .waiting("train", "product", outsideTheSelector())
        .plan()
        .waits("train", NoRoom.class);
  }

  @Test
  void aProtectedGroupIsNotToldWhereAllNodesAreCordoned() {
    borrowed(gpus(4).cordoned())
        .waiting("train", "product", gang(1))
        .plan()
        .waits("train", NoRoom.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvidia.com/mig-1g.10gb", "nvidia.com/gpus", AMD})
  void aProtectedGroupIsNotToldWhereNoNodeOffersTheResource(String resource) {
    borrowed(gpus(4))
        .waiting("train", "product", gang(1).noGpu().asks(new Resource(resource), 1))
        .plan()
        .waits("train", NoRoom.class);
  }

  @Test
  void aProtectedGroupIsNotToldWhereNoNodeOffersGpusOfTheVendor() {
    borrowed(gpus(4))
        .waiting("train", "product", gang(1).devices(Resource.AMD, 1))
        .plan()
        .waits("train", NoRoom.class);
  }

  /// The other node takes pods and has no GPUs.
  @Test
  void aProtectedGroupIsNotToldWhereTheNodesThatOfferTheResourceAreCordoned() {
    borrowed(gpus(4).cordoned())
        .node("n2", noGpus())
        .waiting("train", "product", gang(1))
        .plan()
        .waits("train", NoRoom.class);
  }

  @Test
  void aProtectedGroupIsToldWhereAnyNodeCouldTakeThePod() {
    borrowed(gpus(4))
        .node("n2", gpus(4).cordoned())
        .node("n3", noGpus())
        .waiting("train", "product", gang(1))
        .plan()
        .waits("train", VictimsProtected.class);
  }

  @Test
  void aProtectedGroupIsToldWhereCoresAreLacking() {
    cluster()
        .node("n1", noGpus())
        .queue("product", quota(0).quota(Resource.CPU, 64_000))
        .queue("research", quota(0).quota(Resource.CPU, 0).reclaimMinRuntime(ofMinutes(10)))
        .running(
            "borrowed",
            "research",
            gang(1).noGpu().asks(Resource.CPU, 60_000).runningFor(ofMinutes(1)))
        .waiting("serve", "product", gang(1).noGpu().asks(Resource.CPU, 32_000))
        .plan()
        .waits("serve", VictimsProtected.class);
  }

  @Test
  void aBudgetIsNotToldWhereNoNodeIsSelected() {
    preempting(outsideTheSelector().priority(60)).plan().waits("high", NoRoom.class);
  }

  private static Cluster preempting(PodSketch high) {
    return cluster()
        .node("n1", gpus(2))
        .queue("q", quota(2))
        .running("low", "q", gang(2).priority(40).label("app", "web"))
        .budget("web", 0)
        .waiting("high", "q", high);
  }

  /// On each node the budget lets one go; together it lets one go.
  @Test
  void aBudgetThatLetsTooFewGoIsTold() {
    assertThat(told(2, 1)).isInstanceOf(BudgetsForbid.class);
    assertThat(told(1, 0)).isInstanceOf(BudgetsForbid.class);
  }

  private static Reason told(int members, int allowed) {
    return cluster()
        .node("n1", gpus(2))
        .node("n2", gpus(2))
        .queue("q", quota(4))
        .running("low", "q", pods(4).priority(40).label("app", "web"))
        .budget("web", allowed)
        .waiting("high", "q", gang(members).priority(60))
        .plan()
        .reason("high");
  }

  @Test
  void aDelayIsNotToldWhereNoNodeIsSelected() {
    var delayed = outsideTheSelector().priority(60).minutesOld(4).takesVictimsAfter(ofMinutes(5));
    preempting(delayed).plan().waits("high", NoRoom.class);
  }

  @Test
  void aBackOffIsNotToldWhereNoNodeIsSelected() {
    var backoff = new Backoff("", 2, "", Cluster.NOW.plusSeconds(30));
    preempting(outsideTheSelector().priority(60))
        .backsOff(Map.of("high", backoff))
        .plan()
        .waits("high", NoRoom.class);
    preempting(gang(2).priority(60))
        .backsOff(Map.of("high", backoff))
        .plan()
        .waits("high", EvictionBackoff.class);
  }

  /// A quota would not help it.
  @Test
  void aFairShareIsNotToldWhereNoNodeIsSelected() {
    var world =
        cluster()
            .node("n1", gpus(8))
            .queue("vision", quota(4))
            .queue("speech", quota(4))
            .running("ours", "vision", pods(4))
            .running("theirs", "speech", pods(4));
    world
        .waiting("more", "vision", gang(1))
        .waiting("elsewhere", "vision", outsideTheSelector())
        .plan()
        .waits("more", FairShareReached.class)
        .waits("elsewhere", NoRoom.class);
  }

  /// Product has 0 of its share of 6, and research borrowed the rest.
  private static Cluster owed() {
    return cluster()
        .node("n1", gpus(8))
        .queue("product", quota(6))
        .queue("research", quota(1).reclaimMinRuntime(ofMinutes(10)))
        .queue("third", quota(1))
        .running("borrowed", "research", gang(7).runningFor(ofMinutes(1)));
  }

  @Test
  void aGroupWithinItsQuotaDoesNotHideThatAllOthersAreProtected() {
    owed()
        .running("fixed", "third", gang(1).nonPreemptible())
        .waiting("train", "product", gang(2))
        .plan()
        .waits("train", VictimsProtected.class);
    var reason =
        owed()
            .running("own", "third", gang(1))
            .waiting("train", "product", gang(2))
            .plan()
            .reason("train");
    assertThat(reason)
        .isInstanceOfSatisfying(
            VictimsProtected.class, told -> assertThat(told.groups()).isEqualTo(1));
  }

  @Test
  void aGroupWithinItsQuotaDoesNotHideThatBudgetsKeepAllOthers() {
    cluster()
        .node("n1", gpus(8))
        .queue("product", quota(6))
        .queue("research", quota(1))
        .queue("third", quota(1))
        .running("borrowed", "research", gang(7).label("app", "web"))
        .running("own", "third", gang(1))
        .budget("web", 0)
        .waiting("train", "product", gang(2))
        .plan()
        .waits("train", BudgetsForbid.class);
  }

  private static Cluster preemptingBesideOthers(int others, int quota) {
    return cluster()
        .node("n1", gpus(3))
        .queue("q", quota(2))
        .queue("third", quota(quota))
        .running("low", "q", gang(2).priority(40).label("app", "web"))
        .running("others", "third", pods(others))
        .waiting("high", "q", gang(2).priority(60));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void othersDoNotHideThatABudgetKeepsThoseOfLowerPriority(int quota) {
    preemptingBesideOthers(1, quota).budget("web", 0).plan().waits("high", BudgetsForbid.class);
  }

  @Test
  void othersDoNotHideThatAMinRuntimeProtectsThoseOfLowerPriority() {
    cluster()
        .node("n1", gpus(3))
        .queue("q", quota(2).preemptMinRuntime(ofMinutes(10)))
        .queue("third", quota(1))
        .running("low", "q", gang(2).priority(40).runningFor(ofMinutes(1)))
        .running("others", "third", pods(1))
        .waiting("high", "q", gang(2).priority(60))
        .plan()
        .waits("high", VictimsProtected.class);
  }

  /// Product may take back what research has on both nodes, and its pod may be on n1 alone.
  private static Cluster pinned() {
    return cluster()
        .node("n1", gpus(2).label("disk", "ssd"))
        .node("n2", gpus(2))
        .queue("product", quota(4))
        .queue("research", quota(0).reclaimMinRuntime(ofMinutes(10)))
        .waiting("train", "product", gang(1).gpus(2).selects("disk", "ssd"));
  }

  @Test
  void podsElsewhereDoNotHideOnesThatAMinRuntimeProtects() {
    pinned()
        .running("here", "research", gang(2).on("n1").runningFor(ofMinutes(1)))
        .running("there", "research", gang(2).on("n2").runningFor(ofMinutes(20)))
        .plan()
        .waits("train", VictimsProtected.class)
        .andNothingElse();
  }

  @Test
  void podsElsewhereDoNotHideOnesThatABudgetKeeps() {
    pinned()
        .running("here", "research", pods(2).on("n1").label("app", "web").runningFor(ofMinutes(20)))
        .running("there", "research", pods(2).on("n2").runningFor(ofMinutes(20)))
        .budget("web", 1)
        .honouringBudgets()
        .plan()
        .waits("train", BudgetsForbid.class)
        .andNothingElse();
  }

  /// The preemptor gains nothing by waiting for that.
  @Test
  void podProtectedElsewhereIsNotTold() {
    pinned()
        .running("here", "product", gang(2).on("n1").nonPreemptible())
        .running("there", "research", gang(2).on("n2").runningFor(ofMinutes(1)))
        .plan()
        .waits("train", NoRoom.class)
        .andNothingElse();
  }

  @Test
  void podWithoutGpuDoesNotHideAProtectedOne() {
    pinned()
        .running("here", "research", gang(2).on("n1").runningFor(ofMinutes(1)))
        .running("cores", "research", gang(1).noGpu().on("n1").runningFor(ofMinutes(20)))
        .plan()
        .waits("train", VictimsProtected.class)
        .andNothingElse();
  }

  @Test
  void podWithTooLittleDoesNotHideAProtectedOne() {
    pinned()
        .running("here", "research", gang(1).on("n1").runningFor(ofMinutes(1)))
        .running("half", "research", gang(1).on("n1").runningFor(ofMinutes(20)))
        .plan()
        .waits("train", VictimsProtected.class)
        .andNothingElse();
  }
}
