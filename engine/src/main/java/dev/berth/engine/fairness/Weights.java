package dev.berth.engine.fairness;

import java.util.List;

/// Weights as whole numbers, so that parts are exact: seven equal weights get one of seven devices
/// each.
///
/// Without time they are those of the queues, to the millionth. With time (`k` ≠ 0) they are
/// `max(0, w + k · (w − usage))`, where `w = weight / Σ weight`, in steps of a two-billionth of
/// their sum (2⁻³¹): what that shifts is far below a device.
final class Weights {
  private static final double MILLION = 1e6;
  private static final double FINEST = 1L << 31;

  private Weights() {}

  /// @param wanting in a fixed order, each with a weight above 0
  static long[] of(List<FairShareClaim> wanting, double k) {
    double sum = 0;
    boolean areWhole = true;
    var weights = new double[wanting.size()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = wanting.get(i).weight();
      sum += weights[i];
      areWhole &= weights[i] == Math.rint(weights[i]);
    }
    if (k == 0) {
      return scaled(weights, areWhole ? 1 : MILLION);
    }
    var overTime = new double[weights.length];
    double sumOverTime = 0;
    for (int i = 0; i < weights.length; i++) {
      double w = weights[i] / sum;
      overTime[i] = Math.max(0, w + k * (w - wanting.get(i).usage()));
      sumOverTime += overTime[i];
    }
    // all have used far more than there is: then the past decides nothing between them
    return sumOverTime > 0
        ? scaled(overTime, FINEST / sumOverTime)
        : scaled(weights, areWhole ? 1 : MILLION);
  }

  private static long[] scaled(double[] weights, double factor) {
    var whole = new long[weights.length];
    for (int i = 0; i < weights.length; i++) {
      whole[i] = weights[i] == 0 ? 0 : Math.max(1, Math.round(weights[i] * factor));
    }
    return whole;
  }
}
