package dev.berth.engine.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How much time of its processor forecasts take while so many groups wait: a look at all of them,
/// of which a leader does one a second at the most, and the forecast of one group.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=ForecastsLoad`.
final class ForecastsLoad {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final int ROUNDS = 200;

  @ParameterizedTest
  @ValueSource(ints = {1000, 10_000, 20_000})
  void costsLittle(int waiting) {
    var forecasts = new StartForecasts();
    for (int i = 0; i < 1000; i++) { // all that is remembered of a class
      var earlier = group("earlier", i);
      forecasts.waits(earlier, queue(i), 1000, START.plusSeconds(100L * i));
      forecasts.starts(earlier, START.plusSeconds(100L * i + 10 + i % 50));
    }
    var now = START.plusSeconds(100_000);
    var waits = new TreeMap<GroupKey, Reason>();
    for (int i = 0; i < waiting; i++) {
      var key = group("job", i);
      forecasts.waits(key, queue(i), 1000, now);
      waits.put(key, new Reason.HeldForHead(group("job", 0), 1, Instant.MAX));
    }
    var seen = Snapshot.empty(now.plusSeconds(1));
    for (int i = 0; i < ROUNDS; i++) {
      forecasts.look(seen, waits);
    }
    double look = millis(() -> forecasts.look(seen, waits));
    double each =
        millis(() -> waits.keySet().forEach(key -> forecasts.of(key, seen.now()))) / waiting;
    System.out.println(
        "%d wait: a look takes %.2f ms, a forecast %.1f µs".formatted(waiting, look, 1000 * each));
    assertThat(forecasts.of(group("job", waiting / 2), seen.now())).isPresent();
    assertThat(look).as("of a second, in milliseconds").isLessThan(100);
  }

  private static GroupKey group(String prefix, int number) {
    return new GroupKey("team-" + number % 20, prefix + "-" + number);
  }

  private static QueueName queue(int number) {
    return new QueueName("queue-" + number % 3);
  }

  /// The mean of some.
  private static double millis(Runnable what) {
    int times = 20;
    long before = CPU.getCurrentThreadCpuTime();
    for (int i = 0; i < times; i++) {
      what.run();
    }
    return Duration.ofNanos(CPU.getCurrentThreadCpuTime() - before).toNanos() / 1e6 / times;
  }
}
