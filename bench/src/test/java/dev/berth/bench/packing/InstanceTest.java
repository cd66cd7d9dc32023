package dev.berth.bench.packing;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.Worlds;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class InstanceTest {
  private static long total(Instance instance) {
    return Arrays.stream(instance.arrivals())
        .mapToLong(k -> instance.trace().asks().get(k).gpuMillis())
        .sum();
  }

  private static Trace trace(int pods, Ask ask) {
    return Worlds.trace(
        Collections.nCopies(10, node(8, "G2")), Collections.nCopies(pods, ask).toArray(Ask[]::new));
  }

  @Test
  void tooFewPodsAreDrawnAgainUntilOneMoreWouldExceedThirtyPercentMore() {
    var instance = Instance.of(trace(10, share(300)), 42);
    assertThat(total(instance)).isLessThanOrEqualTo(104_000).isGreaterThan(104_000 - 300);
  }

  /// The stop looks at one GPU's part only, so a large pod may exceed the load once.
  @Test
  void theStopLooksAtOneGpuOfAPod() {
    var instance = Instance.of(trace(1, gpus(8)), 42);
    assertThat(total(instance)).isEqualTo(104_000); // 13 pods: 96,000 + 1,000 is below
    var five = Instance.of(trace(1, gpus(5)), 42);
    assertThat(total(five)).isEqualTo(105_000); // 100,000 + 1,000 is below, + 5,000 is not
  }

  @Test
  void tooManyPodsAreRemovedAtRandom() {
    var instance = Instance.of(trace(30, gpus(5)), 42);
    assertThat(total(instance)).isEqualTo(100_000);
  }

  @Test
  void aSeedGivesOneInstanceAndAnotherSeedAnother() {
    var pods = new Ask[60];
    Arrays.setAll(pods, i -> i % 3 == 0 ? cpuOnly(1000 + i) : share(100 + i));
    var trace = Worlds.trace(Collections.nCopies(10, node(8, "G2")), pods);
    assertThat(Instance.of(trace, 7).arrivals()).isEqualTo(Instance.of(trace, 7).arrivals());
    assertThat(Instance.of(trace, 7).order()).isEqualTo(Instance.of(trace, 7).order());
    assertThat(Instance.of(trace, 7).arrivals()).isNotEqualTo(Instance.of(trace, 8).arrivals());
    assertThat(Instance.of(trace, 7).order()).isNotEqualTo(Instance.of(trace, 8).order());
  }

  /// Refused pods and those without GPUs are events as well.
  @Test
  void theValueAtALoadIsTheMeanOverItsEvents() {
    var curve = new Curve();
    curve.add(996, 500, 100, 1000);
    curve.add(1004, 700, 150, 1000);
    curve.add(1004, 700, 150, 1000);
    assertThat(curve.allocation(100)).isEqualTo((50 + 70 + 70) / 3.0);
    assertThat(curve.fragmented(100)).isEqualTo((10 + 15 + 15) / 3.0);
    assertThat(curve.ratio(100)).isEqualTo((20 + 50 + 50) / 3.0);
    assertThat(curve.has(99)).isFalse();
  }
}
