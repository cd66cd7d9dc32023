package dev.berth.controllers.idle;

import dev.berth.engine.model.IdleRule;
import java.time.Duration;

/// What is asked of Prometheus about GPUs.
///
/// @param period from one question to the next
/// @param metric its name
/// @param series a selector that series must match, without braces: those of the exporter alone, as
///   any pod that is scraped can export the metric; empty = all
/// @param scale of the values to percent: 100 where they are ratios
/// @param labels where series tell what they are of
public record MeasurementSettings(
    Duration period, String metric, String series, double scale, SeriesLabels labels) {
  /// The job of the DCGM exporter, as the monitors of the GPU Operator and of the exporter's own
  /// chart name it.
  public static final String EXPORTER = "job=~\"nvidia-dcgm-exporter|dcgm-exporter\"";

  public static final String METRIC = "DCGM_FI_DEV_GPU_UTIL";

  public static final MeasurementSettings DEFAULT =
      new MeasurementSettings(Duration.ofMinutes(1), METRIC, EXPORTER, 1, SeriesLabels.DCGM);

  private static final String OF_RATIOS = "_PROF_";
  private static final Duration SHORTEST_STEP = Duration.ofMinutes(1);
  private static final int STEPS = 60;
  private static final int COVERED_PERCENT = 90;
  private static final Duration LEAST_VALIDITY = Duration.ofMinutes(5);

  /// Of values from 0 to 1, by the name of the metric.
  public static double scaleOf(String metric) {
    return metric.contains(OF_RATIOS) ? 100 : 1;
  }

  /// How long an answer is believed.
  Duration validity() {
    var three = period.multipliedBy(3);
    return three.compareTo(LEAST_VALIDITY) > 0 ? three : LEAST_VALIDITY;
  }

  /// Name and selector.
  public static String selected(String metric, String series) {
    return series.isEmpty() ? metric : metric + "{" + series + "}";
  }

  /// The most that each GPU did in the time that a rule looks at: of series that are there now and
  /// were for nine tenths of that time.
  String expression(Duration after) {
    var step = after.dividedBy(STEPS).compareTo(SHORTEST_STEP) < 0 ? SHORTEST_STEP : stepOf(after);
    long covered = (after.dividedBy(step) * COVERED_PERCENT + 99) / 100;
    String selected = selected(metric, series);
    return "max_over_time("
        + selected
        + "["
        + after.toSeconds()
        + "s]) and (count_over_time("
        + selected
        + "["
        + after.toSeconds()
        + "s:"
        + step.toSeconds()
        + "s]) >= "
        + covered
        + ") and "
        + selected;
  }

  private static Duration stepOf(Duration after) {
    return Duration.ofSeconds(after.dividedBy(STEPS).toSeconds());
  }

  /// Whether a value is one that a GPU of an idle workload may have.
  boolean isBelow(double value, IdleRule rule) {
    double percent = value * scale;
    return percent >= 0
        && percent < rule.below(); // the exporter writes what it cannot read as more
  }
}
