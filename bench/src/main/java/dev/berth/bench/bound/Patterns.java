package dev.berth.bench.bound;

import java.util.Arrays;

/// The best way to fill one GPU with shares, for given prices: an unbounded knapsack over 1000
/// thousandths.
final class Patterns {
  private static final int GPU = 1000;

  private final int[] sizes;

  /// @param sizes distinct thousandths of shares
  Patterns(int[] sizes) {
    this.sizes = sizes.clone();
  }

  /// @param price of one share of each size
  /// @return how many of each size
  int[] best(double[] price) {
    var value = new double[GPU + 1];
    var last = new int[GPU + 1]; // the size added last; -1 = a thousandth left free
    Arrays.fill(last, -1);
    for (int room = 1; room <= GPU; room++) {
      value[room] = value[room - 1];
      for (int s = 0; s < sizes.length; s++) {
        if (sizes[s] <= room && value[room - sizes[s]] + price[s] > value[room] + 1e-12) {
          value[room] = value[room - sizes[s]] + price[s];
          last[room] = s;
        }
      }
    }
    var counts = new int[sizes.length];
    for (int room = GPU; room > 0; ) {
      if (last[room] < 0) {
        room--;
      } else {
        counts[last[room]]++;
        room -= sizes[last[room]];
      }
    }
    return counts;
  }
}
