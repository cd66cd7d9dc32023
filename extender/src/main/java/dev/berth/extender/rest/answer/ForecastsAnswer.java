package dev.berth.extender.rest.answer;

import dev.berth.engine.forecast.Calibration;

/// How far forecasts of starts have held, since this process began to lead.
public record ForecastsAnswer(Level median, Level p90) {
  /// @param judged forecasts of which it is known
  /// @param held those by which the workload had started
  public record Level(long judged, long held) {
    private static Level of(Calibration.Level level) {
      return new Level(level.judged(), level.held());
    }
  }

  public static ForecastsAnswer of(Calibration calibration) {
    return new ForecastsAnswer(Level.of(calibration.median()), Level.of(calibration.p90()));
  }
}
