package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Demand;
import dev.berth.engine.model.Demand.ArrivalClass;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.ModelChoice;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The strategy `adaptive`: where a pod goes when it is known what pods ask for.
class AdaptiveTest {
  private static final long PLENTY = ArrivalClass.PLENTY;

  private static ArrivalClass share(int millis, int cpu, long count) {
    return new ArrivalClass(
        cpu, new DeviceRequest.Fraction(millis, millis, 1), ModelChoice.ANY, count, PLENTY);
  }

  private static ArrivalClass whole(int gpus, int cpu, long count) {
    return new ArrivalClass(
        cpu, new DeviceRequest.Whole(Resource.NVIDIA, gpus), ModelChoice.ANY, count, PLENTY);
  }

  private static ArrivalClass only(String model, ArrivalClass asks) {
    return new ArrivalClass(
        asks.cpuMillis(),
        asks.devices(),
        new ModelChoice(List.of(model), List.of(), List.of()),
        asks.count(),
        asks.places());
  }

  private static Demand demand(List<ArrivalClass> classes, ArrivalClass another) {
    var all = new ArrayList<>(classes);
    all.add(another);
    return demand(all.toArray(ArrivalClass[]::new));
  }

  private static Demand demand(ArrivalClass... classes) {
    var free = new TreeMap<String, Long>();
    free.put("A", 60_000L);
    free.put("B", 4_000L);
    return new Demand(100, List.of(classes), free);
  }

  /// Sixteen nodes of two GPUs each: `n10000` and so on, `n10014` and `n10015` of model B.
  private static Cluster sixteen() {
    var cluster = cluster().nodes(14, gpus(2).model("A").with(Resource.CPU, 32_000));
    return cluster
        .node("n10014", gpus(2).model("B").with(Resource.CPU, 32_000))
        .node("n10015", gpus(2).model("B").with(Resource.CPU, 32_000));
  }

  private static String place(Cluster cluster, Strategy strategy) {
    var planner = new Planner(PlannerSettings.DEFAULT.with(strategy));
    for (Decision decision : planner.plan(cluster.snapshot()).decisions()) {
      if (decision instanceof Reserve(_, var block, _, _, _, _, _)) {
        return block.getFirst().placement().node().value();
      }
    }
    return "";
  }

  private static String place(Cluster cluster) {
    return place(cluster, Strategy.DEFAULT);
  }

  private static String binpack(Cluster cluster) {
    return place(cluster, new Strategy(Spread.BINPACK, Spread.BINPACK));
  }

  @Test
  void aShareKeepsRoomThatOthersFill() {
    var cluster =
        sixteen()
            .running("half", "default", pods(1).share(500).on("n10003"))
            .waiting("w", "default", pod().share(300));
    assertThat(binpack(cluster)).as("whatever comes").isEqualTo("n10003");
    var whole = demand(share(300, 1000, 30), whole(1, 1000, 70));
    assertThat(place(cluster.demand(whole))).as("others need whole GPUs").isEqualTo("n10003");
    var wastes = demand(share(300, 1000, 10), share(500, 1000, 60), share(700, 1000, 30));
    assertThat(place(cluster.demand(wastes))).as("500 fills the rest").isNotEqualTo("n10003");
  }

  @Test
  void aPlaceThatFewNodesStillHaveIsKept() {
    var cluster =
        sixteen()
            .running("half", "default", pods(1).share(500).on("n10003"))
            .running("others", "default", pods(1).gpus(1).on("n10003"))
            .waiting("w", "default", pod().share(300));
    var shares =
        List.of(share(300, 1000, 10), share(500, 1000, 60), share(700, 1000, 25)); // 500 fills it
    var pairs = whole(2, 1000, 5);
    assertThat(place(cluster.demand(demand(shares, pairs)))).isNotEqualTo("n10003");
    assertThat(place(cluster.demand(demand(shares, pairs.with(3)))))
        .as("few pairs of GPUs are left")
        .isEqualTo("n10003");
    var none = shares.stream().map(each -> each.with(0)).toList();
    assertThat(place(cluster.demand(demand(none, pairs.with(0)))))
        .as("nobody finds room, so nothing is kept for anybody")
        .isNotEqualTo("n10003");
  }

  @Test
  void aPodWithoutGpusLeavesCpuThatFewNodesStillHave() {
    var cluster =
        sixteen()
            .running("full", "default", pods(1).gpus(2).on("n10007"))
            .waiting("w", "default", pod().noGpu().asks(Resource.CPU, 2_000));
    for (int n = 0; n < 16; n++) {
      if (n != 7) {
        cluster =
            cluster.running(
                "r" + n,
                "default",
                pods(1).noGpu().asks(Resource.CPU, 20_000).on("n" + (10_000 + n)));
      }
    }
    var busy = List.of(whole(1, 8_000, 95));
    var large = new ArrivalClass(31_000, DeviceRequest.NONE, ModelChoice.ANY, 5, PLENTY);
    assertThat(place(cluster.demand(demand(busy, large))))
        .as("no GPU is there to need it")
        .isEqualTo("n10007");
    assertThat(place(cluster.demand(demand(busy, large.with(1)))))
        .as("it alone has 31 cores")
        .isNotEqualTo("n10007");
  }

  @Test
  void aScarceModelIsLeftToPodsThatNeedIt() {
    var cluster =
        sixteen()
            .running("half", "default", pods(1).gpus(1).on("n10015"))
            .waiting("w", "default", pod().gpus(1));
    assertThat(binpack(cluster)).isEqualTo("n10015");
    assertThat(place(cluster.demand(demand(whole(1, 1000, 100))))).isEqualTo("n10015");
    var scarce = demand(whole(1, 1000, 50), only("B", whole(1, 1000, 50)));
    assertThat(place(cluster.demand(scarce))).isEqualTo("n10000");
    assertThat(place(sixteen().demand(scarce).waiting("w", "default", pod().gpus(1).model("B"))))
        .as("one that needs it")
        .isEqualTo("n10014");
  }

  @Test
  void podsWithoutGpusLeaveTheCpuBesideFreeGpus() {
    var cluster =
        sixteen()
            .running("full", "default", pods(1).gpus(2).asks(Resource.CPU, 2_000).on("n10007"))
            .running("busy", "default", pods(1).noGpu().asks(Resource.CPU, 8_000).on("n10002"))
            .waiting("w", "default", pod().noGpu().asks(Resource.CPU, 4_000));
    assertThat(binpack(cluster)).as("the least CPU left").isEqualTo("n10002");
    var heavy = demand(whole(1, 15_000, 80), share(500, 8_000, 20));
    assertThat(place(cluster.demand(heavy))).as("no GPU is left").isEqualTo("n10007");
  }

  @Test
  void placesForSeveralGpusAreKept() {
    var cluster =
        sixteen()
            .running("half", "default", pods(1).gpus(1).on("n10009"))
            .waiting("w", "default", pod().gpus(1));
    var demand = demand(whole(1, 1000, 60), whole(2, 1000, 40));
    assertThat(place(cluster.demand(demand))).isEqualTo("n10009");
  }

  @Test
  void aSmallClusterIsPacked() {
    var few = cluster().nodes(15, gpus(2).model("A").with(Resource.CPU, 32_000));
    var cluster =
        few.demand(demand(share(300, 1000, 10), share(500, 1000, 60), share(700, 1000, 30)))
            .running("half", "default", pods(1).share(500).on("n10003"))
            .waiting("w", "default", pod().share(300));
    assertThat(place(cluster)).isEqualTo(binpack(cluster));
  }

  @Test
  void whatNeverFitsIsNoDemand() {
    var never =
        new ArrivalClass(
            1000, new DeviceRequest.Memory(1L << 40, 1L << 40, 1), ModelChoice.ANY, 9, PLENTY);
    var cluster = sixteen().waiting("w", "default", pod().gpus(1));
    assertThat(place(cluster.demand(demand(never)))).isEqualTo("n10000");
  }

  @Test
  void podsThatArriveUngatedAreScoredAlike() {
    var cluster =
        sixteen()
            .running("half", "default", pods(1).share(500).on("n10003"))
            .demand(demand(share(300, 1000, 10), share(500, 1000, 60), share(700, 1000, 30)));
    var names = new NodeName[16];
    Arrays.setAll(names, n -> new NodeName("n" + (10_000 + n)));
    var loose = Cluster.podOf("loose", 0, pod().share(300), Cluster.NOW, new Standing.Waiting());
    var scores =
        SinglePodPlanner.over(cluster.snapshot(), PlannerSettings.DEFAULT)
            .scores(loose, List.of(names));
    assertThat(scores[3]).isLessThan(10);
    assertThat(scores[0]).isEqualTo(10);
  }
}
