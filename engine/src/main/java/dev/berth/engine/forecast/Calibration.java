package dev.berth.engine.forecast;

/// How far the forecasts held that groups got when they began to wait.
public record Calibration(Level median, Level p90) {
  public static final Calibration NONE = new Calibration(Level.NONE, Level.NONE);

  /// @param judged forecasts of which it is known
  /// @param held those of them by which the group had started
  public record Level(long judged, long held) {
    static final Level NONE = new Level(0, 0);

    /// 0 where none is known.
    public double part() {
      return judged == 0 ? 0 : (double) held / judged;
    }
  }
}
