package dev.berth.engine.forecast;

import dev.berth.engine.model.QueueName;
import java.util.LinkedHashMap;
import java.util.Map;

/// By how much the forecasts of each queue are shifted, learned from those that held and those that
/// did not: of a bounded number of queues, those that were not heard of for longest go first.
/// Guarded by its owner.
final class QueueShifts {
  private static final int MOST_QUEUES = 1000;

  /// Waits are known late, often after hundreds of forecasts more: a longer step goes too far by
  /// then, and back.
  private static final double STEP = 0.01;

  /// Shifts stay within; in three standard deviations of logarithms, as of [WaitRatios].
  static final double MOST_SHIFT = 2;

  private final double[] levels;
  private final LinkedHashMap<QueueName, double[]> shifts =
      new LinkedHashMap<>(16, 0.75f, true) { // least recently used first
        @Override
        protected boolean removeEldestEntry(Map.Entry<QueueName, double[]> eldest) {
          return size() > MOST_QUEUES;
        }
      };

  /// @param levels the part of forecasts of each level that is to hold
  QueueShifts(double... levels) {
    this.levels = levels.clone();
  }

  /// Of all ratios, as of [WaitRatios#quantile].
  double of(QueueName queue, int level) {
    var own = shifts.get(queue);
    return own == null ? 0 : own[level];
  }

  /// A forecast of the queue has held, or not. All steps are equally long, else as many as are to
  /// hold would not in the long run; what bounds the way back is how far it can go.
  void judge(QueueName queue, int level, boolean hasHeld) {
    var own = shifts.computeIfAbsent(queue, _ -> new double[levels.length]);
    double moved = own[level] + STEP * (levels[level] - (hasHeld ? 1 : 0));
    own[level] = Math.clamp(moved, -MOST_SHIFT, MOST_SHIFT);
  }
}
