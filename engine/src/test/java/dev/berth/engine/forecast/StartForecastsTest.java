package dev.berth.engine.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Forecasts from waits that are known here.
class StartForecastsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long GPU = 1000;
  private static final QueueName QUEUE = new QueueName("team");

  private final StartForecasts forecasts = new StartForecasts();

  private static GroupKey group(int number) {
    return new GroupKey("team", "g" + number);
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  /// One after the other comes and waits.
  private void history(int groups, LongUnaryOperator wait) {
    for (int i = 0; i < groups; i++) {
      long begins = 1000L * i;
      forecasts.waits(group(i), QUEUE, GPU, at(begins));
      forecasts.starts(group(i), at(begins + wait.applyAsLong(i)));
    }
  }

  @Test
  void nothingIsToldBeforeAnyHaveStarted() {
    forecasts.waits(group(1), QUEUE, GPU, START);
    assertThat(forecasts.of(group(1), START)).isEmpty();
    assertThat(forecasts.calibration().p90().judged()).isZero();
  }

  @Test
  void waitsLikeThoseOfOthersAreToldAsTheirs() {
    history(100, _ -> 60);
    forecasts.waits(group(100), QUEUE, GPU, at(100_000));
    var told = forecasts.of(group(100), at(100_000)).orElseThrow();
    assertThat(Duration.between(at(100_000), told.median()).toSeconds()).isBetween(55L, 65L);
    assertThat(Duration.between(at(100_000), told.p90()).toSeconds()).isBetween(55L, 65L);
  }

  @Test
  void afterAWhileOnlyLongerWaitsCount() {
    history(200, i -> i % 2 == 0 ? 60 : 600);
    forecasts.waits(group(200), QUEUE, GPU, at(200_000));
    var told = forecasts.of(group(200), at(200_300)).orElseThrow();
    assertThat(Duration.between(at(200_000), told.median()).toSeconds()).isBetween(500L, 700L);
    assertThat(told.p90()).isAfterOrEqualTo(told.median());
  }

  @Test
  void nothingIsToldOfAGroupThatHasWaitedForLongerThanAll() {
    history(100, _ -> 60);
    forecasts.waits(group(100), QUEUE, GPU, at(100_000));
    assertThat(forecasts.of(group(100), at(200_000))).isEmpty();
  }

  /// As by a snapshot that was made a moment before the group was seen to wait.
  @Test
  void aLookFromBeforeItWaitedTellsTheSame() {
    history(100, _ -> 60);
    forecasts.waits(group(100), QUEUE, GPU, at(100_000));
    var told = forecasts.of(group(100), at(100_000));
    assertThat(told).isPresent();
    assertThat(forecasts.of(group(100), at(99_999))).isEqualTo(told);
  }

  @Test
  void nothingIsToldOfGroupsThatDoNotWait() {
    history(100, _ -> 60);
    assertThat(forecasts.of(group(1), at(100_000))).isEmpty();
    forecasts.waits(group(100), QUEUE, GPU, at(100_000));
    forecasts.ends(group(100));
    assertThat(forecasts.of(group(100), at(100_000))).isEmpty();
  }

  @Test
  void groupsThatNeverStartCountAsLateAndThoseThatWereDeletedDoNot() {
    history(100, _ -> 60);
    long known = forecasts.calibration().p90().judged();
    forecasts.waits(group(100), QUEUE, GPU, at(100_000));
    forecasts.waits(group(101), QUEUE, GPU, at(100_000));
    forecasts.ends(group(101));
    long heldBefore = forecasts.calibration().p90().held();
    forecasts.waits(group(102), QUEUE, GPU, at(900_000));
    var after = forecasts.calibration().p90();
    assertThat(after.judged()).isEqualTo(known + 1);
    assertThat(after.held()).isEqualTo(heldBefore);
  }

  @Test
  void waitsOfGroupsOfOneSizeAreNotThoseOfAnother() {
    for (int i = 0; i < 400; i++) {
      long begins = 1000L * i;
      boolean large = i % 2 == 0;
      forecasts.waits(group(i), QUEUE, large ? 64 * GPU : GPU, at(begins));
      forecasts.starts(group(i), at(begins + (large ? 900 : 10)));
    }
    forecasts.waits(group(400), QUEUE, GPU, at(400_000));
    forecasts.waits(group(401), QUEUE, 64 * GPU, at(400_000));
    var small = forecasts.of(group(400), at(400_000)).orElseThrow();
    var large = forecasts.of(group(401), at(400_000)).orElseThrow();
    assertThat(large.median()).isAfter(small.p90());
  }

  /// Whatever waits are like, and though they change all at once.
  @Test
  void halfStartByTheMedianAndNineOfTenByTheLateOne() {
    record End(long at, int number) {}
    var random = new Random(7);
    var ends = new PriorityQueue<End>((a, b) -> Long.compare(a.at, b.at));
    long now = 0;
    for (int i = 0; i < 6000; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * 120);
      while (!ends.isEmpty() && ends.peek().at <= now) {
        var end = ends.remove();
        forecasts.starts(group(end.number), at(end.at));
      }
      forecasts.waits(group(i), QUEUE, GPU * (1 + random.nextInt(8)), at(now));
      double scale = i < 2000 ? 300 : i < 4000 ? 4000 : 60;
      double wait = scale * Math.exp(random.nextGaussian());
      ends.add(new End(now + 1 + (long) wait, i));
    }
    var told = forecasts.calibration();
    assertThat(told.p90().judged()).isGreaterThan(5000);
    assertThat(told.median().part()).isBetween(0.44, 0.56);
    assertThat(told.p90().part()).isBetween(0.88, 0.92);
  }

  private static final QueueName OTHER = new QueueName("other");

  private static GroupKey others(int number) {
    return new GroupKey("other", "o" + number);
  }

  /// The same in another queue.
  private void othersHistory(int groups, LongUnaryOperator wait) {
    for (int i = 0; i < groups; i++) {
      long begins = 1000L * i;
      forecasts.waits(others(i), OTHER, GPU, at(begins));
      forecasts.starts(others(i), at(begins + wait.applyAsLong(i)));
    }
  }

  private Duration p90(int number, long now) {
    forecasts.waits(group(number), QUEUE, GPU, at(now));
    var told = forecasts.of(group(number), at(now)).orElseThrow();
    forecasts.ends(group(number));
    return Duration.between(at(now), told.p90());
  }

  /// As behind a limit of the other queue: each of them misses its forecast.
  @Test
  void whatNeverStartsInOneQueueMovesNoForecastOfAnother() {
    history(200, i -> 60 + i % 7);
    othersHistory(200, i -> 60 + i % 7);
    var before = p90(1000, 300_000);
    for (int i = 0; i < 500; i++) {
      forecasts.waits(others(1000 + i), OTHER, 8 * GPU, at(300_000));
    }
    assertThat(p90(1001, 300_001)).as("beside what they ask for").isEqualTo(before);
    assertThat(p90(1002, 303_600)).as("an hour later").isEqualTo(before);
    assertThat(p90(1003, 900_000)).as("a week later").isEqualTo(before);
  }

  /// In its own queue they do count. Once workloads start again, some hundred of them are enough.
  @Test
  void manyMissedForecastsAreMadeUpForBySomeHundredStarts() {
    history(300, i -> 60 + i % 40);
    var before = p90(1000, 300_000);
    for (int i = 0; i < 500; i++) {
      forecasts.waits(group(2000 + i), QUEUE, GPU, at(300_000));
    }
    p90(1001, 900_000);
    for (int i = 0; i < 500; i++) {
      forecasts.ends(group(2000 + i));
    }
    for (int i = 0; i < 600; i++) {
      long begins = 900_000 + 1000L * i;
      forecasts.waits(group(3000 + i), QUEUE, GPU, at(begins));
      forecasts.starts(group(3000 + i), at(begins + 60 + i % 40));
    }
    assertThat(p90(4000, 1_600_000)).isLessThan(before.multipliedBy(2));
  }

  /// Two probes, and the difference would tell how many came between.
  @Test
  void ofHowManyOthersWaitAForecastTellsTheMagnitudeAlone() {
    history(100, _ -> 60);
    for (int i = 0; i < 65; i++) {
      forecasts.waits(group(2000 + i), QUEUE, GPU, at(200_000));
    }
    var told = new HashSet<Duration>();
    for (int i = 65; i <= 80; i++) {
      told.add(p90(3000, 200_000));
      forecasts.waits(group(2000 + i), QUEUE, GPU, at(200_000));
    }
    assertThat(told).hasSize(1);
  }

  /// As many as wait: twice as many, and it takes twice as long.
  @Test
  void theMoreWaitTheLaterItIs() {
    history(100, _ -> 60);
    for (int i = 0; i < 7; i++) {
      forecasts.waits(group(2000 + i), QUEUE, 64 * GPU, at(200_000));
    }
    assertThat(p90(3000, 200_000)).isBetween(Duration.ofSeconds(470), Duration.ofSeconds(490));
  }

  @Test
  void aQueueWithoutStartsOfItsOwnGetsWhatIsUsual() {
    othersHistory(100, _ -> 60);
    assertThat(p90(1, 200_000)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(120));
  }

  @Test
  void queuesAndNamespacesGetEqualPartsOfTheForecasts() {
    var few = new StartForecasts(100);
    for (int i = 0; i < 100; i++) {
      few.waits(others(i), OTHER, GPU, at(100L * i));
      few.starts(others(i), at(100L * i + 60));
    }
    for (int i = 0; i < 500; i++) {
      few.waits(others(1000 + i), OTHER, GPU, at(100_000));
    }
    for (int i = 0; i < 30; i++) {
      few.waits(group(i), QUEUE, GPU, at(100_000));
    }
    for (int round = 0; round < 2; round++) { // as each look tells all that wait
      for (int i = 0; i < 500; i++) {
        few.waits(others(1000 + i), OTHER, GPU, at(100_001));
      }
    }
    assertThat(IntStream.range(0, 30))
        .allMatch(i -> few.of(group(i), at(100_001)).isPresent(), "a forecast of each of the few");
    assertThat(
            IntStream.range(0, 500).filter(i -> few.of(others(1000 + i), at(100_001)).isPresent()))
        .hasSize(70);
    few.waits(new GroupKey("third", "t"), OTHER, GPU, at(100_001));
    assertThat(few.of(new GroupKey("third", "t"), at(100_001)))
        .as("another namespace of the large queue")
        .isPresent();
  }
}
