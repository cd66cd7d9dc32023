package dev.berth.engine.forecast;

import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What the waiting groups of each queue ask for, and what was learned of queues: of a bounded
/// number, those that were not heard of for longest go first. Guarded by its owner.
final class QueuePaces {
  private static final int MOST_QUEUES = 1000;

  /// Binary digits of what others ask for that go into a forecast.
  private static final int TOLD_DIGITS = 3;

  /// What groups of a queue that wait ask for.
  private static final class Demand {
    private Instant told; // up to when its history knows that groups wait
    private int groups;
    private long millis;

    Demand(Instant now) {
      this.told = now;
    }
  }

  private final int levels;
  private final Map<QueueName, Demand> demands = new HashMap<>(); // looked up only
  private final LinkedHashMap<QueueName, LearnedPace> histories =
      new LinkedHashMap<>(16, 0.75f, true) { // least recently used first
        @Override
        protected boolean removeEldestEntry(Map.Entry<QueueName, LearnedPace> eldest) {
          return size() > MOST_QUEUES;
        }
      };
  private double usual; // seconds for a thousandth of a GPU; 0 = not known
  private boolean isUsualKnown = true; // of none

  /// @param levels of forecasts
  QueuePaces(int levels) {
    this.levels = levels;
  }

  private LearnedPace of(QueueName queue) {
    return histories.computeIfAbsent(queue, _ -> new LearnedPace(levels));
  }

  private Optional<LearnedPace> known(QueueName queue) {
    return Optional.ofNullable(histories.get(queue));
  }

  /// A group begins to wait.
  void waits(QueueName queue, long gpuMillis, Instant now) {
    var demand = demands.computeIfAbsent(queue, _ -> new Demand(now));
    pass(queue, now);
    demand.groups++;
    demand.millis += gpuMillis;
  }

  /// A group that [waited][#waits] waits no more.
  void leaves(QueueName queue, long gpuMillis, Instant now) {
    pass(queue, now);
    demands.computeIfPresent(
        queue,
        (_, demand) -> {
          demand.groups--;
          demand.millis -= gpuMillis;
          return demand.groups == 0 ? null : demand;
        });
  }

  private void pass(QueueName queue, Instant now) {
    Optional.ofNullable(demands.get(queue))
        .filter(demand -> now.isAfter(demand.told))
        .ifPresent(demand -> {
          of(queue).waited(Duration.between(demand.told, now).toMillis() / 1000.0);
          demand.told = now;
        });
  }

  /// A group that waited has started.
  void starts(QueueName queue, long gpuMillis) {
    of(queue).starts(gpuMillis);
    isUsualKnown = false;
  }

  /// How long it takes until what the queue and one more group ask for has been given out at the
  /// pace of the last starts, in seconds; 0 = not known. What the others ask for is rounded: a
  /// forecast tells no more of it than its magnitude.
  double expected(QueueName queue, long gpuMillis, Instant now) {
    pass(queue, now);
    double pace =
        known(queue)
            .filter(LearnedPace::hasPace)
            .map(LearnedPace::secondsPerMilli)
            .orElseGet(this::usual);
    long asked = Optional.ofNullable(demands.get(queue)).map(each -> each.millis).orElse(0L);
    return pace == 0 ? 0 : Math.max(1, (rounded(asked) + gpuMillis) * pace);
  }

  static long rounded(long millis) {
    int dropped = Long.SIZE - Long.numberOfLeadingZeros(millis) - TOLD_DIGITS;
    return dropped <= 0 ? millis : -(-millis >> dropped << dropped);
  }

  /// Of the queue in the middle: no single queue decides it.
  private double usual() {
    if (!isUsualKnown) {
      var paces =
          histories.values().stream()
              .filter(LearnedPace::hasPace)
              .mapToDouble(LearnedPace::secondsPerMilli)
              .sorted()
              .toArray();
      usual = paces.length == 0 ? 0 : paces[paces.length / 2];
      isUsualKnown = true;
    }
    return usual;
  }

  /// Of all ratios, as of [WaitRatios#quantile].
  double shift(QueueName queue, int level) {
    return known(queue).map(history -> history.shift(level)).orElse(0.0);
  }

  /// A forecast of the queue has held, or not.
  ///
  /// @param part of forecasts that are to hold
  void judge(QueueName queue, int level, double part, boolean hasHeld) {
    of(queue).judge(level, part, hasHeld);
  }
}
