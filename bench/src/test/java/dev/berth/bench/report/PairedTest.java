package dev.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.bench.report.Paired.Standing;
import org.junit.jupiter.api.Test;

final class PairedTest {
  /// Differences 1, 2, 3: deviation 1, error 1/√3.
  @Test
  void theErrorIsThatOfTheDifferences() {
    var paired = Paired.of(new double[] {11, 22, 33}, new double[] {10, 20, 30});
    assertThat(paired.mean()).isEqualTo(2);
    assertThat(paired.error()).isCloseTo(1 / Math.sqrt(3), within(1e-12));
    assertThat(paired.standing()).isEqualTo(Standing.AHEAD);
  }

  @Test
  void withinTwoErrorsIsLevel() {
    assertThat(new Paired(0.19, 0.1).standing()).isEqualTo(Standing.LEVEL);
    assertThat(new Paired(-0.19, 0.1).standing()).isEqualTo(Standing.LEVEL);
    assertThat(new Paired(-0.21, 0.1).standing()).isEqualTo(Standing.BEHIND);
  }

  @Test
  void oneSeedProvesNothing() {
    var paired = Paired.of(new double[] {90}, new double[] {80});
    assertThat(paired.standing()).isEqualTo(Standing.LEVEL);
  }
}
