package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final Duration LONGEST = Duration.ofMillis(500);

  private final Allowance allowance = new Allowance(LONGEST);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aFewPlansAfterSomeQuietDoNotRest() {
    for (int i = 0; i < 20; i++) {
      assertThat(plan(10)).as("plan " + i).isEqualTo(Duration.ZERO);
    }
    plan(10);
    assertThat(plan(10)).as("those after them").isPositive();
  }

  @Test
  void aStreamOfPlansTakesATwentiethOfTheTime() {
    var began = now;
    for (int i = 0; i < 1_000; i++) {
      now = now.plus(plan(10));
    }
    double share = 1_000 * 10.0 / Duration.between(began, now).toMillis();
    assertThat(share).isBetween(0.045, 0.055);
  }

  @Test
  void noRestIsLongerThanTheLongestNorOwedTwice() {
    assertThat(plan(60_000)).isEqualTo(LONGEST);
    now = now.plus(LONGEST);
    assertThat(plan(1)).isBetween(Duration.ofMillis(15), Duration.ofMillis(25));
  }

  @Test
  void quietIsNotSavedWithoutEnd() {
    plan(10);
    now = now.plus(Duration.ofHours(1));
    assertThat(plan(200)).isEqualTo(Duration.ZERO);
    assertThat(plan(1)).isPositive();
  }

  private Duration plan(int millis) {
    var began = now;
    now = now.plusMillis(millis);
    return allowance.rest(began, now);
  }
}
