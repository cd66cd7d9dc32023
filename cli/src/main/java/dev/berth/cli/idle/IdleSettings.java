package dev.berth.cli.idle;

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
    Instant end, Duration window, double below, Duration step, double scale, Labels labels) {
  private static final int SAMPLES = 120;
  private static final Duration SHORTEST_STEP = Duration.ofSeconds(15);

  /// The names of labels. Where Prometheus keeps its own labels of these names, those of the
  /// exporter begin with `exported_`, and come first.
  ///
  /// @param uuid of the physical GPU
  public record Labels(String namespace, String pod, String uuid) {
    public static final Labels DCGM = new Labels("namespace", "pod", "UUID");

    private static final String EXPORTED = "exported_";

    String pod(MetricSeries series) {
      return exported(series, pod);
    }

    String namespace(MetricSeries series) {
      boolean isExported = !series.label(EXPORTED + pod).isEmpty();
      String own = series.label(EXPORTED + namespace);
      return isExported && !own.isEmpty() ? own : series.label(namespace);
    }

    private static String exported(MetricSeries series, String name) {
      String own = series.label(EXPORTED + name);
      return own.isEmpty() ? series.label(name) : own;
    }
  }

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
