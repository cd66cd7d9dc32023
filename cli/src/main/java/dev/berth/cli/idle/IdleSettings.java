package dev.berth.cli.idle;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.idle.SeriesLabels;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What counts as idle.
///
/// @param end of the window
/// @param window how long a workload must have run
/// @param below percent: a GPU whose mean over the window is less is idle
/// @param step from one sample to the next
/// @param scale of the values to percent: 100 where they are ratios
/// @param labels where series tell what they are of
public record IdleSettings(
    Instant end, Duration window, double below, Duration step, double scale, SeriesLabels labels) {
  private static final int SAMPLES = 120;
  private static final Duration SHORTEST_STEP = Duration.ofSeconds(15);

  public Instant begin() {
    return end.minus(window);
  }

  /// For a window: fine enough to see work, and few enough samples for one answer.
  public static Duration stepOf(Duration window) {
    var step = Duration.ofSeconds(window.toSeconds() / SAMPLES);
    return step.compareTo(SHORTEST_STEP) < 0 ? SHORTEST_STEP : step;
  }

  /// From one sample to the next, as series have it: the shortest time between two; where there are
  /// no two, that which is asked for.
  public static Duration stepOf(List<MetricSeries> series, Duration window) {
    Optional<Duration> shortest = Optional.empty();
    for (MetricSeries each : series) {
      var before = Instant.MIN;
      for (Instant moment : each.samples().keySet()) {
        if (!before.equals(Instant.MIN)) {
          var step = Duration.between(before, moment);
          if (shortest.filter(least -> least.compareTo(step) <= 0).isEmpty()) {
            shortest = Optional.of(step);
          }
        }
        before = moment;
      }
    }
    return shortest.orElse(stepOf(window));
  }
}
