package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Demand;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ModelChoice;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WrittenPlan;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a ledger knows of the pods that arrive.
class ArrivalCountsTest {
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private long versions = 10;

  private static Pod.Asks asks(long cpu, DeviceRequest devices) {
    return new Pod.Asks(
        new PodRequest(
            Amounts.of(Resource.CPU, cpu), devices, "", List.of(), Isolation.NONE, List.of()),
        Constraints.NONE,
        0,
        Preemptibility.NON_PREEMPTIBLE);
  }

  private static DeviceRequest share(int millis) {
    return new DeviceRequest.Fraction(millis, 1000, 1);
  }

  private void arrives(String name, String scheduler, Pod.Asks asks) {
    arrives(name, scheduler, asks, NodeName.NONE);
  }

  private void arrives(String name, String scheduler, Pod.Asks asks, NodeName node) {
    var _ =
        ledger.record(
            new Fact.PodSeen(
                new Pod(
                    Sketch.uid(name),
                    new PodKey("default", name),
                    versions++,
                    START,
                    scheduler,
                    new Pod.Lifecycle(
                        node.isNone() ? Pod.Phase.PENDING : Pod.Phase.RUNNING,
                        node,
                        node.isNone() ? List.of(Pod.Lifecycle.GATE) : List.of(),
                        false,
                        ""),
                    asks,
                    new Pod.Belonging(
                        QueueName.NONE,
                        GroupKey.NONE,
                        0,
                        "",
                        new Pod.Owner(OwnerUid.NONE, "", "", ""),
                        0),
                    new Pod.Written(WrittenPlan.NONE, List.of()),
                    Pod.Holding.NONE,
                    List.of())));
  }

  private void runs(String name, String node, int gpus) {
    var asks =
        new Pod.Asks(
            new PodRequest(
                Amounts.of(Resource.NVIDIA, gpus),
                new DeviceRequest.Whole(Resource.NVIDIA, gpus),
                "",
                List.of(),
                Isolation.NONE,
                List.of()),
            Constraints.NONE,
            0,
            Preemptibility.NON_PREEMPTIBLE);
    arrives(name, "berth", asks, new NodeName(node));
  }

  private void arrive(int from, int to, Pod.Asks asks) {
    for (int i = from; i < to; i++) {
      arrives("p" + i, "berth", asks);
    }
  }

  private Demand demand() {
    return ledger.snapshot(START).demand();
  }

  @Test
  void fewPodsSayNothing() {
    arrive(0, 7, asks(1000, share(500)));
    assertThat(demand().isNone()).as("no demand is counted").isTrue();
    arrive(7, 8, asks(1000, share(500)));
    assertThat(demand().classes())
        .containsExactly(
            new Demand.ArrivalClass(
                1000, new DeviceRequest.Fraction(500, 500, 1), ModelChoice.ANY, 8, 0));
  }

  @Test
  void itIsCountedAnewWhenAQuarterMoreArrived() {
    arrive(0, 100, asks(1000, share(500)));
    var first = demand();
    arrive(100, 124, asks(2000, share(300)));
    assertThat(demand()).isSameAs(first);
    arrive(124, 125, asks(2000, share(300)));
    assertThat(demand().classes()).hasSize(2);
    assertThat(demand().classes().getFirst().count()).isEqualTo(100);
  }

  @Test
  void aPodCountsOnceAndWhenItIsGoneToo() {
    arrive(0, 8, asks(1000, share(500)));
    arrive(0, 8, asks(1000, share(500))); // seen again
    var _ = ledger.record(new Fact.PodGone(new PodKey("default", "p0"), Sketch.uid("p0")));
    assertThat(demand().pods()).isEqualTo(8);
  }

  @Test
  void podsOfOtherSchedulersDoNotCount() {
    for (int i = 0; i < 20; i++) {
      arrives("s" + i, "other", asks(1000, share(500)));
    }
    assertThat(demand().isNone()).as("no demand is counted").isTrue();
  }

  @Test
  void rareClassesAreLeftOut() {
    arrive(0, 990, asks(1000, share(500)));
    arrive(990, 1000, asks(1000, share(300)));
    assertThat(demand().pods()).isEqualTo(1000);
    assertThat(demand().classes()).hasSize(1);
  }

  @Test
  void whatIsKeptIsBounded() {
    var arrivals = new ArrivalCounts();
    arrive(0, 1, asks(1, share(1)));
    var pod = ledger.pod(Sketch.uid("p0")).orElseThrow();
    for (int i = 0; i < 5_000; i++) {
      arrivals.add(pod.asking(asks(i, share(500))));
    }
    for (int i = 0; i < 100_000; i++) {
      arrivals.add(pod.asking(asks(1, share(1 + i % 3))));
    }
    arrivals.publish(List.of());
    assertThat(arrivals.demand().pods()).isLessThan(1 << 16);
    assertThat(arrivals.demand().classes()).hasSize(3);
  }

  @Test
  void itIsCountedAnewAfterAThousandPodsAtTheLatest() {
    arrive(0, 8_000, asks(1000, share(500)));
    var first = demand();
    arrive(8_000, 8_999, asks(1000, share(500)));
    assertThat(demand()).isSameAs(first);
    arrive(8_999, 9_000, asks(1000, share(500)));
    assertThat(demand().pods()).isEqualTo(9_000);
  }

  @Test
  void placesAreCountedWhereNodesTakePods() {
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("a", 8)));
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("b", 4)));
    long cpu = Sketch.node("a", 8).allocatable().of(Resource.CPU);
    arrive(0, 4, asks(cpu, share(500)));
    arrive(4, 7, asks(1, share(400)));
    arrive(7, 9, asks(1, new DeviceRequest.Whole(Resource.NVIDIA, 3)));
    assertThat(demand().classes().stream().map(Demand.ArrivalClass::places))
        .containsExactly(2L, 24L, 3L);
  }

  @Test
  void whatPodsGaveBackCountsAsSupplyUntilTheNextCount() {
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("a", 8)));
    runs("one", "a", 4);
    runs("two", "a", 1);
    arrive(0, 8, asks(1000, share(500)));
    assertThat(demand().supplyMillis()).as("nobody ended").containsEntry("H100", 3_000L);
    var _ = ledger.record(new Fact.PodGone(new PodKey("default", "two"), Sketch.uid("two")));
    var _ = ledger.record(new Fact.PodGone(new PodKey("default", "two"), Sketch.uid("two")));
    arrive(8, 20, asks(1000, share(500)));
    assertThat(demand().supplyMillis()).containsEntry("H100", 4_000L + 1_000L);
    arrive(20, 40, asks(1000, share(500)));
    assertThat(demand().supplyMillis()).containsEntry("H100", 4_000L);
  }

  @Test
  void whatNoNodeCouldEverHoldDoesNotCount() {
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("a", 8)));
    arrive(0, 10, asks(1000, share(500)));
    arrive(10, 20, asks(1000, new DeviceRequest.Whole(Resource.NVIDIA, Integer.MAX_VALUE)));
    arrive(20, 30, asks(1L << 53, new DeviceRequest.Whole(Resource.NVIDIA, 1)));
    assertThat(demand().classes().stream().map(Demand.ArrivalClass::devices))
        .containsExactly(new DeviceRequest.Fraction(500, 500, 1));
  }

  @Test
  void aFloodOfOddPodsTakesNothingFromThoseThatComeOften() {
    arrive(0, 1_000, asks(1000, share(500)));
    for (int i = 0; i < 20_000; i++) {
      arrive(1_000 + i, 1_001 + i, asks(5000 + i, share(500)));
    }
    assertThat(demand().classes().getFirst().count()).isEqualTo(1_000);
  }

  @Test
  void freeGpusAreCountedByModel() {
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("a", 8)));
    var _ = ledger.record(new Fact.NodeSeen(Sketch.node("b", 4)));
    arrive(0, 8, asks(1000, share(500)));
    assertThat(demand().supplyMillis()).containsEntry("H100", 12_000L).hasSize(1);
  }
}
