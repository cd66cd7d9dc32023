package dev.berth.cli.lists;

import dev.berth.controllers.crd.ForecastStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/// When a workload is likely to start, as the status of its PodGroup says it. Of a cluster without
/// a leader it may be old, so its age is told.
public final class ForecastText {
  /// From here on the age is told in a table, too: a leader renews a forecast that has moved far
  /// within minutes.
  private static final Duration OLD = Duration.ofMinutes(15);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private ForecastText() {}

  /// `~12m (p90 2h)`; `late` for a moment that has passed.
  static String cell(ForecastStatus forecast, Instant at) {
    var now = at.truncatedTo(ChronoUnit.SECONDS);
    String median =
        forecast.median().isAfter(now) ? "~" + WorkloadList.age(now, forecast.median()) : "late";
    String p90 =
        "p90 " + (forecast.p90().isAfter(now) ? WorkloadList.age(now, forecast.p90()) : "late");
    boolean isOld = forecast.updated().plus(OLD).isBefore(now);
    String old = isOld ? ", " + WorkloadList.age(forecast.updated(), now) + " old" : "";
    return median + " (" + p90 + old + ")";
  }

  /// `Likely to start: by 14:10 with even odds, by 16:30 with nine of ten (UTC; forecast of 2m
  /// ago).`
  public static String sentence(ForecastStatus forecast, Instant now) {
    return "Likely to start: by "
        + moment(forecast.median(), now)
        + " with even odds, by "
        + moment(forecast.p90(), now)
        + " with nine of ten (UTC; forecast of "
        + WorkloadList.age(forecast.updated(), now)
        + " ago).";
  }

  private static String moment(Instant moment, Instant now) {
    boolean isToday =
        moment
            .atOffset(ZoneOffset.UTC)
            .toLocalDate()
            .equals(now.atOffset(ZoneOffset.UTC).toLocalDate());
    return (isToday ? TIME : DAY).format(moment) + (moment.isAfter(now) ? "" : " (passed)");
  }
}
