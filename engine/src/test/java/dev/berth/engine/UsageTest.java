package dev.berth.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
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
    assertEquals(0, of(usage, "a"));
    assertEquals(START, usage.until());
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
    assertEquals(START.plus(HOUR.multipliedBy(2)), usage.until());
    assertEquals(0.2, of(usage, "a"), ALMOST);
    assertEquals(0.4, of(usage, "b"), ALMOST);
    assertEquals(0.1, usage.of(new QueueName("b"), Resource.CPU), ALMOST);
    assertEquals(0.8, of(usage, "ahead"), ALMOST);
    assertEquals(3, usage.fractions().size());
  }

  @Test
  void twoDifferWhereOneFractionDiffersByTheStep() {
    var usage = new Usage(START, gpus("a", 0.5));
    assertTrue(usage.differs(new Usage(START, gpus("a", 0.25)), 0.25), "by the step");
    assertTrue(new Usage(START, gpus("a", 0.25)).differs(usage, 0.25), "the other way");
    assertFalse(usage.differs(new Usage(START, gpus("a", 0.375)), 0.25), "by less");
    assertTrue(usage.differs(Usage.NONE, 0.25), "from nothing");
    assertTrue(Usage.NONE.differs(usage, 0.25), "nothing from it");
  }

  @Test
  void useCountsHalfAfterAHalfLife() {
    var usage = Usage.NONE.advance(START, gpus("a", 0.8), HOUR);
    usage = usage.advance(START.plus(HOUR), gpus("a", 0.8), HOUR);
    assertEquals(0.4, of(usage, "a"), ALMOST);
    usage = usage.advance(START.plus(HOUR.multipliedBy(2)), gpus("a", 0.8), HOUR);
    assertEquals(0.6, of(usage, "a"), ALMOST);
  }

  @Test
  void whatIsNoLongerUsedFadesAndIsForgotten() {
    var usage = new Usage(START, gpus("a", 0.8));
    assertEquals(0.2, of(usage.advance(START.plus(HOUR.multipliedBy(2)), gpus("a", 0), HOUR), "a"));
    var later = usage.advance(START.plus(HOUR.multipliedBy(40)), gpus("a", 0), HOUR);
    assertEquals(0, later.fractions().size());
  }

  @Test
  void oneLongStepIsAsGoodAsManyShortOnes() {
    var start = new Usage(START, gpus("a", 0.9));
    var steps = start;
    for (int i = 1; i <= 3600; i++) {
      steps = steps.advance(START.plusSeconds(i), gpus("a", 0.3), HOUR);
    }
    assertEquals(
        of(start.advance(START.plus(HOUR), gpus("a", 0.3), HOUR), "a"), of(steps, "a"), ALMOST);
  }

  @Test
  void aClockThatGoesBackChangesNothing() {
    var usage = new Usage(START, gpus("a", 0.5));
    assertEquals(usage, usage.advance(START.minusSeconds(5), gpus("a", 1), HOUR));
    assertEquals(usage, usage.advance(START, gpus("a", 1), HOUR));
  }

  @Test
  void aQueueThatIsGoneIsForgotten() {
    var usage =
        new Usage(START, gpus("gone", 0.5)).advance(START.plusSeconds(1), gpus("a", 1), HOUR);
    assertEquals(0, of(usage, "gone"));
  }

  @Test
  void whatIsNoNumberIsLeftOut() {
    assertEquals(0, new Usage(START, gpus("a", Double.NaN)).fractions().size());
    assertEquals(0, new Usage(START, gpus("a", Double.POSITIVE_INFINITY)).fractions().size());
    assertEquals(0, new Usage(START, gpus("a", -1)).fractions().size());
  }

  @Test
  void settingsAreCheckedAtBirth() {
    assertThrows(IllegalArgumentException.class, () -> new FairShareSettings(-1, HOUR));
    assertThrows(IllegalArgumentException.class, () -> new FairShareSettings(Double.NaN, HOUR));
    assertThrows(IllegalArgumentException.class, () -> new FairShareSettings(1, Duration.ZERO));
  }
}
