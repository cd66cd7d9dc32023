package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Seeds;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Planner and ledger agree. What is planned over a snapshot the ledger takes, as long as no fact
/// came in between (where plans are withdrawn whose victims stay, it may have to be planned once
/// more); and where nothing happens any more, soon nothing is decided any more, though plans still
/// wait for room.
class LedgerLawTest {
  private static final int STEPS = 25;

  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsPlannedIsKeptAndComesToRest(long seed) {
    var world = new LedgerWorld(seed);
    for (int step = 0; step < STEPS; step++) {
      world.comeToRest(seed, step);
      world.step();
    }
  }

  @Test
  void theWorldsAreNotIdle() {
    int withdrawals = 0;
    int deadHolders = 0;
    int mostRounds = 0;
    for (long seed = 0; seed < 100; seed++) {
      var world = new LedgerWorld(seed);
      for (int step = 0; step < STEPS; step++) {
        world.comeToRest(seed, step);
        world.step();
      }
      withdrawals += world.withdrawals;
      deadHolders += world.deadHolders;
      mostRounds = Math.max(mostRounds, world.mostRounds);
    }
    assertThat(mostRounds > 2).as("rounds until nothing is decided: " + mostRounds).isTrue();
    assertThat(withdrawals > 10).as("withdrawals: " + withdrawals).isTrue();
    assertThat(deadHolders > 50).as("holders that failed: " + deadHolders).isTrue();
  }
}
