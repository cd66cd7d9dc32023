package dev.berth.engine.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongUnaryOperator;
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
}
