package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PlanningAllowanceTest {
  private static final Duration LONGEST = Duration.ofMillis(500);

  private final PlanningAllowance allowance = new PlanningAllowance(LONGEST);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void aFewPlansAfterSomeQuietDoNotRest() {
    for (int i = 0; i < 40; i++) {
      assertThat(plan(10)).as("plan " + i).isEqualTo(Duration.ZERO);
    }
    for (int i = 0; i < 12; i++) {
      plan(10);
    }
    assertThat(plan(10)).as("those after them").isPositive();
  }

  @Test
  void aStreamOfPlansTakesAFifthOfTheTime() {
    var began = now;
    for (int i = 0; i < 1_000; i++) {
      now = now.plus(plan(10));
    }
    double share = 1_000 * 10.0 / Duration.between(began, now).toMillis();
    assertThat(share).isBetween(0.19, 0.22);
  }

  @Test
  void noRestIsLongerThanTheLongestNorOwedTwice() {
    assertThat(plan(60_000)).isEqualTo(LONGEST);
    now = now.plus(LONGEST);
    assertThat(plan(1)).isBetween(Duration.ofMillis(4), Duration.ofMillis(6));
  }

  @Test
  void quietIsNotSavedWithoutEnd() {
    plan(10);
    now = now.plus(Duration.ofHours(1));
    assertThat(plan(400)).isEqualTo(Duration.ZERO);
    assertThat(plan(1)).isPositive();
  }

  private Duration plan(int millis) {
    var began = now;
    now = now.plusMillis(millis);
    return allowance.rest(began, now);
  }
}
