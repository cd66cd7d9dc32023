package dev.berth.engine.forecast;

import java.util.ArrayDeque;

/// What was learned of one queue: at which pace its groups get their GPUs, and by how much its
/// forecasts are shifted. Guarded by its owner.
final class LearnedPace {
  static final int FEWEST = 20; // starts, from which there is a pace

  private static final int PACE = 200; // starts
  private static final double STEP = 0.02;

  /// Shifts stay within; in three standard deviations of logarithms, as of [WaitRatios].
  static final double MOST_SHIFT = 2;

  /// The time during which groups of the queue waited, in seconds; what they ask for when none does
  /// tells nothing of its pace.
  private double busy;

  /// @param at on the clock of [#busy]
  private record Start(double at, long millis) {}

  private final ArrayDeque<Start> starts = new ArrayDeque<>();
  private final double[] shifts;
  private double from; // on the clock of busy: when the first of the starts were due
  private long startedMillis;

  /// @param levels of forecasts
  LearnedPace(int levels) {
    shifts = new double[levels];
  }

  /// Groups have waited for so long since this was told last.
  void waited(double seconds) {
    busy += seconds;
  }

  void starts(long millis) {
    starts.add(new Start(busy, millis));
    startedMillis += millis;
    if (starts.size() > PACE) {
      var oldest = starts.removeFirst();
      startedMillis -= oldest.millis;
      from = oldest.at;
    }
  }

  boolean hasPace() {
    return starts.size() >= FEWEST && busy > from;
  }

  /// Seconds that the queue takes to be given a thousandth of a GPU, while groups of it wait.
  double secondsPerMilli() {
    return (busy - from) / startedMillis;
  }

  double shift(int level) {
    return shifts[level];
  }

  /// A forecast has held, or not. All steps are equally long, else as many as are to hold would not
  /// in the long run; what bounds the way back is how far it can go.
  void judge(int level, double part, boolean hasHeld) {
    double moved = shifts[level] + STEP * (part - (hasHeld ? 1 : 0));
    shifts[level] = Math.clamp(moved, -MOST_SHIFT, MOST_SHIFT);
  }
}
