package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Pods arrive at random from a few classes until nothing fits any more.
class AdaptiveLawTest {
  private static final int NODES = 24;
  private static final int GPUS = 4;

  private static final Strategy BINPACK = new Strategy(Spread.BINPACK, Spread.BINPACK);

  /// What there is of one run.
  private static final class World {
    final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
    final Random random;
    long versions = 10;
    long used; // thousandths of GPUs
    int arrived;

    World(long seed) {
      random = new Random(seed);
      for (int n = 0; n < NODES; n++) {
        record(new Fact.NodeSeen(node("n" + (100 + n))));
      }
    }

    void record(Fact fact) {
      var _ = ledger.record(fact);
    }

    private static Node node(String name) {
      return new Node(
          Sketch.at(name),
          1,
          new TreeMap<>(),
          List.of(),
          false,
          true,
          Sketch.amounts(48, GPUS).plus(Amounts.of(Resource.PODS, 109)),
          new Node.Accelerator(Resource.NVIDIA, GPUS, "H100", 80_000, Node.Mig.NONE));
    }

    /// Shares of 800, 550, 450 and 200, whole GPUs, and pods without.
    private PodRequest any() {
      int[] shares = {800, 800, 550, 450, 200};
      int which = random.nextInt(8);
      long cpu = which == 7 ? 8_000 : which == 6 ? 14_000 : 6_000;
      var amounts = Amounts.of(Resource.CPU, cpu);
      if (which < shares.length) {
        return request(amounts, Sketch.share(shares[which]));
      }
      return which == 7
          ? request(amounts, DeviceRequest.NONE)
          : request(
              amounts.plus(Amounts.of(Resource.NVIDIA, 1)),
              new DeviceRequest.Whole(Resource.NVIDIA, 1));
    }

    private static PodRequest request(Amounts amounts, DeviceRequest devices) {
      return new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, List.of());
    }

    private Pod pod(PodRequest request, Placement at) {
      boolean runs = !at.isNone();
      boolean shares = runs && !at.slots().isEmpty();
      return new Pod(
          Sketch.uid("p" + arrived),
          new PodKey("default", "p" + arrived),
          versions++,
          Sketch.START,
          "berth",
          new Pod.Life(
              runs ? Pod.Phase.RUNNING : Pod.Phase.PENDING,
              at.node(),
              runs ? List.of() : List.of(Pod.Life.GATE),
              false,
              ""),
          new Pod.Asks(request, Constraints.NONE, 0, Preemptibility.NON_PREEMPTIBLE),
          new Pod.Belonging(
              QueueName.NONE, GroupKey.NONE, 0, "", new Pod.Owner(OwnerUid.NONE, "", "", ""), 0),
          new Pod.Written(
              shares ? new WrittenPlan(at, "", 1, Sketch.START) : WrittenPlan.NONE, List.of()),
          Pod.Holding.NONE,
          List.of());
    }

    PodRequest arrives() {
      arrived++;
      var request = any();
      record(new Fact.PodSeen(pod(request, Placement.NONE)));
      return request;
    }

    /// It runs where the plan says; else it leaves.
    void follow(PodRequest request, Optional<Placement> place) {
      if (place.isEmpty()) {
        var key = new PodKey("default", "p" + arrived);
        record(new Fact.PodGone(key, Sketch.uid("p" + arrived)));
        return;
      }
      record(new Fact.PodSeen(pod(request, place.get())));
      used += (long) request.devices().count() * request.devices().millisOn(80_000);
    }
  }

  private static Optional<Placement> place(List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Reserve(_, var block, _, _, _, _, _)) {
        return Optional.of(block.getFirst().placement());
      }
    }
    return Optional.empty();
  }

  private static double allocated(long seed, Strategy strategy) {
    var world = new World(seed);
    var planner = new Planner(PlannerSettings.DEFAULT.with(strategy)).incremental();
    for (int i = 0; i < 300; i++) {
      var request = world.arrives();
      var snapshot = world.ledger.snapshot(Sketch.START);
      var plan = planner.plan(snapshot, Collections.emptySortedMap());
      world.follow(request, place(plan.decisions()));
    }
    return world.used / (1000.0 * NODES * GPUS);
  }

  @Test
  void moreIsAllocatedThanByBinpack() {
    double ours = 0;
    double binpack = 0;
    for (long seed = 0; seed < 4; seed++) {
      ours += allocated(seed, Strategy.DEFAULT) / 4;
      binpack += allocated(seed, BINPACK) / 4;
    }
    assertThat(ours).isGreaterThan(binpack + 0.01);
  }

  @Test
  void aPlannerThatGoesOnPlansAsAFreshOne() {
    var world = new World(1);
    var planner = new Planner(PlannerSettings.DEFAULT);
    var incremental = planner.incremental();
    for (int i = 0; i < 150; i++) {
      var request = world.arrives();
      var snapshot = world.ledger.snapshot(Sketch.START);
      var plan = incremental.plan(snapshot, Collections.emptySortedMap());
      assertThat(plan.decisions()).isEqualTo(planner.plan(snapshot).decisions());
      world.follow(request, place(plan.decisions()));
    }
  }
}
