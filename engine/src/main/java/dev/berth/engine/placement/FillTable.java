package dev.berth.engine.placement;

import java.util.Arrays;

/// What the free part of one GPU is worth: how much of it future pods are expected to fill, less
/// what the CPU for that costs, at several prices of CPU.
///
/// Pods are offered to the GPU one after the other, at random from the expected demand; each is
/// taken if it fits and what is gained exceeds what the free part loses in value. The number of
/// offers is random (two geometric stages), so that the value W of a free part r solves one
/// equation for each r, from small to large: `W(r) = before(r) + offers · Σ p · max(0, gain + W(r −
/// size) − W(r))`.
final class FillTable {
  /// Expected offers to one GPU.
  private static final double OFFERS = 12;

  private static final int STAGES = 2;

  /// Free parts are rounded to so many thousandths.
  private static final int GRAIN = 10;

  private static final int WHOLE = 1000 / GRAIN;

  /// Prices of CPU, where 1 = what a GPU's worth of CPU in the expected demand costs a GPU.
  private static final double[] CPU_PRICES = {
    0, 0.05, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.57, 0.7, 0.85, 1, 1.2, 1.5, 2, 3
  };

  static final int PRICES = CPU_PRICES.length;

  /// Pods that take a part of one GPU, or one whole GPU.
  ///
  /// @param chances by class: that the next offer is of it
  /// @param millis by class: thousandths of a GPU
  /// @param cpu by class: CPU in the amount that one GPU of the expected demand has
  record Offers(double[] chances, int[] millis, double[] cpu) {
    boolean isSame(Offers other) {
      return Arrays.equals(chances, other.chances)
          && Arrays.equals(millis, other.millis)
          && Arrays.equals(cpu, other.cpu);
    }
  }

  private final double[][] values = new double[PRICES][WHOLE + 1];

  FillTable(Offers offers) {
    double scale = OFFERS / STAGES / Math.max(1, Arrays.stream(offers.chances).sum());
    for (int price = 0; price < PRICES; price++) {
      fill(offers, price, scale);
    }
  }

  private void fill(Offers offers, int price, double scale) {
    int count = 0;
    var chances = new double[offers.millis.length];
    var gains = new double[chances.length];
    var sizes = new int[chances.length];
    for (int c = 0; c < chances.length; c++) {
      double gain = offers.millis[c] / 1000.0 - CPU_PRICES[price] * offers.cpu[c];
      if (gain > 0 && offers.chances[c] > 0) {
        chances[count] = scale * offers.chances[c];
        gains[count] = gain;
        sizes[count++] = index(offers.millis[c]);
      }
    }
    var worth = values[price];
    var with = new double[count]; // by class: what is gained and left if it is taken
    for (int stage = 0; stage < STAGES; stage++) {
      for (int r = 0; r <= WHOLE; r++) {
        for (int c = 0; c < count; c++) {
          with[c] = sizes[c] <= r ? gains[c] + worth[r - sizes[c]] : 0;
        }
        worth[r] = solve(worth[r], chances, with, count);
      }
    }
  }

  /// The root of `x = before + Σ chance · max(0, with − x)`, from below by Newton's method: the sum
  /// is convex and made of straight lines, so that this ends after few steps.
  private static double solve(double before, double[] chances, double[] with, int count) {
    double x = before;
    while (true) {
      double sum = before;
      double slope = 1;
      for (int c = 0; c < count; c++) {
        if (with[c] > x) {
          sum += chances[c] * with[c];
          slope += chances[c];
        }
      }
      double next = sum / slope;
      if (next <= x + 1e-12) {
        return x;
      }
      x = next;
    }
  }

  private static int index(int millis) {
    return (Math.clamp(millis, 0, 1000) + GRAIN / 2) / GRAIN;
  }

  /// Adds the value of GPUs with the same free part, at each price of CPU.
  void addTo(double[] sums, long gpus, int freeMillis) {
    int r = index(freeMillis);
    for (int price = 0; price < PRICES; price++) {
      sums[price] += gpus * values[price][r];
    }
  }

  /// The least that a node is worth at any price of CPU: what it is worth at the price that its own
  /// free CPU has.
  ///
  /// @param sums of its GPUs, at each price of CPU
  /// @param cpu its free CPU, in the amount that one GPU of the expected demand has
  static double least(double[] sums, double cpu) {
    double least = Double.MAX_VALUE;
    for (int price = 0; price < PRICES; price++) {
      least = Math.min(least, sums[price] + CPU_PRICES[price] * cpu);
    }
    return least;
  }
}
