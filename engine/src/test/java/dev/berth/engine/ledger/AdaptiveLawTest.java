package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Placement;
import dev.berth.engine.placement.Strategy;
import dev.berth.engine.placement.Strategy.Spread;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Pods arrive at random from a few classes until nothing fits any more.
class AdaptiveLawTest {
  private static final Strategy BINPACK = new Strategy(Spread.BINPACK, Spread.BINPACK);

  private static Optional<Placement> place(List<Decision> decisions) {
    for (Decision decision : decisions) {
      if (decision instanceof Reserve(_, var block, _, _, _, _, _)) {
        return Optional.of(block.getFirst().placement());
      }
    }
    return Optional.empty();
  }

  private static double allocated(long seed, Strategy strategy) {
    var world = new ArrivalWorld(seed);
    var planner = new Planner(PlannerSettings.DEFAULT.with(strategy)).incremental();
    for (int i = 0; i < 300; i++) {
      var request = world.arrives();
      var snapshot = world.ledger.snapshot(Sketch.START);
      var plan = planner.plan(snapshot, Collections.emptySortedMap());
      world.follow(request, place(plan.decisions()));
    }
    return world.used / (1000.0 * ArrivalWorld.NODES * ArrivalWorld.GPUS);
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
    var world = new ArrivalWorld(1);
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
