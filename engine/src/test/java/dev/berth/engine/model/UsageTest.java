package dev.berth.engine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.berth.engine.fairness.FairShareSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Past use fades by half with every half-life, and present use takes its place.
class UsageTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final double ALMOST = 1e-12;

  private static TreeMap<QueueName, SortedMap<Resource, Double>> gpus(String queue, double use) {
    return new TreeMap<>(Map.of(new QueueName(queue), new TreeMap<>(Map.of(Resource.GPU, use))));
  }

  private static double of(Usage usage, String queue) {
    return usage.of(new QueueName(queue), Resource.GPU);
  }

  @Test
  void theFirstCallOnlyStartsTheClock() {
    var usage = Usage.NONE.advance(START, gpus("a", 1), HOUR);
    assertThat(of(usage, "a")).isEqualTo(0);
    assertThat(usage.until()).isEqualTo(START);
  }

  @Test
  void whatStatusesKeptDecaysByTheTimeThatPassedSinceEach() {
    var kept =
        List.of(
            new PastUse(new QueueName("a"), 1, START, new TreeMap<>(Map.of(Resource.GPU, 0.8))),
            new PastUse(
                new QueueName("b"),
                1,
                START.plus(HOUR),
                new TreeMap<>(Map.of(Resource.GPU, 0.8, Resource.CPU, 0.2))),
            new PastUse(
                new QueueName("ahead"),
                1,
                START.plus(HOUR.multipliedBy(9)),
                new TreeMap<>(Map.of(Resource.GPU, 0.8))),
            new PastUse(new QueueName("none"), 1, Instant.EPOCH, new TreeMap<>()));
    var usage = Usage.of(START.plus(HOUR.multipliedBy(2)), kept, HOUR);
    assertThat(usage.until()).isEqualTo(START.plus(HOUR.multipliedBy(2)));
    assertThat(of(usage, "a")).isCloseTo(0.2, within(ALMOST));
    assertThat(of(usage, "b")).isCloseTo(0.4, within(ALMOST));
    assertThat(usage.of(new QueueName("b"), Resource.CPU)).isCloseTo(0.1, within(ALMOST));
    assertThat(of(usage, "ahead")).isCloseTo(0.8, within(ALMOST));
    assertThat(usage.fractions().size()).isEqualTo(3);
  }

  @Test
  void twoDifferWhereOneFractionDiffersByTheStep() {
    var usage = new Usage(START, gpus("a", 0.5));
    assertThat(usage.differs(new Usage(START, gpus("a", 0.25)), 0.25)).as("by the step").isTrue();
    assertThat(new Usage(START, gpus("a", 0.25)).differs(usage, 0.25)).as("the other way").isTrue();
    assertThat(usage.differs(new Usage(START, gpus("a", 0.375)), 0.25)).as("by less").isFalse();
    assertThat(usage.differs(Usage.NONE, 0.25)).as("from nothing").isTrue();
    assertThat(Usage.NONE.differs(usage, 0.25)).as("nothing from it").isTrue();
  }

  @Test
  void useCountsHalfAfterAHalfLife() {
    var usage = Usage.NONE.advance(START, gpus("a", 0.8), HOUR);
    usage = usage.advance(START.plus(HOUR), gpus("a", 0.8), HOUR);
    assertThat(of(usage, "a")).isCloseTo(0.4, within(ALMOST));
    usage = usage.advance(START.plus(HOUR.multipliedBy(2)), gpus("a", 0.8), HOUR);
    assertThat(of(usage, "a")).isCloseTo(0.6, within(ALMOST));
  }

  @Test
  void whatIsNoLongerUsedFadesAndIsForgotten() {
    var usage = new Usage(START, gpus("a", 0.8));
    assertThat(of(usage.advance(START.plus(HOUR.multipliedBy(2)), gpus("a", 0), HOUR), "a"))
        .isEqualTo(0.2);
    var later = usage.advance(START.plus(HOUR.multipliedBy(40)), gpus("a", 0), HOUR);
    assertThat(later.fractions().size()).isEqualTo(0);
  }

  @Test
  void oneLongStepIsAsGoodAsManyShortOnes() {
    var start = new Usage(START, gpus("a", 0.9));
    var steps = start;
    for (int i = 1; i <= 3600; i++) {
      steps = steps.advance(START.plusSeconds(i), gpus("a", 0.3), HOUR);
    }
    assertThat(of(steps, "a"))
        .isCloseTo(of(start.advance(START.plus(HOUR), gpus("a", 0.3), HOUR), "a"), within(ALMOST));
  }

  @Test
  void aClockThatGoesBackChangesNothing() {
    var usage = new Usage(START, gpus("a", 0.5));
    assertThat(usage.advance(START.minusSeconds(5), gpus("a", 1), HOUR)).isEqualTo(usage);
    assertThat(usage.advance(START, gpus("a", 1), HOUR)).isEqualTo(usage);
  }

  @Test
  void aQueueThatIsGoneIsForgotten() {
    var usage =
        new Usage(START, gpus("gone", 0.5)).advance(START.plusSeconds(1), gpus("a", 1), HOUR);
    assertThat(of(usage, "gone")).isEqualTo(0);
  }

  @Test
  void whatIsNoNumberIsLeftOut() {
    assertThat(new Usage(START, gpus("a", Double.NaN)).fractions().size()).isEqualTo(0);
    assertThat(new Usage(START, gpus("a", Double.POSITIVE_INFINITY)).fractions().size())
        .isEqualTo(0);
    assertThat(new Usage(START, gpus("a", -1)).fractions().size()).isEqualTo(0);
  }

  @Test
  void settingsAreCheckedAtBirth() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new FairShareSettings(-1, HOUR));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new FairShareSettings(Double.NaN, HOUR));
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> new FairShareSettings(1, Duration.ZERO));
  }
}
