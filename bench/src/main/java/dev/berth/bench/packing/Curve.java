package dev.berth.bench.packing;

/// Allocation, fragmentation and their ratio by arrived load, in percent.
///
/// The value at x is the mean over the events at which the arrived load, rounded, is x.
public final class Curve {
  static final int MOST = 140;

  private final int[] events = new int[MOST + 1];
  private final double[] allocation = new double[MOST + 1];
  private final double[] fragmented = new double[MOST + 1];
  private final double[] ratio = new double[MOST + 1];

  /// @param used thousandths of GPUs in use, of `capacity`
  /// @param unusable free thousandths that typical pods cannot use
  void add(long arrived, long used, double unusable, long capacity) {
    int x = (int) Math.round(100.0 * arrived / capacity);
    if (x > MOST) {
      return;
    }
    events[x]++;
    allocation[x] += 100.0 * used / capacity;
    fragmented[x] += 100 * unusable / capacity;
    ratio[x] += used == capacity ? 0 : 100 * unusable / (capacity - used);
  }

  boolean has(int x) {
    return events[x] > 0;
  }

  public double allocation(int x) {
    return allocation[x] / events[x];
  }

  public double fragmented(int x) {
    return fragmented[x] / events[x];
  }

  double ratio(int x) {
    return ratio[x] / events[x];
  }
}
