package dev.berth.bench.bound;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.bench.Worlds;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BoundTest {
  private static double bound(Trace trace, double... pods) {
    try (var bound = new Bound(trace)) {
      return bound.of(pods);
    }
  }

  @Test
  void aPatternIsTheBestFillingOfOneGpu() {
    var patterns = new Patterns(new int[] {300, 470, 810});
    assertThat(patterns.best(new double[] {300, 400, 810})).containsExactly(3, 0, 0);
    assertThat(patterns.best(new double[] {100, 470, 810})).containsExactly(0, 2, 0);
    assertThat(patterns.best(new double[] {0, 0, 0})).containsExactly(0, 0, 0);
  }

  /// Two GPUs: one share of 700 each leaves 300 that no share requests.
  @Test
  void sharesDoNotFlowTogetherAcrossGpus() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(700));
    assertThat(bound(trace, 5)).isCloseTo(1_400, within(1e-6));
    assertThat(bound(trace, 1)).isCloseTo(700, within(1e-6));
  }

  /// 600 and 400 together fill a GPU: a pattern that is not there at the beginning.
  @Test
  void sizesAreCombinedWherePricesSaySo() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(600), share(400));
    assertThat(bound(trace, 2, 2)).isCloseTo(2_000, within(1e-6));
  }

  @Test
  void modelsCpuAndDemandBound() {
    var picky = new Ask(1_000, 1_000, 1, 1000, "P100");
    var trace = Worlds.trace(List.of(node(2, "T4"), node(1, "P100")), picky, gpus(2));
    assertThat(bound(trace, 3, 0)).isCloseTo(1_000, within(1e-6));
    assertThat(bound(trace, 3, 1)).isCloseTo(3_000, within(1e-6));
    var hungry = new Ask(60_000, 1_000, 1, 1000, "");
    var small = Worlds.trace(List.of(node(2, "T4")), hungry, cpuOnly(1_000));
    assertThat(bound(small, 2, 9)).isCloseTo(1_600, within(1e-6)); // 96 of 120 cores
  }

  /// The model is kept: what was asked before does not matter.
  @Test
  void oneBoundAnswersForManyLoads() {
    var trace = Worlds.trace(List.of(node(2, "T4")), share(600), share(400));
    try (var bound = new Bound(trace)) {
      assertThat(bound.of(new double[] {2, 2})).isCloseTo(2_000, within(1e-6));
      assertThat(bound.of(new double[] {1, 0})).isCloseTo(600, within(1e-6));
      assertThat(bound.of(new double[] {0, 9})).isCloseTo(1_600, within(1e-6));
    }
  }
}
