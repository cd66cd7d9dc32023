package dev.berth.controllers.groups;

import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.loop.PacedQueue;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.GroupKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/// When the forecast in the status of a PodGroup is written.
///
/// With whatever else is written of the group it goes along as it is by then. For a forecast alone
/// a status is written
///
/// 1. if there is one and none is told, or the other way round, or if the median or P90 has moved
///    by more than a quarter of the time that is left until then;
/// 2. of one group not before five minutes after the last such write;
/// 3. of all groups as often as a pace allows. Namespaces take turns.
///
/// A group that may start is looked at ten seconds after it began to wait, and then every minute,
/// which costs no write. What a leader before has told stays until there is a forecast, or its P90
/// has passed: a new leader has seen no group start, and would remove them all.
///
/// Any thread.
final class ForecastUpdates {
  private static final Duration FIRST_LOOK = Duration.ofSeconds(10);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);
  private static final Duration BETWEEN_WRITES = Duration.ofMinutes(5);

  /// Of all groups. A look takes some ten microseconds.
  private static final double LOOKS_PER_SECOND = 200;

  /// The statuses, which are told with or without a forecast.
  interface Statuses {
    /// What is told of a group that may start.
    ///
    /// @return empty = it has started or ended, or something must be changed first
    Optional<ForecastStatus> told(GroupKey group);

    /// Writes it, if the group may still start.
    void tell(GroupKey group, ForecastStatus forecast);
  }

  private final BiFunction<GroupKey, Instant, Optional<Forecast>> forecasts;
  private final Statuses statuses;
  private final Workers workers;
  private final PacedQueue<GroupKey> looks;
  private final PacedQueue<GroupKey> writes;

  // Guarded by this.
  private final TreeMap<GroupKey, Instant> writtenAt = new TreeMap<>(); // for a forecast alone
  private Instant begun = Instant.MAX; // when the first group was told

  /// @param forecasts when a group is likely to start, as of a moment
  /// @param perSecond statuses written for a forecast alone, lasting
  ForecastUpdates(
      BiFunction<GroupKey, Instant, Optional<Forecast>> forecasts,
      Statuses statuses,
      Workers workers,
      double perSecond) {
    this.forecasts = forecasts;
    this.statuses = statuses;
    this.workers = workers;
    // on threads of their own: keys are added under the lock of the statuses
    this.looks =
        new PacedQueue<>(
            LOOKS_PER_SECOND, GroupKey::namespace, workers, key -> workers.run(() -> look(key)));
    this.writes =
        new PacedQueue<>(
            perSecond, GroupKey::namespace, workers, key -> workers.run(() -> write(key)));
  }

  /// A group may start. Repeated: has no effect.
  void begins(GroupKey group, Instant now) {
    synchronized (this) {
      begun = begun.equals(Instant.MAX) ? now : begun;
    }
    looks.add(group, now.plus(FIRST_LOOK));
  }

  /// Its object is gone, or it is not followed any more.
  void gone(GroupKey group) {
    looks.remove(group);
    writes.remove(group);
    synchronized (this) {
      writtenAt.remove(group);
    }
  }

  /// Keys that are kept: to be looked at, to be written, and when some were.
  synchronized int kept() {
    return looks.size() + writes.size() + writtenAt.size();
  }

  Optional<Forecast> likely(GroupKey group) {
    return forecasts.apply(group, workers.time().instant());
  }

  /// What a status tells from now on.
  synchronized ForecastStatus renewed(ForecastStatus told, Optional<Forecast> likely) {
    var now = workers.time().instant();
    boolean isOfLeaderBefore = told.updated().isBefore(begun) && told.p90().isAfter(now);
    return likely
        .map(forecast -> new ForecastStatus(forecast.median(), forecast.p90(), now))
        .orElse(isOfLeaderBefore ? told : ForecastStatus.NONE);
  }

  private void look(GroupKey group) {
    var now = workers.time().instant();
    var rests = rests(group);
    if (rests.isAfter(now)) {
      looks.add(group, rests);
      return;
    }
    var told = statuses.told(group);
    if (told.isEmpty()) {
      return;
    }
    if (hasMoved(told.get(), renewed(told.get(), likely(group)), now)) {
      writes.add(group, now);
    }
    looks.add(group, now.plus(BETWEEN_LOOKS));
  }

  /// Until when none is written for its forecast alone. Remembered no longer than that.
  private synchronized Instant rests(GroupKey group) {
    var written = writtenAt.get(group);
    if (written == null) {
      return Instant.EPOCH;
    }
    var rests = written.plus(BETWEEN_WRITES);
    if (!rests.isAfter(workers.time().instant())) {
      writtenAt.remove(group);
    }
    return rests;
  }

  /// It may have stood in line for long, and have been written along with something else.
  private void write(GroupKey group) {
    var now = workers.time().instant();
    var told = statuses.told(group);
    if (told.isEmpty()) {
      return;
    }
    var renewed = renewed(told.get(), likely(group));
    if (hasMoved(told.get(), renewed, now)) {
      synchronized (this) {
        writtenAt.put(group, now);
      }
      statuses.tell(group, renewed);
    }
  }

  private static boolean hasMoved(ForecastStatus told, ForecastStatus renewed, Instant now) {
    if (told.isNone() || renewed.isNone()) {
      return told.isNone() != renewed.isNone();
    }
    return hasMoved(told.median(), renewed.median(), now)
        || hasMoved(told.p90(), renewed.p90(), now);
  }

  private static boolean hasMoved(Instant told, Instant renewed, Instant now) {
    var left = Duration.between(now, renewed);
    var by = Duration.between(told, renewed).abs();
    return by.isPositive() && by.multipliedBy(4).compareTo(left) > 0;
  }
}
