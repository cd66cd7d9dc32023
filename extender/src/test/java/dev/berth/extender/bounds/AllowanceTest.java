package dev.berth.extender.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void soMuchAtOnceAndSoMuchASecond() {
    long start = 1;
    var allowance = new Allowance(500, 100, start);
    for (int i = 0; i < 500; i++) {
      assertThat(allowance.takes(1, start)).as("1 within the allowance").isTrue();
    }
    assertThat(allowance.takes(1, start)).as("1 within the allowance").isFalse();
    for (int i = 0; i < 100; i++) {
      assertThat(allowance.takes(1, start + SECOND)).as("1 within the allowance").isTrue();
    }
    assertThat(allowance.takes(1, start + SECOND)).as("1 within the allowance").isFalse();
  }

  @Test
  void whatIsRefusedTakesNothing() {
    var allowance = new Allowance(10, 1, 0);
    assertThat(allowance.takes(11, 0)).as("11 within the allowance").isFalse();
    assertThat(allowance.takes(10, 0)).as("10 within the allowance").isTrue();
  }

  /// However long it was not used: also after a century.
  @Test
  void noMoreThanAtOnceIsSaved() {
    var allowance = new Allowance(10, 2_000, 0);
    assertThat(allowance.takes(11, 100L * 365 * 24 * 3600 * SECOND))
        .as("11 within the allowance")
        .isFalse();
    assertThat(allowance.takes(10, 100L * 365 * 24 * 3600 * SECOND))
        .as("10 within the allowance")
        .isTrue();
  }
}
