package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever is planned, bound, refused and given back, in whatever order: no device is given twice,
/// and room counts as leaving because of objects and of plans that stand, not of what once was.
class PlanLawTest {
  static LongStream seeds() {
    String one = System.getProperty("seed", "");
    return one.isEmpty() ? LongStream.range(0, 300) : LongStream.of(Long.parseLong(one));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noDeviceIsGivenTwice(long seed) {
    var world = new RandomPlanWorld(seed);
    for (int step = 0; step < 250; step++) {
      world.step();
      world.check(seed, step);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void roomIsBeingLeftBecauseOfObjectsAndOfPlansThatStand(long seed) {
    var world = new RandomPlanWorld(seed);
    for (int step = 0; step < 250; step++) {
      world.step();
      world.checkLeaving(seed, step);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whenNoPlanStandsTheLedgerIsLikeOneMadeAnew(long seed) {
    var world = new RandomPlanWorld(seed);
    for (int step = 0; step < 250; step++) {
      world.step();
    }
    world.comeToRest();
    assertThat(world.fingerprint(world.ledger))
        .as("seed %s", seed)
        .isEqualTo(world.fingerprint(world.madeAnew()));
  }

  @Test
  void theWorldsAreNotIdle() {
    int bindings = 0;
    int runsOn = 0;
    int namedAndRunsOn = 0;
    int late = 0;
    int boundLate = 0;
    for (long seed = 0; seed < 40; seed++) {
      var world = new RandomPlanWorld(seed);
      for (int step = 0; step < 250; step++) {
        world.step();
      }
      bindings += world.bindings;
      late += world.late;
      boundLate += world.boundLate;
      runsOn += world.runsOn;
      namedAndRunsOn += world.namedAndRunsOn;
    }
    assertThat(bindings).isGreaterThan(50);
    assertThat(late).as("holders that came late").isGreaterThan(5);
    assertThat(boundLate).as("Bindings that were done late").isGreaterThan(5);
    assertThat(runsOn).as("pods deleted with a long grace").isGreaterThan(20);
    assertThat(namedAndRunsOn).as("of these victims of a plan that stands").isGreaterThan(5);
  }
}
